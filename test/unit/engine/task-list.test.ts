import assert from "node:assert/strict";
import { createEngineTable } from "../../../src/engine/engine-table.ts";
import { ALICE, BOB, createEngineRig, type EngineRig } from "../../support/engine-rig.ts";

const ids = async ({ engine }: EngineRig, owner = ALICE, query = {}): Promise<string[]> =>
  (await engine.list(owner, { limit: 100, ...query })).tasks.map(({ id }) => id);

describe("engine: lists", () => {
  it("show a task from its first output on, with what everybody may see", async () => {
    const rig = createEngineRig();
    const { taskId, run } = await rig.start();
    assert.deepEqual(await ids(rig), []);
    run.working();
    await rig.settle();
    assert.deepEqual(await ids(rig), [taskId]);
    run.text("done");
    run.complete();
    await rig.settle();
    const { tasks } = await rig.engine.list(ALICE, { limit: 1 });
    assert.deepEqual(tasks, [await rig.engine.get(ALICE, taskId)]);
  });

  it("show a task that began with an artifact, and one that waits behind its context", async () => {
    const rig = createEngineRig();
    const context = { contextId: "ctx-a" };
    const first = await rig.start({ text: context });
    first.run.text("at once");
    await rig.pass(1);
    const waiting = await rig.submit({ text: { ...context, messageId: "m-2" } });
    assert.deepEqual(await ids(rig), [waiting.taskId, first.taskId]);
    assert.deepEqual(await ids(rig, ALICE, { state: "TASK_STATE_SUBMITTED" }), [waiting.taskId, first.taskId]);
  });

  it("never hold a direct Message, nor what could not be stored", async () => {
    const disk = { full: false };
    const rig = createEngineRig({
      sink: (memory) => ({
        write: (events) => (disk.full ? Promise.reject(new Error("ENOSPC")) : memory.write(events)),
      }),
    });
    const { run } = await rig.start();
    run.reply("hello");
    await rig.settle();
    disk.full = true;
    await assert.rejects(rig.submit());
    assert.deepEqual(await ids(rig), []);
    assert.equal((await rig.engine.list(ALICE, { limit: 1 })).total, 0);
  });

  it("put the latest status first, and count by state and time", async () => {
    const rig = createEngineRig();
    const first = await rig.start();
    first.run.working();
    await rig.pass(10);
    const second = await rig.start();
    second.run.ask("which?");
    await rig.settle();
    assert.deepEqual(await ids(rig), [second.taskId, first.taskId]);
    await rig.pass(10);
    const since = rig.clock.now();
    first.run.complete();
    await rig.settle();
    assert.deepEqual(await ids(rig), [first.taskId, second.taskId]);
    assert.deepEqual(await ids(rig, ALICE, { since }), [first.taskId]);
    assert.deepEqual(await ids(rig, ALICE, { since: since + 1 }), []);
    assert.deepEqual(await ids(rig, ALICE, { state: "TASK_STATE_INPUT_REQUIRED" }), [second.taskId]);
  });

  it("stay at the visible status while a later one is not stored yet", async () => {
    let release: (() => void) | undefined;
    let held = false;
    const rig = createEngineRig({
      sink: (memory) => ({
        async write(events) {
          if (held) await new Promise<void>((resolve) => (release = resolve));
          return memory.write(events);
        },
      }),
    });
    const { taskId, run } = await rig.start();
    run.working();
    await rig.settle();
    held = true;
    run.complete();
    await rig.settle();
    assert.deepEqual(await ids(rig, ALICE, { state: "TASK_STATE_WORKING" }), [taskId]);
    release?.();
    await rig.settle();
    assert.deepEqual(await ids(rig, ALICE, { state: "TASK_STATE_WORKING" }), []);
    assert.deepEqual(await ids(rig, ALICE, { state: "TASK_STATE_COMPLETED" }), [taskId]);
  });

  it("hold nothing of other owners", async () => {
    const rig = createEngineRig();
    const mine = await rig.start();
    mine.run.working();
    const theirs = await rig.start({ caller: BOB });
    theirs.run.working();
    await rig.settle();
    assert.deepEqual(await ids(rig), [mine.taskId]);
    assert.deepEqual(await ids(rig, BOB), [theirs.taskId]);
    assert.deepEqual(await ids(rig, BOB, { contextId: mine.contextId }), []);
  });

  it("let go of tasks with the memory that held them", async () => {
    const rig = createEngineRig({ limits: { maxTasks: 2 } });
    for (let round = 0; round < 5; round++) {
      const { run } = await rig.start({ text: { contextId: "ctx-a" } });
      run.complete();
      await rig.pass(1);
    }
    const { total } = await rig.engine.list(ALICE, { limit: 10 });
    assert.equal(total, rig.engine.stats().tasks);
    assert.ok(total <= 2);
    assert.equal((await rig.engine.list(ALICE, { contextId: "ctx-a", limit: 10 })).total, total);
  });

  it("of several engines are one list", async () => {
    const [old, fresh] = [createEngineRig(), createEngineRig()];
    const table = createEngineTable(fresh.engine, [old.engine]);
    const started: string[] = [];
    for (const rig of [old, fresh, old, fresh, old]) {
      const { run, taskId } = await rig.start();
      run.complete();
      for (const both of [old, fresh]) await both.pass(1);
      // Both engines count their ids from one.
      started.unshift(`${rig === old ? "old" : "new"} ${taskId}`);
    }
    const olds = await old.engine.list(ALICE, { limit: 10 });
    const name = (task: { id: string }): string => {
      const mine = olds.tasks.some((other) => other === task);
      return `${mine ? "old" : "new"} ${task.id}`;
    };
    const page = await table.list(ALICE, { limit: 3 });
    assert.deepEqual(page.tasks.map(name), started.slice(0, 3));
    assert.deepEqual([page.total, page.more], [5, true]);
    const last = page.tasks.at(-1);
    const after = { at: Date.parse(last?.status.timestamp ?? ""), id: last?.id ?? "" };
    const rest = await table.list(ALICE, { limit: 3, after });
    assert.deepEqual(rest.tasks.map(name), started.slice(3));
    assert.deepEqual([rest.total, rest.more], [5, false]);
    const idle = createEngineTable(createEngineRig().engine, [old.engine]);
    assert.deepEqual(
      [(await idle.list(ALICE, { limit: 1 })).more, (await idle.list(ALICE, { limit: 3 })).more],
      [true, false],
    );
  });
});
