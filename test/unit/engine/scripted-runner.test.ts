// The runner of the conformance suite's scripts, on the real engine: what each message id prefix makes of a task.

import assert from "node:assert/strict";
import { createLog } from "../../../src/core/platform/log.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import { createNullSink } from "../../../src/engine/event-sink.ts";
import { userMessage } from "../../support/builders.ts";
import { createCountIds } from "../../support/count-ids.ts";
import { ALICE, GENEROUS_LIMITS } from "../../support/engine-rig.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createPrefixRunner } from "../../support/scripted-runner.ts";

function scriptedEngine() {
  const clock = createFakeClock();
  const ids = createCountIds();
  const parts = { clock, ids, log: createLog(clock, ids.token), sink: createNullSink() };
  const engine = createEngine({ ...parts, runner: createPrefixRunner(clock), limits: () => GENEROUS_LIMITS });
  const turns = async (ms = 0): Promise<void> => {
    for (let n = 0; n < 8; n++) {
      clock.flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
    clock.tick(ms);
  };
  const send = async (messageId: string) => {
    const submitting = engine.submit({ caller: ALICE, message: userMessage({ messageId }), detached: false });
    await turns();
    return submitting;
  };
  return { engine, send, turns };
}

describe("scripted runner", () => {
  const parts = [
    ["tck-artifact-text", { text: "Generated text content" }],
    ["tck-artifact-file", { raw: "dGNr", filename: "output.txt", mediaType: "text/plain" }],
    [
      "tck-artifact-file-url",
      { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" },
    ],
    ["tck-artifact-data", { data: { key: "value", count: 42 } }],
    ["tck-stream-artifact-chunked", { text: "chunk-1 chunk-2" }],
  ] as const;
  for (const [prefix, part] of parts) {
    it(`completes with the artifact of the longest prefix: ${prefix}`, async () => {
      const { engine, send } = scriptedEngine();
      const { taskId } = await send(`${prefix}-1a2b3c4d`);
      const task = await engine.get(ALICE, taskId);
      assert.equal(task.status.state, "TASK_STATE_COMPLETED");
      assert.deepEqual(task.artifacts?.[0]?.parts, [part]);
    });
  }

  it("completes, asks and rejects by prefix, and completes anything else", async () => {
    const { engine, send } = scriptedEngine();
    const states = [
      ["tck-complete-task-1", "COMPLETED"],
      ["tck-input-required-1", "INPUT_REQUIRED"],
      ["tck-reject-task-1", "REJECTED"],
      ["anything", "COMPLETED"],
    ] as const;
    for (const [messageId, state] of states) {
      const { taskId } = await send(messageId);
      assert.equal((await engine.get(ALICE, taskId)).status.state, `TASK_STATE_${state}`);
    }
  });

  it("answers with a direct Message", async () => {
    const { send } = scriptedEngine();
    const first = await (await send("tck-message-response-1")).first;
    assert.deepEqual(first.kind === "message" && first.message.parts, [{ text: "Direct message response" }]);
  });

  it("works for a while where the suite subscribes again, and stops when it is cancelled", async () => {
    const { engine, send, turns } = scriptedEngine();
    const { taskId } = await send("test-resubscribe-message-id-1");
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    await turns(4_000);
    await turns();
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    const other = await send("test-resubscribe-message-id-2");
    const canceling = engine.cancel(ALICE, other.taskId);
    await turns();
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
  });
});
