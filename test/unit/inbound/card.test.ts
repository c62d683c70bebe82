import assert from "node:assert/strict";
import { decodeCard } from "../../../src/core/protocol/decode-card.ts";
import { encodeCard } from "../../../src/core/protocol/encode.ts";
import { createCard, createCardSource } from "../../../src/inbound/card.ts";
import { skill } from "../../support/builders.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const FACTS = { name: "pi", description: "A session.", version: "1.0.0", skills: [skill()] };
const URL = "http://127.0.0.1:9910/";

describe("createCard", () => {
  it("offers one JSON-RPC interface of A2A 1.0 and nothing that is not built", () => {
    const card = createCard(FACTS, URL);
    assert.deepEqual(card.supportedInterfaces, [{ url: URL, protocolBinding: "JSONRPC", protocolVersion: "1.0" }]);
    const { extensions, ...capabilities } = card.capabilities;
    assert.deepEqual(capabilities, { streaming: true, pushNotifications: true, extendedAgentCard: false });
    assert.deepEqual(
      extensions?.map(({ uri }) => uri),
      ["urn:pi-a2a:ext:v1"],
    );
  });

  it("holds fields of the 1.0 card only, none of a session or of older versions", () => {
    assert.deepEqual(Object.keys(encodeCard(createCard(FACTS, URL))).sort(), [
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
      const card = createCard({ name: "", description: "", version: "", skills }, URL);
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
    assert.equal(capabilities(FACTS, URL, { streaming: false }).streaming, false);
    assert.equal(capabilities(FACTS, URL, { extendedCard: true }).extendedAgentCard, true);
    const { extensions } = capabilities(FACTS, URL, { requiredExtension: "urn:x" });
    assert.deepEqual(extensions?.at(-1), { uri: "urn:x", required: true });
  });

  it("shows the session only to whom it is meant for", () => {
    const facts = { ...FACTS, session: { cwd: "/work" } };
    assert.equal(capabilities(facts, URL).extensions?.length, 1);
    assert.deepEqual(capabilities(facts, URL, {}, facts.session).extensions?.[1]?.params, { cwd: "/work" });
  });

  it("can be read back, details and all", () => {
    const card = createCard(FACTS, URL, { requiredExtension: "urn:x" }, { cwd: "/work", model: { id: "m" } });
    assert.deepEqual(decodeCard(JSON.parse(JSON.stringify(encodeCard(card))), URL), card);
  });
});

describe("createCardSource", () => {
  it("makes the bytes once for the same content and address", () => {
    const same = createCardSource(() => FACTS, createFakeClock());
    assert.equal(same.at("localhost:1"), same.at("LOCALHOST:1"));
    assert.notEqual(same.at("localhost:1").etag, same.at("localhost:2").etag);
    const equal = createCardSource(() => ({ ...FACTS }), createFakeClock());
    assert.equal(equal.at("localhost"), equal.at("localhost"));
  });

  it("keeps the card with details apart from the one without", () => {
    const facts = { ...FACTS, session: { cwd: "/work" } };
    const source = createCardSource(() => facts, createFakeClock());
    assert.equal(source.at("localhost", true), source.at("localhost", true));
    assert.match(source.at("localhost", true).body, /work/);
    assert.ok(source.at("localhost", true).isPrivate);
    assert.doesNotMatch(source.at("localhost").body, /\/work/);
    assert.ok(!source.at("localhost").isPrivate);
  });

  it("keeps the date of content that stays the same", () => {
    const clock = createFakeClock();
    const source = createCardSource(() => ({ ...FACTS }), clock);
    const { since } = source.at("localhost");
    clock.tick(5000);
    assert.equal(source.at("localhost").since, since);
  });

  it("asks for the facts anew each time", () => {
    let name = "one";
    const source = createCardSource(() => ({ ...FACTS, name }), createFakeClock());
    const before = source.at("localhost");
    name = "two";
    assert.match(source.at("localhost").body, /"name":"two"/);
    assert.notEqual(source.at("localhost").etag, before.etag);
  });
});
