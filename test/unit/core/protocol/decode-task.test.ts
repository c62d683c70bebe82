import assert from "node:assert/strict";
import { decodeSendResult, decodeStreamResponse, decodeTask } from "../../../../src/core/protocol/decode-task.ts";
import {
  agentMessage,
  artifact,
  artifactUpdate,
  completedTask,
  status,
  statusUpdate,
  task,
  userMessage,
} from "../../../support/builders.ts";
import { refusal } from "../../../support/refusal.ts";

function stateOf(state: unknown): string {
  return decodeTask({ id: "t", status: { state } }, "result").status.state;
}

describe("decoding a peer's task", () => {
  it("reads every field", () => {
    const full = completedTask("done", {
      history: [userMessage(), agentMessage()],
      metadata: { a: 1 },
      status: status("TASK_STATE_COMPLETED", { message: agentMessage() }),
    });
    assert.deepEqual(decodeTask(full, "result"), full);
  });

  it("reads a first task with nothing in it (C14)", () => {
    const value = { id: "t1", status: { state: "TASK_STATE_SUBMITTED", message: null }, artifacts: [], history: null };
    const expected = { id: "t1", contextId: "", status: { state: "TASK_STATE_SUBMITTED" } };
    assert.deepEqual(decodeSendResult({ task: value }), { task: expected });
  });

  it("drops artifacts without parts (C14)", () => {
    const artifacts = [
      { artifactId: "a", parts: [] },
      artifact(),
      { artifactId: "b" },
      { artifactId: "c", parts: [{}] },
    ];
    assert.deepEqual(decodeTask({ ...task(), artifacts }, "result").artifacts, [artifact()]);
    assert.equal(decodeTask({ ...task(), artifacts: [{ artifactId: "a", parts: [] }] }, "result").artifacts, undefined);
  });

  it("gives artifacts without id different ones", () => {
    const artifacts = [{ parts: [{ text: "a" }] }, { parts: [] }, { parts: [{ text: "b" }] }];
    const ids = decodeTask({ ...task(), artifacts }, "result").artifacts?.map(({ artifactId }) => artifactId);
    assert.deepEqual(ids, ["artifact-1", "artifact-3"]);
  });

  it("reads states by name and number", () => {
    assert.equal(stateOf("TASK_STATE_AUTH_REQUIRED"), "TASK_STATE_AUTH_REQUIRED");
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7, 8].map(stateOf), [
      "TASK_STATE_SUBMITTED",
      "TASK_STATE_WORKING",
      "TASK_STATE_COMPLETED",
      "TASK_STATE_FAILED",
      "TASK_STATE_CANCELED",
      "TASK_STATE_INPUT_REQUIRED",
      "TASK_STATE_REJECTED",
      "TASK_STATE_AUTH_REQUIRED",
    ]);
  });

  it("refuses an unknown state and names it (W08) [client-states]", () => {
    for (const state of [
      "TASK_STATE_FROBNICATE",
      "TASK_STATE_UNSPECIFIED",
      "unknown",
      0,
      9,
      1.5,
      -1,
      null,
      undefined,
      {},
    ]) {
      const error = refusal("PEER_BAD_REPLY", () => stateOf(state));
      assert.match(error.message, /result\.status\.state must be a task state/);
      if (typeof state === "string") assert.ok(error.message.includes(state));
    }
  });

  it("brings timestamps into one form and leaves out what is none", () => {
    const read = (timestamp: unknown): unknown =>
      decodeTask({ ...task(), status: { state: 2, timestamp } }, "r").status.timestamp;
    assert.equal(read("2026-01-02T00:00:00+02:00"), "2026-01-01T22:00:00.000Z");
    assert.equal(read("yesterday"), undefined);
    refusal("PEER_BAD_REPLY", () => read(5));
  });

  it("needs an id only while the task may still be asked for", () => {
    assert.equal(decodeTask({ status: { state: "completed" } }, "r").id, "");
    assert.match(refusal("PEER_BAD_REPLY", () => decodeTask({ status: { state: "working" } }, "r")).message, /r\.id/);
  });

  it("refuses wrong types with the path", () => {
    const cases: [unknown, RegExp][] = [
      ["x", /result must be an object/],
      [{ id: "t" }, /result\.status must be an object/],
      [{ ...task(), id: 1 }, /result\.id must be a string/],
      [{ ...task(), contextId: [] }, /result\.contextId/],
      [{ ...task(), artifacts: {} }, /result\.artifacts must be a list/],
      [{ ...task(), history: [{ role: "ROLE_USER", parts: "x" }] }, /result\.history\[0\]\.parts/],
      [{ ...task(), status: { state: 2, message: "x" } }, /result\.status\.message/],
    ];
    for (const [value, problem] of cases) {
      assert.match(refusal("PEER_BAD_REPLY", () => decodeTask(value, "result")).message, problem);
    }
  });

  it("reads an artifact of very many pieces, but not endless ones (C30)", () => {
    const parts = (count: number): unknown => Array.from({ length: count }, () => ({ text: "a" }));
    const decode = (count: number): unknown =>
      decodeTask({ ...task(), artifacts: [{ ...artifact(), parts: parts(count) }] }, "r");
    decode(100_000);
    refusal("PEER_BAD_REPLY", () => decode(100_001));
  });
});

