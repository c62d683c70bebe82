import assert from "node:assert/strict";
import { decodeMessage } from "../../../../src/core/protocol/decode-message.ts";
import { PEER_RULES } from "../../../../src/core/protocol/decode-rules.ts";
import { encodeV03Message, encodeV03Part } from "../../../../src/core/protocol/encode-v03-message.ts";
import type { Message } from "../../../../src/core/protocol/types.ts";

describe("writing messages of A2A 0.3", () => {
  it("has kind, a lower-case role and the ids (W20)", () => {
    const message: Message = {
      messageId: "m1",
      role: "ROLE_USER",
      contextId: "c1",
      taskId: "t1",
      parts: [{ text: "go on" }],
      metadata: { a: 1 },
      referenceTaskIds: ["t0"],
    };
    assert.deepEqual(encodeV03Message(message), {
      kind: "message",
      messageId: "m1",
      role: "user",
      contextId: "c1",
      taskId: "t1",
      parts: [{ kind: "text", text: "go on" }],
      metadata: { a: 1 },
      referenceTaskIds: ["t0"],
    });
    assert.equal(encodeV03Message({ ...message, role: "ROLE_AGENT" }).role, "agent");
  });

  it("puts files below `file` with bytes or uri (W20)", () => {
    const raw = { raw: "QQ==", mediaType: "text/plain", filename: "a.txt", metadata: { b: 2 } };
    const file = { bytes: "QQ==", name: "a.txt", mimeType: "text/plain" };
    assert.deepEqual(encodeV03Part(raw), { kind: "file", file, metadata: { b: 2 } });
    assert.deepEqual(encodeV03Part({ url: "https://example.com/a" }), {
      kind: "file",
      file: { uri: "https://example.com/a" },
    });
  });

  it("wraps data that is no object, which 0.3 does not take", () => {
    assert.deepEqual(encodeV03Part({ data: { rows: [] } }), { kind: "data", data: { rows: [] } });
    assert.deepEqual(encodeV03Part({ data: [1, 2] }), { kind: "data", data: { value: [1, 2] } });
    assert.deepEqual(encodeV03Part({ data: null }), { kind: "data", data: { value: null } });
  });

  it("is read back as the same message", () => {
    const message: Message = {
      messageId: "m1",
      role: "ROLE_AGENT",
      parts: [{ text: "x" }, { raw: "QQ==", filename: "a" }, { url: "https://example.com/" }, { data: { a: 1 } }],
    };
    assert.deepEqual(decodeMessage(encodeV03Message(message), "", PEER_RULES), message);
  });
});
