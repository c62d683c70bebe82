import assert from "node:assert/strict";
import type { EventSink } from "../../../src/engine/event-sink.ts";
import { MAX_BOOK_BYTES, MAX_PUSH_CONFIGS } from "../../../src/engine/push-book.ts";
import { foldPushEvent, type PushConfigsById } from "../../../src/engine/push-event.ts";
import { ALICE, BOB, createEngineRig, type EngineRig } from "../../support/engine-rig.ts";
import type { MemorySink } from "../../support/memory-sink.ts";

const URL = "https://hooks.example.com/";
const HOOK = { id: "a", url: URL, token: "t", authentication: { scheme: "Bearer", credentials: "s3cret" } };

/** A rig whose sink fails while `disk.full` is true. */
function fullDiskRig(): EngineRig & { readonly disk: { full: boolean } } {
  const disk = { full: false };
  const sink = (memory: MemorySink): EventSink => ({
    write: (events) => (disk.full ? Promise.reject(new Error("ENOSPC")) : memory.write(events)),
  });
  return { ...createEngineRig({ sink }), disk };
}

async function finishedTask(rig: EngineRig): Promise<string> {
  const { taskId, run } = await rig.start();
  run.complete();
  await rig.settle();
  return taskId;
}

/** Settles while a change is on its way to the sink. */
async function through<T>(rig: EngineRig, change: Promise<T>): Promise<T> {
  change.catch(() => undefined);
  await rig.settle();
  return change;
}

const kept = ({ engine }: EngineRig, taskId: string): string[] =>
  (engine.push.of(taskId) ?? []).map(({ id, url }) => `${id} ${url}`);

