import assert from "node:assert/strict";
import { decodeArtifact, decodeMessage, decodePart } from "../../../../src/core/protocol/decode-message.ts";
import { PEER_RULES } from "../../../../src/core/protocol/decode-rules.ts";
import { agentMessage, artifact, userMessage } from "../../../support/builders.ts";
import { refusal } from "../../../support/refusal.ts";

/** The field that a caller's part is refused for. */
function refusedField(value: unknown): string | undefined {
  return refusal("INVALID_PARAMS", () => decodePart(value, "message.parts[0]")).violations[0]?.field;
}

describe("decoding a part", () => {
  it("reads each of the four contents with type, name and metadata", () => {
    const more = { mediaType: "text/plain", filename: "a.txt", metadata: { a: [1] } };
    for (const content of [{ text: "x" }, { raw: "QUI=" }, { url: "https://a/b" }, { data: { a: null } }]) {
      assert.deepEqual(decodePart({ ...content, ...more }, "p"), { ...content, ...more });
    }
  });

  it("tells the content by presence, also an empty text and null data", () => {
    assert.deepEqual(decodePart({ text: "" }, "p"), { text: "" });
    assert.deepEqual(decodePart({ raw: "" }, "p"), { raw: "" });
    for (const data of [null, false, 0, "", []]) assert.deepEqual(decodePart({ data }, "p"), { data });
  });

  it("takes null in unset members as unset", () => {
    assert.deepEqual(decodePart({ text: "a", raw: null, url: null, data: null, filename: null }, "p"), { text: "a" });
  });

  it("refuses no content and more than one, naming the part (W18)", () => {
    for (const value of [{}, { text: null }, { text: "a", data: 1 }, { raw: "QQ==", url: "x" }, { kind: "text" }]) {
      assert.equal(refusedField(value), "message.parts[0]");
    }
    assert.match(refusal("INVALID_PARAMS", () => decodePart({ text: "a", data: 1 }, "p")).message, /text and data/);
  });

  it("refuses wrong types, naming the field", () => {
    assert.equal(refusedField({ text: 1 }), "message.parts[0].text");
    assert.equal(refusedField({ url: ["a"] }), "message.parts[0].url");
    assert.equal(refusedField({ text: "a", metadata: [] }), "message.parts[0].metadata");
    assert.equal(refusedField({ text: "a", media_type: 7 }), "message.parts[0].mediaType");
    for (const value of [null, "text", [], 1]) assert.equal(refusedField(value), "message.parts[0]");
  });

  it("reads base64 in both alphabets, padded or not, into the standard form", () => {
    for (const raw of ["+/A=", "-_A=", "+/A", "-_A"]) assert.deepEqual(decodePart({ raw }, "p"), { raw: "+/A=" });
  });

  it("refuses what is no base64", () => {
    for (const raw of ["A", "QQ=", "QQ===", "Q=Q=", "QQ ==", "QQ\n==", "é", "QUI=="]) {
      assert.equal(refusedField({ raw }), "message.parts[0].raw");
    }
  });

  it("bounds urls, names and types of callers", () => {
    assert.equal(refusedField({ url: "x".repeat(8193) }), "message.parts[0].url");
    assert.equal(refusedField({ text: "a", filename: "x".repeat(1025) }), "message.parts[0].filename");
    assert.equal(refusedField({ text: "a", mediaType: "x".repeat(257) }), "message.parts[0].mediaType");
  });
});

