import assert from "node:assert/strict";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import type { Task } from "../../../src/core/protocol/types.ts";
import type { EventSink, StoredEvent } from "../../../src/engine/event-sink.ts";
import type { TaskEvent } from "../../../src/engine/task-event.ts";
import { foldEvent } from "../../../src/engine/task-fold.ts";
import { userMessage } from "../../support/builders.ts";
import { ALICE, createEngineRig, type EngineRig, labels, readAll } from "../../support/engine-rig.ts";
import type { MemorySink } from "../../support/memory-sink.ts";

/** A rig whose sink fails while `disk.full` is true. */
function fullDiskRig(): EngineRig & { readonly disk: { full: boolean } } {
  const disk = { full: false };
  const sink = (memory: MemorySink): EventSink => ({
    write: (events) => (disk.full ? Promise.reject(new Error("ENOSPC")) : memory.write(events)),
  });
  return { ...createEngineRig({ sink }), disk };
}

function foldStored(events: readonly StoredEvent[], taskId: string): Task | undefined {
  let task: Task | undefined;
  for (const event of events) {
    if (event.taskId === taskId && isTaskEvent(event)) task = foldEvent(task, event);
  }
  return task;
}

function isTaskEvent(event: StoredEvent): event is TaskEvent {
  return event.kind !== "direct-reply" && event.kind !== "push-set" && event.kind !== "push-deleted";
}

describe("engine: storing", () => {
  it("tells nobody of an event before it is stored", async () => {
    let release: () => void = () => undefined;
    let held = false;
    const sink = (memory: MemorySink): EventSink => ({
      async write(events) {
        if (held) await new Promise<void>((resolve) => (release = resolve));
        return memory.write(events);
      },
    });
    const { start, settle, engine, published } = createEngineRig({ sink });
    const { taskId, subscription, run } = await start();
    run.working();
    await settle();
    await subscription.next();
    held = true;
    run.complete();
    await settle();
    let read = false;
    const reading = subscription.next().then((event) => {
      read = true;
      return event;
    });
    const settled = engine.settled(ALICE, taskId);
    await settle();
    assert.equal(read, false);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    assert.deepEqual(labels(published), ["submitted", "working"]);
    release();
    assert.equal((await settled).status.state, "TASK_STATE_COMPLETED");
    assert.equal((await reading)?.kind, "status");
  });

  it("writes the events of one turn as one batch", async () => {
    const { start, settle, sink } = createEngineRig();
    const { run } = await start();
    const before = sink.batches.length;
    run.working();
    run.metadata({ a: 1 });
    run.text("done");
    await settle();
    assert.deepEqual(
      sink.batches.slice(before).map((batch) => batch.length),
      [3],
    );
  });

  it("publishes live text in order without storing it, and stores the whole artifact with its last piece", async () => {
    const { start, settle, sink, published, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    run.text("Hel", { provisional: true });
    run.text("lo ", { provisional: true, append: true });
    await settle();
    assert.deepEqual((await engine.get(ALICE, taskId)).artifacts, [
      { artifactId: "reply", parts: [{ text: "Hello " }] },
    ]);
    run.text("you", { append: true });
    run.complete();
    await settle();
    assert.deepEqual(labels(published).slice(2), ["artifact reply", "artifact reply", "artifact reply", "completed"]);
    const stored = sink.events().filter((event) => event.kind === "artifact");
    assert.deepEqual(
      stored.map((event) => event.artifact.parts),
      [[{ text: "Hello you" }]],
    );
    assert.deepEqual(
      stored.map((event) => event.append),
      [false],
    );
    assert.deepEqual(foldStored(sink.events(), taskId), await engine.get(ALICE, taskId));
  });

  for (const end of ["complete", "fail", "ask", "cancel"] as const) {
    it(`stores live text that nobody completed before the task goes on to: ${end}`, async () => {
      const { start, settle, sink, published, engine } = createEngineRig();
      const { taskId, run } = await start();
      run.text("first", { provisional: true });
      run.text("half a sen", { provisional: true });
      run[end]("why");
      await settle();
      assert.deepEqual(foldStored(sink.events(), taskId), await engine.get(ALICE, taskId));
      const endsBadly = end === "fail" || end === "cancel";
      assert.equal(published.filter(({ kind }) => kind === "artifact").length, endsBadly ? 3 : 2);
      assert.equal(sink.events().filter(({ kind }) => kind === "artifact").length, 1);
    });
  }

  it("gives a snapshot with the live text so far, so that a late reader misses nothing", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.text("Hello ", { provisional: true });
    await settle();
    const late = await engine.subscribe(ALICE, taskId);
    run.text("you", { provisional: true, append: true });
    run.complete();
    await settle();
    let task: Task | undefined = late.snapshot();
    for (const event of await readAll(late)) task = foldEvent(task, event);
    assert.deepEqual(task, await engine.get(ALICE, taskId));
    assert.deepEqual(task?.artifacts?.[0]?.parts, [{ text: "Hello you" }]);
  });
});