describe("engine: push configs", () => {
  it("count when they are stored, and not before", async () => {
    const rig = createEngineRig();
    const taskId = await finishedTask(rig);
    const change = rig.engine.push.set(ALICE, taskId, HOOK);
    assert.deepEqual(await rig.engine.push.list(ALICE, taskId), []);
    assert.deepEqual(await through(rig, change), { ...HOOK, taskId });
    assert.deepEqual(await rig.engine.push.get(ALICE, taskId, "a"), { ...HOOK, taskId });
    assert.deepEqual(await rig.engine.push.list(ALICE, taskId), [{ ...HOOK, taskId }]);
  });

  it("can be made again from what was stored, without a word of it in the task", async () => {
    const rig = createEngineRig();
    const taskId = await finishedTask(rig);
    const before = JSON.stringify(await rig.engine.get(ALICE, taskId));
    await through(rig, rig.engine.push.set(ALICE, taskId, HOOK));
    await through(rig, rig.engine.push.set(ALICE, taskId, { ...HOOK, id: "b" }));
    await through(rig, rig.engine.push.delete(ALICE, taskId, "a"));
    let folded: PushConfigsById = new Map();
    for (const event of rig.sink.events()) {
      if (event.kind === "push-set" || event.kind === "push-deleted") folded = foldPushEvent(folded, event);
    }
    assert.deepEqual([...folded.values()], await rig.engine.push.list(ALICE, taskId));
    assert.deepEqual([...folded.keys()], ["b"]);
    assert.equal(JSON.stringify(await rig.engine.get(ALICE, taskId)), before);
  });

  it("are told to no observer", async () => {
    const rig = createEngineRig();
    const taskId = await finishedTask(rig);
    const heard = rig.published.length;
    await through(rig, rig.engine.push.set(ALICE, taskId, HOOK));
    assert.equal(rig.published.length, heard);
  });

  it("never happened when they could not be stored", async () => {
    const rig = fullDiskRig();
    const taskId = await finishedTask(rig);
    await through(rig, rig.engine.push.set(ALICE, taskId, HOOK));
    rig.disk.full = true;
    const changes: Promise<unknown>[] = [
      rig.engine.push.set(ALICE, taskId, { ...HOOK, url: `${URL}new` }),
      rig.engine.push.set(ALICE, taskId, { ...HOOK, id: "b" }),
      rig.engine.push.delete(ALICE, taskId, "a"),
    ];
    for (const change of changes) await assert.rejects(through(rig, change), { code: "NOT_STORED" });
    assert.deepEqual(kept(rig, taskId), [`a ${URL}`]);
    rig.disk.full = false;
    for (let n = 1; n < MAX_PUSH_CONFIGS; n++) {
      await through(rig, rig.engine.push.set(ALICE, taskId, { ...HOOK, id: `c${n}` }));
    }
  });

  it("are the owner's alone (P04)", async () => {
    const rig = createEngineRig();
    const taskId = await finishedTask(rig);
    await through(rig, rig.engine.push.set(ALICE, taskId, HOOK));
    const foreign = { code: "TASK_NOT_FOUND" };
    await assert.rejects(rig.engine.push.set(BOB, taskId, HOOK), foreign);
    await assert.rejects(rig.engine.push.delete(BOB, taskId, "a"), foreign);
    await assert.rejects(() => rig.engine.push.get(BOB, taskId, "a"), foreign);
    await assert.rejects(() => rig.engine.push.list(BOB, taskId), foreign);
    assert.deepEqual(kept(rig, taskId), [`a ${URL}`]);
  });

  it("are ten at most, also when all of them are on their way to the sink", async () => {
    const rig = createEngineRig();
    const taskId = await finishedTask(rig);
    const changes = Array.from({ length: MAX_PUSH_CONFIGS }, (_, n) =>
      rig.engine.push.set(ALICE, taskId, { url: `${URL}${n}` }),
    );
    await assert.rejects(rig.engine.push.set(ALICE, taskId, { url: URL }), { code: "INVALID_PARAMS" });
    await through(rig, Promise.all(changes));
    await assert.rejects(rig.engine.push.set(ALICE, taskId, { url: URL }), { code: "INVALID_PARAMS" });
  });

  it("delete what is still on its way to the sink", async () => {
    const rig = createEngineRig();
    const taskId = await finishedTask(rig);
    const made = rig.engine.push.set(ALICE, taskId, HOOK);
    await through(rig, rig.engine.push.delete(ALICE, taskId, "a"));
    await made;
    assert.deepEqual(kept(rig, taskId), []);
  });

  it("take a bounded amount of memory for all tasks together", async () => {
    const rig = createEngineRig();
    const token = "x".repeat(MAX_BOOK_BYTES / 4);
    const tasks = [await finishedTask(rig), await finishedTask(rig)];
    const set = (n: number): Promise<unknown> =>
      through(rig, rig.engine.push.set(ALICE, tasks[n % 2] ?? "", { id: `c${n}`, url: URL, token }));
    for (let n = 0; n < 3; n++) await set(n);
    await assert.rejects(set(3), { code: "BUSY" });
    await through(rig, rig.engine.push.delete(ALICE, tasks[0] ?? "", "c0"));
    await set(3);
  });

  it("go with their task, and give their room back", async () => {
    const rig = createEngineRig({ limits: { maxTasks: 1 } });
    const token = "x".repeat(MAX_BOOK_BYTES / 2);
    for (let round = 0; round < 3; round++) {
      const taskId = await finishedTask(rig);
      await through(rig, rig.engine.push.set(ALICE, taskId, { id: "a", url: URL, token }));
      await finishedTask(rig);
      assert.equal(rig.engine.push.of(taskId), undefined);
    }
  });

  it("that are stored after their task was let go are let go too", async () => {
    let release: () => void = () => undefined;
    const held = { on: false };
    const rig = createEngineRig({
      limits: { maxTasks: 1 },
      sink: (memory) => ({
        async write(events) {
          if (held.on) await new Promise<void>((resolve) => (release = resolve));
          return memory.write(events);
        },
      }),
    });
    const taskId = await finishedTask(rig);
    const next = await rig.start();
    held.on = true;
    next.run.complete();
    await rig.settle();
    const token = "x".repeat(MAX_BOOK_BYTES / 2);
    const change = rig.engine.push.set(ALICE, taskId, { ...HOOK, token });
    held.on = false;
    release();
    await through(rig, change);
    assert.equal(rig.engine.push.of(taskId), undefined);
    await through(rig, rig.engine.push.set(ALICE, next.taskId, { ...HOOK, token }));
  });

  describe("of a message", () => {
    it("are there before the first event of the new task becomes visible (P03)", async () => {
      const rig = createEngineRig();
      const seen: (number | undefined)[] = [];
      rig.engine.observe(({ taskId }) => seen.push(rig.engine.push.of(taskId)?.length));
      const { taskId, run } = await rig.start({ push: HOOK });
      run.working();
      await rig.settle();
      assert.deepEqual(seen, [1, 1]);
      assert.deepEqual(await rig.engine.push.list(ALICE, taskId), [{ ...HOOK, taskId }]);
    });

    it("are stored in one write with the message", async () => {
      const rig = createEngineRig();
      await rig.start({ push: HOOK });
      assert.deepEqual(rig.sink.batches[0]?.map(({ kind }) => kind).sort(), ["push-set", "submitted"]);
    });

    it("are not kept when the message could not be stored", async () => {
      const rig = fullDiskRig();
      rig.disk.full = true;
      const token = "x".repeat(MAX_BOOK_BYTES - 1000);
      for (let round = 0; round < 2; round++) {
        await assert.rejects(rig.submit({ push: { ...HOOK, token } }), { code: "NOT_STORED" });
      }
      rig.disk.full = false;
      await rig.start({ push: { ...HOOK, token } });
    });

    it("belong to the task that the message answers", async () => {
      const rig = createEngineRig();
      const { taskId, run } = await rig.start({ push: HOOK });
      run.ask("which?");
      await rig.settle();
      await rig.submit({ text: { taskId }, push: { url: `${URL}b`, id: "b" } });
      assert.deepEqual(kept(rig, taskId), [`a ${URL}`, `b ${URL}b`]);
      assert.deepEqual(
        rig.sink.batches
          .at(-1)
          ?.map(({ kind }) => kind)
          .sort(),
        ["message", "push-set", "status"],
      );
    });

    it("are not kept when the answer could not be stored", async () => {
      const rig = fullDiskRig();
      const { taskId, run } = await rig.start();
      run.ask("which?");
      await rig.settle();
      rig.disk.full = true;
      await assert.rejects(rig.submit({ text: { taskId }, push: HOOK }), { code: "NOT_STORED" });
      assert.deepEqual(kept(rig, taskId), []);
      assert.equal((await rig.engine.get(ALICE, taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    });

    it("refuse the message when they are one too many, and nothing has changed", async () => {
      const rig = createEngineRig();
      const { taskId, run } = await rig.start();
      run.ask("which?");
      await rig.settle();
      for (let n = 0; n < MAX_PUSH_CONFIGS; n++) {
        await through(rig, rig.engine.push.set(ALICE, taskId, { url: `${URL}${n}` }));
      }
      await assert.rejects(rig.submit({ text: { taskId }, push: HOOK }), { code: "INVALID_PARAMS" });
      assert.equal((await rig.engine.get(ALICE, taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
      const [first] = await rig.engine.push.list(ALICE, taskId);
      await rig.submit({ text: { taskId }, push: { ...HOOK, id: first?.id ?? "" } });
    });

    it("refuse a new task when there is no room for them", async () => {
      const rig = createEngineRig();
      const taskId = await finishedTask(rig);
      const token = "x".repeat(MAX_BOOK_BYTES - 1000);
      await through(rig, rig.engine.push.set(ALICE, taskId, { ...HOOK, token }));
      const tasks = rig.engine.stats().tasks;
      await assert.rejects(rig.submit({ push: { ...HOOK, token } }), { code: "BUSY" });
      assert.equal(rig.engine.stats().tasks, tasks);
    });

    it("change nothing when there is no slot for the message", async () => {
      const rig = createEngineRig({ limits: { maxConcurrent: 1 } });
      await rig.start();
      const token = "x".repeat(MAX_BOOK_BYTES - 1000);
      await assert.rejects(rig.submit({ push: { ...HOOK, token } }), { code: "BUSY" });
      rig.limits = { ...rig.limits, maxConcurrent: 2 };
      await rig.start({ push: { ...HOOK, token } });
    });
  });
});
