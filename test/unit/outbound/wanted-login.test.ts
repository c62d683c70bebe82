import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { JsonObject } from "../../../src/core/protocol/types.ts";
import { loginOfCard, loginOfHeader } from "../../../src/outbound/wanted-login.ts";

const SCHEMES: readonly (readonly [JsonObject, string])[] = [
  [{ httpAuthSecurityScheme: { scheme: "bearer" } }, "a bearer token"],
  [{ type: "http", scheme: "Bearer" }, "a bearer token"],
  [{ httpAuthSecurityScheme: { scheme: "Basic" } }, "a user name and a password (basic)"],
  [{ apiKeySecurityScheme: { location: "header", name: "X-API-Key" } }, "an API key in the header X-API-Key"],
  [{ type: "apiKey", in: "header", name: "x-api-key" }, "an API key in the header x-api-key"],
  [{ type: "apiKey", in: "query", name: "key" }, "an API key in the query key, where none can be sent"],
  [{ oauth2SecurityScheme: { flows: {} } }, "an OAuth 2 access token (bearer)"],
  [{ type: "openIdConnect" }, "an OpenID Connect token (bearer)"],
  [{ mtlsSecurityScheme: {} }, "a client certificate, which cannot be sent"],
  [{ somethingNew: {} }, "a login of an unknown kind"],
];

describe("the login that a card asks for", () => {
  for (const [scheme, text] of SCHEMES) {
    it(`${JSON.stringify(scheme)} is ${text}`, () =>
      assert.equal(loginOfCard({ securitySchemes: { a: scheme } }), text));
  }

  it("is one of several, each said once", () => {
    const bearer = { httpAuthSecurityScheme: { scheme: "bearer" } };
    const key = { type: "apiKey", in: "header", name: "X-Key" };
    const securitySchemes = { a: bearer, b: bearer, c: key, d: 5 };
    assert.equal(loginOfCard({ securitySchemes }), "a bearer token or an API key in the header X-Key");
  });

  it("is none when it names none", () => {
    assert.equal(loginOfCard({}), "");
  });

  it("is one short safe line (X16)", () => {
    const text = loginOfCard({ securitySchemes: { a: { type: "apiKey", name: `\u001b[2J\n${"x".repeat(999)}` } } });
    assert.ok(!/\p{Cc}/u.test(text) && text.length < 100);
  });
});

describe("the login that WWW-Authenticate asks for", () => {
  it("is its first scheme", () => {
    assert.equal(loginOfHeader('Bearer realm="pi", error="invalid_token"'), "a bearer token");
    assert.equal(loginOfHeader("Negotiate"), "an HTTP login of the kind Negotiate");
    assert.equal(loginOfHeader("\u001b[2J"), "");
    assert.equal(loginOfHeader(undefined), "");
  });
});
