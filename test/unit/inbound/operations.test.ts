import assert from "node:assert/strict";
import { A2aError } from "../../../src/core/platform/errors.ts";
import type { StopSignal } from "../../../src/core/platform/stop-signal.ts";
import type { Engine, FirstOutput } from "../../../src/engine/engine-types.ts";
import { createNewWork } from "../../../src/inbound/new-work.ts";
import { createOperations } from "../../../src/inbound/operations.ts";
import { createStreamSlots } from "../../../src/inbound/stream-slots.ts";
import { agentMessage, CONTEXT_ID, completedTask, TASK_ID, task, userMessage } from "../../support/builders.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const CALLER = { key: "local", name: "ip:127.0.0.1" };
const SIGNAL = new AbortController().signal;

const TRACE = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };
const LIMITS = { ratePerMin: 0, maxTurns: 5, chain: { sessionId: "here", maxHops: 4 } };

function operationsOf(engine: Engine, streams = createStreamSlots()) {
  return createOperations(
    engine,
    streams,
    createNewWork(engine, createFakeClock(), () => LIMITS),
  );
}

/** An engine that accepts every message and answers `first` and then `settled`. */
function createEngineDouble(first: FirstOutput) {
  const seen = { closed: 0, detached: [] as boolean[], waits: [] as (StopSignal | undefined)[] };
  const subscription = {
    snapshot: () => task(),
    next: async () => undefined,
    ended: () => "terminal" as const,
    close: () => void seen.closed++,
  };
  const engine: Engine = {
    resend: () => undefined,
    async submit({ detached }) {
      seen.detached.push(detached);
      return { taskId: TASK_ID, contextId: CONTEXT_ID, first: Promise.resolve(first), subscription };
    },
    get: async () => task(),
    json: () => undefined,
    has: () => true,
    list: async () => ({ tasks: [task()], total: 1, more: false }),
    cancel: async () => task("TASK_STATE_CANCELED"),
    subscribe: async () => {
      throw new A2aError("TASK_NOT_FOUND", "none");
    },
    async settled(_owner, _id, signal) {
      seen.waits.push(signal);
      return completedTask();
    },
    recover: async () => undefined,
    push: {
      set: async (_owner, taskId, target) => ({ id: "push-1", ...target, taskId }),
      get: async (_owner, taskId, id) => ({ taskId, id, url: "https://hooks.example.com/" }),
      list: async () => [],
      delete: async () => undefined,
      of: () => undefined,
      told: () => undefined,
      untold: async () => [],
    },
    observe: () => () => undefined,
    running: () => [],
    stats: () => ({ running: 0, waiting: 0, maxConcurrent: 1, tasks: 0, completed: 0, failed: 0 }),
    isQuiet: () => true,
    stop: async () => undefined,
  };
  return { engine, seen };
}

describe("operations", () => {
  const params = { message: userMessage() };

  it("wait for the task with the caller's signal, and hold no events for a caller who reads none", async () => {
    const { engine, seen } = createEngineDouble({ kind: "task" });
    const result = await operationsOf(engine).sendMessage(CALLER, params, TRACE, SIGNAL);
    assert.deepEqual(result, { task: completedTask() });
    assert.deepEqual(seen, { closed: 1, detached: [false], waits: [SIGNAL] });
  });

  it("do not wait when the task is to be returned immediately", async () => {
    const { engine, seen } = createEngineDouble({ kind: "task" });
    const detached = { ...params, configuration: { returnImmediately: true } };
    const result = await operationsOf(engine).sendMessage(CALLER, detached, TRACE, SIGNAL);
    assert.deepEqual(result, { task: task() });
    assert.deepEqual(seen, { closed: 1, detached: [true], waits: [] });
  });

  it("give a direct message, also when the task was to be returned immediately", async () => {
    const { engine } = createEngineDouble({ kind: "message", message: agentMessage() });
    const detached = { ...params, configuration: { returnImmediately: true } };
    const result = await operationsOf(engine).sendMessage(CALLER, detached, TRACE, SIGNAL);
    assert.deepEqual(result, { message: agentMessage() });
  });

  it("give a stream's slot back when the engine refuses it", async () => {
    const { engine } = createEngineDouble({ kind: "task" });
    const full = { ...engine, submit: async () => Promise.reject(new A2aError("BUSY", "full")) };
    const operations = operationsOf(full, createStreamSlots(1));
    for (let round = 0; round < 3; round++) {
      await assert.rejects(operations.sendStreamingMessage(CALLER, params, TRACE), { code: "BUSY" });
      await assert.rejects(operations.subscribeToTask(CALLER, { id: TASK_ID }), { code: "TASK_NOT_FOUND" });
    }
  });
});