describe("decoding a message", () => {
  const full = {
    ...userMessage(),
    contextId: "c",
    taskId: "t",
    metadata: { a: 1 },
    extensions: ["urn:x"],
    referenceTaskIds: ["t0"],
  };

  it("reads every field", () => {
    assert.deepEqual(decodeMessage(full, "message"), full);
  });

  it("reads snake_case names and roles by number", () => {
    const value = { message_id: "m-1", role: 1, parts: [{ text: "hello" }], context_id: "c", task_id: "t" };
    assert.deepEqual(decodeMessage(value, "message"), { ...userMessage(), contextId: "c", taskId: "t" });
    assert.equal(decodeMessage({ ...value, role: 2 }, "message").role, "ROLE_AGENT");
  });

  it("reads empty optional fields as absent", () => {
    const value = { ...userMessage(), contextId: "", taskId: null, extensions: [], referenceTaskIds: [] };
    assert.deepEqual(decodeMessage(value, "message"), userMessage());
  });

  it("refuses missing and wrong required fields, naming them (W18)", () => {
    const cases: [unknown, string][] = [
      [{ ...full, messageId: undefined }, "message.messageId"],
      [{ ...full, messageId: "" }, "message.messageId"],
      [{ ...full, messageId: 7 }, "message.messageId"],
      [{ ...full, role: undefined }, "message.role"],
      [{ ...full, role: "user" }, "message.role"],
      [{ ...full, role: 0 }, "message.role"],
      [{ ...full, role: "ROLE_UNSPECIFIED" }, "message.role"],
      [{ ...full, parts: [] }, "message.parts"],
      [{ ...full, parts: undefined }, "message.parts"],
      [{ ...full, parts: { text: "a" } }, "message.parts"],
      [{ ...full, parts: [{ text: "a" }, {}] }, "message.parts[1]"],
      [{ ...full, contextId: 5 }, "message.contextId"],
      [{ ...full, extensions: "urn:x" }, "message.extensions"],
      [{ ...full, referenceTaskIds: [1] }, "message.referenceTaskIds[0]"],
      ["hello", "message"],
    ];
    for (const [value, field] of cases) {
      const error = refusal("INVALID_PARAMS", () => decodeMessage(value, "message"));
      assert.equal(error.violations[0]?.field, field);
      assert.ok(error.message.startsWith(field), error.message);
    }
  });

  it("bounds ids, parts and lists of callers", () => {
    const many = (count: number): unknown[] => Array.from({ length: count }, () => ({ text: "a" }));
    assert.equal(decodeMessage({ ...full, parts: many(1000) }, "message").parts.length, 1000);
    refusal("INVALID_PARAMS", () => decodeMessage({ ...full, parts: many(1001) }, "message"));
    refusal("INVALID_PARAMS", () => decodeMessage({ ...full, messageId: "x".repeat(1025) }, "message"));
    refusal("INVALID_PARAMS", () => decodeMessage({ ...full, referenceTaskIds: Array(101).fill("t") }, "message"));
  });

  it("takes a peer's message without id, role and parts", () => {
    assert.deepEqual(decodeMessage({ parts: null }, "m", PEER_RULES), { messageId: "", role: "ROLE_AGENT", parts: [] });
  });

  it("passes over a peer's part without known content and keeps the others", () => {
    const value = { ...agentMessage(), parts: [{}, { kind: "video", video: 1 }, { text: "hi" }, { text: null }] };
    assert.deepEqual(decodeMessage(value, "m", PEER_RULES), agentMessage());
  });

  it("takes the first content of a peer's part that has several", () => {
    const value = { ...agentMessage(), parts: [{ data: {}, text: "hi", raw: "" }] };
    assert.deepEqual(decodeMessage(value, "m", PEER_RULES), agentMessage());
  });

  it("takes a peer's base64 with line breaks and long urls", () => {
    const url = `data:text/plain,${"x".repeat(100_000)}`;
    const value = { ...agentMessage(), parts: [{ raw: "QU\r\nI=" }, { url }] };
    assert.deepEqual(decodeMessage(value, "m", PEER_RULES).parts, [{ raw: "QUI=" }, { url }]);
  });

  it("refuses a peer's wrong types with the path", () => {
    const value = { ...agentMessage(), parts: [{ text: "a" }, { text: 1 }] };
    assert.match(refusal("PEER_BAD_REPLY", () => decodeMessage(value, "m", PEER_RULES)).message, /m\.parts\[1\]\.text/);
  });
});

describe("decoding an artifact", () => {
  const full = { ...artifact(), name: "Reply", description: "d", metadata: { a: 1 }, extensions: ["urn:x"] };

  it("reads every field", () => {
    assert.deepEqual(decodeArtifact(full, "a"), full);
    const { artifactId, ...rest } = full;
    assert.deepEqual(decodeArtifact({ ...rest, artifact_id: artifactId }, "a"), full);
  });

  it("needs an id and a part, unless it is a peer's", () => {
    refusal("INVALID_PARAMS", () => decodeArtifact({ ...full, artifactId: "" }, "a"));
    refusal("INVALID_PARAMS", () => decodeArtifact({ ...full, parts: [] }, "a"));
    assert.deepEqual(decodeArtifact({}, "a", PEER_RULES), { artifactId: "artifact-1", parts: [] });
  });
});
