import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Message } from "../../../src/core/protocol/types.ts";
import type { Dialect } from "../../../src/outbound/dialect.ts";
import { encodeRequest, isOptional, isQuestion, versionHeader } from "../../../src/outbound/peer-request.ts";

const message: Message = {
  messageId: "m",
  role: "ROLE_USER",
  parts: [{ text: "hi" }, { url: "https://example.com/a" }],
};
const modern = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }, { url: "https://example.com/a" }] };
const older = {
  kind: "message",
  messageId: "m",
  role: "user",
  parts: [
    { kind: "text", text: "hi" },
    { kind: "file", file: { uri: "https://example.com/a" } },
  ],
};

describe("writing requests in the peer's dialect", () => {
  const sends: [Dialect, string, string, object, object][] = [
    ["1.0", "SendMessage", "SendStreamingMessage", modern, { returnImmediately: true }],
    ["0.3", "message/send", "message/stream", older, { blocking: false }],
    ["pi-a2a", "message/send", "message/stream", modern, { returnImmediately: true }],
  ];
  for (const [dialect, send, stream, wire, configuration] of sends) {
    it(`sends messages in ${dialect}`, () => {
      assert.deepEqual(encodeRequest({ method: "SendMessage", message, returnImmediately: true }, dialect), {
        method: send,
        params: { message: wire, configuration },
      });
      assert.deepEqual(encodeRequest({ method: "SendMessage", message, returnImmediately: false }, dialect), {
        method: send,
        params: { message: wire },
      });
      assert.deepEqual(encodeRequest({ method: "SendStreamingMessage", message }, dialect), {
        method: stream,
        params: { message: wire },
      });
    });
  }

  it("names the task of the other requests by its id", () => {
    const names = (dialect: Dialect): string[] =>
      (["GetTask", "CancelTask", "SubscribeToTask"] as const).map((method) => {
        const { method: name, params } = encodeRequest({ method, taskId: "t1" }, dialect);
        assert.deepEqual(params, { id: "t1" });
        return name;
      });
    assert.deepEqual(names("1.0"), ["GetTask", "CancelTask", "SubscribeToTask"]);
    assert.deepEqual(names("0.3"), ["tasks/get", "tasks/cancel", "tasks/resubscribe"]);
    assert.deepEqual(names("pi-a2a"), ["tasks/get", "tasks/cancel", "tasks/subscribe"]);
  });

  it("tells the version in 1.0 only", () => {
    assert.deepEqual(versionHeader("1.0"), { "A2A-Version": "1.0" });
    assert.deepEqual(versionHeader("0.3"), {});
    assert.deepEqual(versionHeader("pi-a2a"), {});
  });

  it("knows what only asks", () => {
    assert.equal(isQuestion({ method: "GetTask", taskId: "t" }), true);
    assert.equal(isQuestion({ method: "SubscribeToTask", taskId: "t" }), true);
    assert.equal(isQuestion({ method: "CancelTask", taskId: "t" }), false);
    assert.equal(isQuestion({ method: "SendMessage", message, returnImmediately: false }), false);
  });

  it("knows which methods an agent may leave out", () => {
    assert.equal(isOptional({ method: "SendStreamingMessage", message }), true);
    assert.equal(isOptional({ method: "SubscribeToTask", taskId: "t" }), true);
    assert.equal(isOptional({ method: "GetTask", taskId: "t" }), false);
  });
});