describe("decoding the result of SendMessage", () => {
  it("reads a task or a message", () => {
    assert.deepEqual(decodeSendResult({ task: completedTask() }), { task: completedTask() });
    assert.deepEqual(decodeSendResult({ message: agentMessage(), task: null }), { message: agentMessage() });
  });

  it("refuses events, both at once, and nothing", () => {
    const wrong = [
      { statusUpdate: statusUpdate() },
      { task: task(), message: agentMessage() },
      {},
      null,
      [],
      "x",
      { a: 1 },
    ];
    for (const value of wrong) refusal("PEER_BAD_REPLY", () => decodeSendResult(value));
  });

  it("says what came instead", () => {
    const error = refusal("PEER_BAD_REPLY", () => decodeSendResult({ answer: "42" }));
    assert.match(error.message, /"answer": "42"/);
  });
});

describe("decoding a stream frame", () => {
  it("reads each of the four members", () => {
    for (const value of [
      { task: task() },
      { message: agentMessage() },
      { statusUpdate: statusUpdate() },
      { artifactUpdate: artifactUpdate({ append: true, lastChunk: true }) },
    ]) {
      assert.deepEqual(decodeStreamResponse(value), value);
    }
  });

  it("takes append and lastChunk as false when they are left out", () => {
    const { append, lastChunk, ...wire } = artifactUpdate();
    assert.deepEqual(decodeStreamResponse({ artifact_update: wire }), {
      artifactUpdate: { ...wire, append, lastChunk },
    });
  });

  it("reads updates without ids (C23)", () => {
    assert.deepEqual(decodeStreamResponse({ statusUpdate: { status: { state: "TASK_STATE_COMPLETED" } } }), {
      statusUpdate: { taskId: "", contextId: "", status: { state: "TASK_STATE_COMPLETED" } },
    });
  });

  it("keeps a last piece without parts", () => {
    const update = { ...artifactUpdate({ append: true, lastChunk: true }), artifact: { artifactId: "reply" } };
    assert.deepEqual(decodeStreamResponse({ artifactUpdate: update }), {
      artifactUpdate: { ...update, artifact: { artifactId: "reply", parts: [] } },
    });
  });

  it("refuses wrong types with the path", () => {
    const cases: [unknown, RegExp][] = [
      [{ task: "x" }, /result\.task must be an object/],
      [{ statusUpdate: {} }, /result\.statusUpdate\.status must be an object/],
      [{ artifactUpdate: {} }, /result\.artifactUpdate\.artifact must be an object/],
      [{ artifactUpdate: { ...artifactUpdate(), append: 1 } }, /result\.artifactUpdate\.append/],
    ];
    for (const [value, problem] of cases) {
      assert.match(refusal("PEER_BAD_REPLY", () => decodeStreamResponse(value)).message, problem);
    }
  });
});
