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
    assert.deepEqual(capabilities, { streaming: true, pushNotifications: false, extendedAgentCard: false });
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

describe("createCardSource", () => {
  it("makes the bytes once for the same content and address", () => {
    const same = createCardSource(() => FACTS, createFakeClock());
    assert.equal(same.at("localhost:1"), same.at("LOCALHOST:1"));
    assert.notEqual(same.at("localhost:1").etag, same.at("localhost:2").etag);
    const equal = createCardSource(() => ({ ...FACTS }), createFakeClock());
    assert.equal(equal.at("localhost"), equal.at("localhost"));
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