describe("engine: a sink that fails", () => {
  it("refuses a message that could not be stored, starts nothing and keeps nothing (T09) [send-not-stored]", async () => {
    const { submit, engine, runner, published, disk, settle, start } = fullDiskRig();
    disk.full = true;
    await assert.rejects(submit(), (error) => isA2aError(error, "NOT_STORED"));
    assert.equal(runner.runs.length, 0);
    assert.deepEqual([engine.stats().running, engine.stats().tasks], [0, 0]);
    assert.deepEqual(published, []);
    disk.full = false;
    await settle();
    await start();
  });

  it("refuses every message of the batch, also those that wait behind one another", async () => {
    const { engine, settle, disk, runner, start } = fullDiskRig();
    disk.full = true;
    const message = userMessage({ contextId: "ctx" });
    const submissions = [1, 2, 3].map(() => engine.submit({ caller: ALICE, message, detached: false }));
    const results = Promise.allSettled(submissions);
    await settle();
    for (const result of await results)
      assert.ok(result.status === "rejected" && isA2aError(result.reason, "NOT_STORED"));
    assert.deepEqual([engine.stats().running, engine.stats().waiting, runner.runs.length], [0, 0, 0]);
    disk.full = false;
    await start({ text: { contextId: "ctx" } });
  });

  it("fails an acknowledged task whose output could not be stored, and aborts its run (T09)", async () => {
    const { start, settle, engine, published, disk } = fullDiskRig();
    const { taskId, run, subscription } = await start();
    run.working();
    await settle();
    disk.full = true;
    run.text("lost");
    await settle();
    const task = await engine.get(ALICE, taskId);
    assert.equal(task.status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(task.status.message), /could not be stored/);
    assert.equal(task.artifacts, undefined);
    assert.ok(run.request.signal.aborted);
    assert.deepEqual(labels(published), ["submitted", "working", "failed"]);
    assert.deepEqual(labels(await readAll(subscription)), ["working", "failed"]);
    assert.equal(engine.stats().running, 0);
  });

  it("fails a task whose end could not be stored, so nobody takes it for completed", async () => {
    const { start, settle, engine, disk, sink } = fullDiskRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    const settled = engine.settled(ALICE, taskId);
    disk.full = true;
    run.complete();
    await settle();
    assert.equal((await settled).status.state, "TASK_STATE_FAILED");
    assert.equal(foldStored(sink.events(), taskId)?.status.state, "TASK_STATE_WORKING");
  });

  it("shows a task as failed when its first output could not be stored, so `first` settles", async () => {
    for (const end of ["working", "reply"] as const) {
      const { start, settle, engine, disk } = fullDiskRig();
      const { taskId, first, run } = await start();
      disk.full = true;
      run[end]("x");
      await settle();
      assert.deepEqual(await first, { kind: "task" });
      assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    }
  });

  it("keeps the question open when an answer could not be stored", async () => {
    const { start, submit, settle, engine, disk, runner } = fullDiskRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    disk.full = true;
    await assert.rejects(submit({ text: { taskId } }), (error) => isA2aError(error, "NOT_STORED"));
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.equal((await engine.get(ALICE, taskId)).history?.length, 1);
    assert.deepEqual([engine.stats().running, runner.runs.length], [0, 1]);
    disk.full = false;
    const again = await start({ text: { taskId } });
    again.run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
  });

  it("refuses an answer to a question that could not be stored", async () => {
    const { start, settle, engine, disk, runner } = fullDiskRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    disk.full = true;
    run.ask("which?");
    await new Promise((resolve) => setImmediate(resolve));
    const answering = engine.submit({ caller: ALICE, message: userMessage({ taskId }), detached: false });
    const refused = assert.rejects(answering, (error) => isA2aError(error, "NOT_STORED"));
    await settle();
    await refused;
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    assert.deepEqual([engine.stats().running, runner.runs.length], [0, 1]);
  });

  it("ends a task that was cancelled while its answer could not be stored", async () => {
    const { start, settle, engine, disk } = fullDiskRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    disk.full = true;
    const answering = engine.submit({ caller: ALICE, message: userMessage({ taskId }), detached: false });
    const refused = assert.rejects(answering, (error) => isA2aError(error, "NOT_STORED"));
    const canceling = engine.cancel(ALICE, taskId).catch((error: unknown) => error);
    await settle();
    await refused;
    assert.ok(isA2aError(await canceling, "TASK_NOT_CANCELABLE"));
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
  });

  it("never stores what was decided after a lost event", async () => {
    let fail: () => void = () => undefined;
    let hold = false;
    const sink = (memory: MemorySink): EventSink => ({
      async write(events) {
        if (hold) {
          hold = false;
          await new Promise<void>((_, reject) => (fail = () => reject(new Error("EIO"))));
        }
        return memory.write(events);
      },
    });
    const rig = createEngineRig({ sink });
    const { taskId, run } = await rig.start();
    run.working();
    await rig.settle();
    hold = true;
    run.text("lost");
    await rig.settle();
    run.complete();
    await rig.settle();
    fail();
    await rig.settle();
    assert.equal((await rig.engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    assert.equal(foldStored(rig.sink.events(), taskId)?.status.state, "TASK_STATE_FAILED");
    assert.equal(foldStored(rig.sink.events(), taskId)?.artifacts, undefined);
  });

  it("lets tasks go on that had nothing in the failed batch", async () => {
    const { start, settle, engine, disk } = fullDiskRig();
    const quiet = await start();
    quiet.run.working();
    const loud = await start();
    loud.run.working();
    await settle();
    disk.full = true;
    loud.run.working("note");
    quiet.run.text("live", { provisional: true });
    await settle();
    disk.full = false;
    quiet.run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, loud.taskId)).status.state, "TASK_STATE_FAILED");
    assert.equal((await engine.get(ALICE, quiet.taskId)).status.state, "TASK_STATE_COMPLETED");
  });
});
