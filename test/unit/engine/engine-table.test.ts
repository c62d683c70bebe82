import assert from "node:assert/strict";
import { A2aError } from "../../../src/core/platform/errors.ts";
import { createEngineTable } from "../../../src/engine/engine-table.ts";
import type { Engine, EngineStats, SubmitRequest } from "../../../src/engine/engine-types.ts";
import { task, textMessage } from "../../support/builders.ts";

const CALLER = { key: "local", name: "ip:127.0.0.1" };
const STATS: EngineStats = { running: 1, waiting: 0, maxConcurrent: 3, tasks: 2, completed: 1, failed: 0 };

/** An engine that knows one task and tells what it was asked. */
function engineWith(taskId: string, asked: string[]): Engine {
  const note = (what: string): void => void asked.push(`${taskId} ${what}`);
  const known = (id: string) => {
    if (id !== taskId) throw new A2aError("TASK_NOT_FOUND", `no task ${id}`);
    return task("TASK_STATE_WORKING", { id });
  };
  const engine = {
    resend: ({ message }: SubmitRequest) =>
      message.messageId === `sent to ${taskId}` ? Promise.resolve({ taskId }) : undefined,
    submit: async ({ message }: SubmitRequest) => note(`submit ${message.taskId ?? "new"}`),
    get: async (_owner: unknown, id: string) => known(id),
    has: (_owner: unknown, id: string) => id === taskId,
    cancel: async (_owner: unknown, id: string) => {
      note("cancel");
      return known(id);
    },
    running: () => [{ taskId }],
    stats: () => STATS,
    stop: async (reason: string) => note(`stop ${reason}`),
  };
  return engine as unknown as Engine;
}

describe("engine table", () => {
  it("gives new work to the newest engine and answers to the one that asked", async () => {
    const asked: string[] = [];
    const table = createEngineTable(engineWith("new", asked), [engineWith("old", asked)]);
    await table.submit({ caller: CALLER, message: textMessage("x"), detached: false });
    await table.submit({ caller: CALLER, message: textMessage("x", { taskId: "old" }), detached: false });
    await table.submit({ caller: CALLER, message: textMessage("x", { taskId: "unknown" }), detached: false });
    assert.deepEqual(asked, ["new submit new", "old submit old", "new submit unknown"]);
  });

  it("reads and cancels a task wherever it lives, also behind another table", async () => {
    const asked: string[] = [];
    const older = createEngineTable(engineWith("old", asked), [engineWith("oldest", asked)]);
    const table = createEngineTable(engineWith("new", asked), [older]);
    assert.equal((await table.get(CALLER, "oldest")).id, "oldest");
    assert.deepEqual([table.has(CALLER, "oldest"), table.has(CALLER, "nobody's")], [true, false]);
    await table.cancel(CALLER, "old");
    assert.deepEqual(asked, ["old cancel"]);
    await assert.rejects(table.get(CALLER, "nobody's"), /no task/);
  });

  it("leads a message that comes again to the engine that has it, also behind another table", async () => {
    const older = createEngineTable(engineWith("old", []), [engineWith("oldest", [])]);
    const table = createEngineTable(engineWith("new", []), [older]);
    const again = (messageId: string) =>
      table.resend({ caller: CALLER, message: textMessage("x", { messageId }), detached: false });
    for (const id of ["new", "old", "oldest"]) assert.equal((await again(`sent to ${id}`))?.taskId, id);
    assert.equal(again("sent to nobody"), undefined);
  });

  it("counts all of them and stops all of them", async () => {
    const asked: string[] = [];
    const table = createEngineTable(engineWith("new", asked), [engineWith("old", asked)]);
    assert.deepEqual(table.stats(), { ...STATS, running: 2, tasks: 4, completed: 2 });
    assert.equal(table.running().length, 2);
    await table.stop("quit");
    assert.deepEqual(asked.sort(), ["new stop quit", "old stop quit"]);
  });
});
