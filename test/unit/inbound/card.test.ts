import assert from "node:assert/strict";
import { decodeCard } from "../../../src/core/protocol/decode-card.ts";
import { encodeCard } from "../../../src/core/protocol/encode.ts";
import { createCard, createCardSource } from "../../../src/inbound/card.ts";
import { skill } from "../../support/builders.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const FACTS = { name: "pi", description: "A session.", version: "1.0.0", skills: [skill()] };
const URL = "http://127.0.0.1:9910/";
const VIEW = { url: URL, withSession: false, login: false };
const viewAt = (url: string, withSession = false) => ({ url, withSession, login: false });

describe("createCard", () => {
  it("offers one JSON-RPC interface of A2A 1.0 and nothing that is not built", () => {
    const card = createCard(FACTS, VIEW);
    assert.deepEqual(card.supportedInterfaces, [{ url: URL, protocolBinding: "JSONRPC", protocolVersion: "1.0" }]);
    const { extensions, ...capabilities } = card.capabilities;
    assert.deepEqual(capabilities, { streaming: true, pushNotifications: true, extendedAgentCard: false });
    assert.deepEqual(
      extensions?.map(({ uri }) => uri),
      ["urn:pi-a2a:ext:v1"],
    );
  });

  it("holds fields of the 1.0 card only, none of a session or of older versions", () => {
    assert.deepEqual(Object.keys(encodeCard(createCard(FACTS, VIEW))).sort(), [
      "capabilities",
      "defaultInputModes",
      "defaultOutputModes",
      "description",
      "name",
      "skills",
      "supportedInterfaces",
      "version",
    ]);
  });

  it("fills every required field, whatever the session lacks (W27)", () => {
    const bare = { id: "x", name: "", description: "", tags: ["", ""] };
    for (const skills of [[], [bare], [{ ...bare, tags: [] }]]) {
      const card = createCard({ name: "", description: "", version: "", skills }, VIEW);
      assert.notEqual(card.name, "");
      assert.notEqual(card.description, "");
      assert.notEqual(card.version, "");
      assert.equal(card.skills.length, 1);
      for (const { id, name, description, tags } of card.skills) {
        assert.ok(id !== "" && name !== "" && description !== "");
        assert.ok(tags.length > 0 && tags.every((tag) => tag !== ""));
      }
      assert.doesNotThrow(() => decodeCard(encodeCard(card), URL));
    }
  });
});

describe("createCard with switches", () => {
  const capabilities = (...args: Parameters<typeof createCard>) => createCard(...args).capabilities;

  it("declares what is offered", () => {
    assert.equal(capabilities(FACTS, VIEW, { streaming: false }).streaming, false);
    assert.equal(capabilities(FACTS, VIEW, { extendedCard: true }).extendedAgentCard, true);
    const { extensions } = capabilities(FACTS, VIEW, { requiredExtension: "urn:x" });
    assert.deepEqual(extensions?.at(-1), { uri: "urn:x", required: true });
  });

  it("shows the session only to whom it is meant for", () => {
    const facts = { ...FACTS, session: { cwd: "/work" } };
    assert.equal(capabilities(facts, VIEW).extensions?.length, 1);
    assert.deepEqual(capabilities(facts, { ...VIEW, withSession: true }).extensions?.[1]?.params, { cwd: "/work" });
  });

  it("[card-security] says how to log in as strict readers of 1.0 want it, where callers log in (W28)", () => {
    const card = JSON.parse(JSON.stringify(encodeCard(createCard(FACTS, { ...VIEW, login: true }))));
    assert.deepEqual(card.securitySchemes.bearer, { httpAuthSecurityScheme: { scheme: "Bearer" } });
    assert.deepEqual(card.securitySchemes.apiKey, { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } });
    assert.deepEqual(card.securityRequirements, [
      { schemes: { bearer: { list: [] } } },
      { schemes: { apiKey: { list: [] } } },
    ]);
    assert.equal(card.security, undefined);
  });

  it("offers the extended card where callers log in and there are details of the session", () => {
    const facts = { ...FACTS, session: { cwd: "/work" } };
    const offered = [facts, FACTS].flatMap((each) =>
      [true, false].map((login) => capabilities(each, { ...VIEW, login }).extendedAgentCard),
    );
    assert.deepEqual(offered, [true, false, false, false]);
  });

  it("can be read back, details and all", () => {
    const card = createCard(
      { ...FACTS, session: { cwd: "/work", model: { id: "m" } } },
      { url: URL, withSession: true, login: true },
      { requiredExtension: "urn:x" },
    );
    assert.deepEqual(decodeCard(JSON.parse(JSON.stringify(encodeCard(card))), URL), card);
  });
});

describe("createCardSource", () => {
  it("makes the bytes once for the same content and address", () => {
    const same = createCardSource(() => FACTS, createFakeClock());
    assert.equal(same.at(viewAt("http://localhost:1/")), same.at(viewAt("http://localhost:1/")));
    assert.notEqual(same.at(viewAt("http://localhost:1/")).etag, same.at(viewAt("http://localhost:2/")).etag);
    const equal = createCardSource(() => ({ ...FACTS }), createFakeClock());
    assert.equal(equal.at(viewAt("http://localhost/")), equal.at(viewAt("http://localhost/")));
  });

  it("keeps the card with details apart from the one without", () => {
    const facts = { ...FACTS, session: { cwd: "/work" } };
    const source = createCardSource(() => facts, createFakeClock());
    assert.equal(source.at(viewAt("http://localhost/", true)), source.at(viewAt("http://localhost/", true)));
    assert.match(source.at(viewAt("http://localhost/", true)).body, /work/);
    assert.ok(source.at(viewAt("http://localhost/", true)).isPrivate);
    assert.doesNotMatch(source.at(viewAt("http://localhost/")).body, /\/work/);
    assert.ok(!source.at(viewAt("http://localhost/")).isPrivate);
  });

  it("keeps the date of content that stays the same", () => {
    const clock = createFakeClock();
    const source = createCardSource(() => ({ ...FACTS }), clock);
    const { since } = source.at(viewAt("http://localhost/"));
    clock.tick(5000);
    assert.equal(source.at(viewAt("http://localhost/")).since, since);
  });

  it("asks for the facts anew each time", () => {
    let name = "one";
    const source = createCardSource(() => ({ ...FACTS, name }), createFakeClock());
    const before = source.at(viewAt("http://localhost/"));
    name = "two";
    assert.match(source.at(viewAt("http://localhost/")).body, /"name":"two"/);
    assert.notEqual(source.at(viewAt("http://localhost/")).etag, before.etag);
  });
});
