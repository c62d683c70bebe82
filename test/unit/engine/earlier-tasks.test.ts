import assert from "node:assert/strict";
import type { RunRequest } from "../../../src/core/ports.ts";
import type { Task } from "../../../src/core/protocol/types.ts";
import { ALICE, BOB, createEngineRig, type EngineRig } from "../../support/engine-rig.ts";

async function read({ earlier }: RunRequest): Promise<Task[]> {
  const tasks: Task[] = [];
  for await (const task of earlier?.() ?? []) tasks.push(task);
  return tasks;
}

const ids = async (request: RunRequest): Promise<string[]> => (await read(request)).map(({ id }) => id);

/** Runs a task of the context to its end. */
async function done(rig: EngineRig, text: string, fields: Parameters<EngineRig["start"]>[0] = {}) {
  const { text: message, ...rest } = fields;
  const task = await rig.start({ ...rest, text: { contextId: "c", parts: [{ text }], ...message } });
  task.run.text(`re: ${text}`);
  task.run.complete();
  await rig.settle();
  return task;
}

describe("engine: earlier tasks of a conversation", () => {
  it("are given to a run, whole and newest first", async () => {
    const rig = createEngineRig();
    const one = await done(rig, "one");
    rig.clock.tick(1);
    const two = await done(rig, "two");
    rig.clock.tick(1);
    const { run } = await rig.start({ text: { contextId: "c" } });
    const tasks = await read(run.request);
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [two.taskId, one.taskId],
    );
    assert.deepEqual(tasks[0]?.artifacts?.[0]?.parts, [{ text: "re: two" }]);
    assert.deepEqual(tasks[0]?.history?.[0]?.parts, [{ text: "two" }]);
  });

  it("are only those of this caller and this context", async () => {
    const rig = createEngineRig();
    await done(rig, "bob's", { caller: BOB });
    await done(rig, "elsewhere", { text: { contextId: "d" } });
    const own = await done(rig, "own");
    const { run } = await rig.start({ text: { contextId: "c" } });
    assert.deepEqual(await ids(run.request), [own.taskId]);
  });

  it("are none for the first task of a context", async () => {
    const { start } = createEngineRig();
    const { run } = await start();
    assert.equal(run.request.earlier, undefined);
  });

  it("do not include those that wait behind the run, nor those that were never worked on", async () => {
    const rig = createEngineRig();
    const first = await done(rig, "first");
    await rig.submit({ text: { contextId: "c" }, refused: "too many turns" });
    const { run } = await rig.start({ text: { contextId: "c" } });
    await rig.submit({ text: { contextId: "c" } });
    assert.deepEqual(await ids(run.request), [first.taskId]);
  });

  it("include one that failed, one that was canceled and one that asks", async () => {
    const rig = createEngineRig();
    let serial = 0;
    const started = async () => {
      rig.clock.tick(1);
      serial += 1;
      return rig.start({ text: { contextId: "c", messageId: `m-${serial}` } });
    };
    const failed = await started();
    failed.run.fail("broken");
    await rig.settle();
    const canceled = await started();
    canceled.run.working();
    await rig.settle();
    const canceling = rig.engine.cancel(ALICE, canceled.taskId);
    await rig.settle();
    await canceling;
    const asks = await started();
    asks.run.ask("which?");
    await rig.settle();
    const { run } = await started();
    assert.deepEqual(await ids(run.request), [asks.taskId, canceled.taskId, failed.taskId]);
  });

  it("are there for an answer, too, without the task itself", async () => {
    const rig = createEngineRig();
    const first = await done(rig, "first");
    const asks = await rig.start({ text: { contextId: "c" } });
    asks.run.ask("which?");
    await rig.settle();
    const { run } = await rig.start({ text: { taskId: asks.taskId } });
    assert.equal(run.request.resumes, true);
    assert.deepEqual(await ids(run.request), [first.taskId]);
  });
});
