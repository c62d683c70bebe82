import assert from "node:assert/strict";
import { decodeCard } from "../../../../src/core/protocol/decode-card.ts";
import { createCard } from "../../../../src/inbound/card.ts";
import { encodeHybridCard } from "../../../../src/inbound/legacy/hybrid-card.ts";
import { skill } from "../../../support/builders.ts";

const URL = "https://agent.example.com/a2a";
const FACTS = { name: "pi", description: "A session.", version: "1.0.0", skills: [skill()], session: { cwd: "/work" } };

describe("encodeHybridCard", () => {
  it("tells clients of both versions how to log in (W28)", () => {
    const card = encodeHybridCard(createCard(FACTS, { url: URL, login: true, withSession: true }));
    assert.deepEqual(card.securitySchemes, {
      bearer: { type: "http", scheme: "bearer", httpAuthSecurityScheme: { scheme: "Bearer" } },
      apiKey: {
        ...{ type: "apiKey", in: "header", name: "X-API-Key" },
        apiKeySecurityScheme: { location: "header", name: "X-API-Key" },
      },
    });
    assert.deepEqual(card.security, [{ bearer: [] }, { apiKey: [] }]);
    assert.deepEqual(card.securityRequirements, [
      { schemes: { bearer: { list: [] } } },
      { schemes: { apiKey: { list: [] } } },
    ]);
    assert.equal(card.supportsAuthenticatedExtendedCard, true);
    assert.deepEqual(card.metadata, { cwd: "/work" });
  });

  it("says nothing of logins and of the session where there is nothing to say", () => {
    const card = encodeHybridCard(createCard(FACTS, { url: URL, login: false, withSession: false }));
    for (const name of ["securitySchemes", "security", "securityRequirements", "metadata"]) {
      assert.ok(!(name in card), name);
    }
    assert.equal(card.supportsAuthenticatedExtendedCard, false);
  });

  it("is read by our own client as one address in two versions", () => {
    const card = createCard(FACTS, { url: URL, login: true, withSession: false });
    const read = decodeCard(JSON.parse(JSON.stringify(encodeHybridCard(card))), URL);
    assert.deepEqual(
      read.supportedInterfaces.map(({ url, protocolVersion }) => [url, protocolVersion]),
      [
        [URL, "1.0"],
        [URL, "0.3"],
      ],
    );
    assert.deepEqual(
      { ...read, supportedInterfaces: [], securitySchemes: {} },
      {
        ...card,
        ...{ supportedInterfaces: [], securitySchemes: {} },
      },
    );
  });

  it("passes on a scheme that it does not know", () => {
    const card = createCard(FACTS, { url: URL, login: false, withSession: false });
    const securitySchemes = { odd: { mtlsSecurityScheme: {} }, none: "x" };
    assert.deepEqual(encodeHybridCard({ ...card, securitySchemes }).securitySchemes, securitySchemes);
  });
});
