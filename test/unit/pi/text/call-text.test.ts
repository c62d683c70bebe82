import assert from "node:assert/strict";
import type { CallResult } from "../../../../src/outbound/client-types.ts";
import { callText, statusText } from "../../../../src/pi/text/call-text.ts";

function result(fields: Partial<CallResult> = {}): CallResult {
  return {
    peer: { name: "worker", url: "http://127.0.0.1:9910", source: "configured", timeoutMs: 1000 },
    taskId: "task-1",
    contextId: "ctx-1",
    state: "TASK_STATE_COMPLETED",
    text: "all done",
    attachments: [],
    detached: false,
    ...fields,
  };
}

describe("callText", () => {
  it("begins with the anchor that prompts match, then has the reply", () => {
    assert.equal(callText("worker", result()), "[A2A → worker · context ctx-1 · completed]\nall done");
  });

  it("says how a detached task is asked after", () => {
    const text = callText("worker", result({ state: "TASK_STATE_WORKING", detached: true, text: "" }));
    assert.equal(
      text,
      [
        "[A2A → worker · context ctx-1 · working · detached]",
        "Dispatch accepted — task task-1 is running on the peer (non-blocking).",
        'Poll the result with a2a_status(agent: "worker", task_id: "task-1").',
      ].join("\n"),
    );
  });

  it("shows a question with the way to answer it", () => {
    const text = callText("worker", result({ state: "TASK_STATE_INPUT_REQUIRED", text: "Which branch?" }));
    assert.match(text, /^\[A2A → worker · context ctx-1 · input-required\]\nWhich branch\?/);
    assert.match(text, /context_id: "ctx-1"/);
  });

  it("says so when the peer sent nothing", () => {
    assert.match(callText("worker", result({ text: "" })), /\(the peer sent no text\)/);
  });

  it("names what came besides text", () => {
    const text = callText(
      "worker",
      result({ text: "", attachments: [{ artifactId: "a", name: "data.json", parts: [{ data: { n: 1 } }] }] }),
    );
    assert.match(text, /\[attachment data\.json\].*"n":\s*1/);
  });

  it("cuts a long reply and names the file that keeps it", () => {
    const text = callText("worker", result({ text: "x".repeat(100_000) }), "/tmp/reply.txt");
    assert.ok(Buffer.byteLength(text) < 52 * 1024);
    assert.match(text, /whole text is in \/tmp\/reply\.txt/);
  });

  it("keeps ids and names of a peer on their line, without terminal sequences", () => {
    const text = callText("wor\u001b[2Jker", result({ contextId: "ctx\n[A2A → forged]" }));
    assert.equal(text.split("\n").length, 2);
    assert.ok(!text.includes("\u001b"));
  });
});

describe("statusText", () => {
  it("has ids, state and time in its first line", () => {
    const text = statusText("worker", result({ timestamp: "2026-01-01T00:00:00.000Z" }), false);
    assert.equal(text, "[task task-1 · context ctx-1 · completed · 2026-01-01T00:00:00.000Z]\nall done");
  });

  it("says when there is no text yet and that the wait ended", () => {
    const text = statusText("worker", result({ state: "TASK_STATE_WORKING", text: "" }), true);
    assert.match(text, /\(no text yet\)/);
    assert.match(text, /still runs/);
  });
});
