import assert from "node:assert/strict";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { type EventSink, noBodies } from "../../../src/engine/event-sink.ts";
import { userMessage } from "../../support/builders.ts";
import { ALICE, createEngineRig, labels, readAll } from "../../support/engine-rig.ts";
import type { MemorySink } from "../../support/memory-sink.ts";

const limits = { replyTimeoutMs: 300_000, asyncTimeoutMs: 3_600_000 };

describe("engine: stopping", () => {
  it("fails running, waiting and asking tasks with the reason, and its readers see it", async () => {
    const { start, submit, settle, engine, clock } = createEngineRig({ limits });
    const running = await start();
    running.run.working();
    const waiting = await submit({ text: { contextId: running.contextId } });
    const asking = await start();
    asking.run.ask("which?");
    await settle();
    const stopping = engine.stop("the session is closing");
    await settle();
    await stopping;
    for (const { taskId, subscription } of [running, waiting, asking]) {
      const { status } = await engine.get(ALICE, taskId);
      assert.equal(status.state, "TASK_STATE_FAILED");
      assert.deepEqual(status.message?.parts, [{ text: "the session is closing" }]);
      assert.equal(labels(await readAll(subscription)).at(-1), "failed");
      assert.equal(subscription.ended(), "terminal");
    }
    assert.deepEqual([engine.stats().running, engine.stats().waiting], [0, 0]);
    assert.equal(clock.pending(), 0);
  });

  it("refuses new work from the first moment on", async () => {
    const { submit, engine, settle } = createEngineRig();
    const stopping = engine.stop("closing");
    await assert.rejects(submit(), (error) => isA2aError(error, "SHUTTING_DOWN"));
    await settle();
    await stopping;
    await assert.rejects(submit(), (error) => isA2aError(error, "SHUTTING_DOWN"));
  });

  it("waits for runners, at most the grace, and keeps what they hand over", async () => {
    const { start, settle, pass, engine, clock, log } = createEngineRig({ limits });
    const slow = await start();
    const deaf = await start();
    for (const { run } of [slow, deaf]) {
      run.working();
      run.ignoreAbort();
    }
    await settle();
    let stopped = false;
    const stopping = engine.stop("closing").then(() => {
      stopped = true;
    });
    slow.run.text("so far");
    slow.run.complete();
    await pass(1499);
    assert.equal(stopped, false);
    await pass(1);
    await stopping;
    assert.deepEqual((await engine.get(ALICE, slow.taskId)).artifacts?.[0]?.parts, [{ text: "so far" }]);
    assert.equal((await engine.get(ALICE, deaf.taskId)).status.state, "TASK_STATE_FAILED");
    assert.equal(engine.stats().running, 0);
    assert.equal(clock.pending(), 0);
    assert.match(
      log
        .lines()
        .map(({ text }) => text)
        .join("\n"),
      /does not stop/,
    );
    deaf.run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, deaf.taskId)).status.state, "TASK_STATE_FAILED");
  });

  it("does not wait longer for a run that was cancelled before", async () => {
    const { start, settle, pass, engine, clock } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    run.ignoreAbort();
    await settle();
    const canceling = engine.cancel(ALICE, taskId);
    await pass(100);
    const stopping = engine.stop("closing");
    await pass(1500);
    await stopping;
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
    assert.equal(clock.pending(), 0);
  });

  it("settles a message that was on its way to the sink", async () => {
    const { engine, settle, clock, runner } = createEngineRig({ limits });
    const submitting = engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    const stopping = engine.stop("closing");
    await settle();
    await stopping;
    const { taskId, first } = await submitting;
    assert.deepEqual(await first, { kind: "task" });
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    assert.equal(runner.runs.length, 0);
    assert.equal(clock.pending(), 0);
  });

  it("ends although the sink hangs: messages are refused, tasks fail, waits end", async () => {
    let hang = false;
    const sink = (): EventSink => ({
      write: () => (hang ? new Promise(() => undefined) : Promise.resolve(noBodies())),
    });
    const { engine, start, pass, settle, clock } = createEngineRig({ sink, limits });
    const { taskId, run, subscription } = await start();
    run.working();
    await settle();
    hang = true;
    const settled = engine.settled(ALICE, taskId);
    const submitting = engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    const refused = assert.rejects(submitting, (error) => isA2aError(error, "NOT_STORED"));
    const stopping = engine.stop("closing");
    for (let n = 0; n < 3; n++) await pass(1500);
    await stopping;
    await refused;
    assert.equal((await settled).status.state, "TASK_STATE_FAILED");
    await readAll(subscription);
    assert.equal(subscription.ended(), "terminal");
    assert.equal(clock.pending(), 0);
  });

  it("shows nothing of a message whose acceptance fails while the engine stops", async () => {
    let fail: () => void = () => undefined;
    const sink = (memory: MemorySink): EventSink => ({
      write: (events) =>
        memory.batches.length === 0
          ? new Promise((_, reject) => {
              fail = () => reject(new Error("EIO"));
              void memory.write([]);
            })
          : memory.write(events),
    });
    const { engine, settle, published, sink: memory, clock } = createEngineRig({ sink, limits });
    const submitting = engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    const refused = assert.rejects(submitting, (error) => isA2aError(error, "NOT_STORED"));
    await settle();
    const stopping = engine.stop("closing");
    await settle();
    fail();
    await settle();
    await stopping;
    await refused;
    assert.deepEqual(published, []);
    assert.deepEqual(memory.events(), []);
    assert.equal(clock.pending(), 0);
  });

  it("stops once, however often it is asked", async () => {
    const { engine, settle } = createEngineRig();
    const one = engine.stop("first");
    const two = engine.stop("second");
    assert.equal(one, two);
    await settle();
    await one;
  });

  it("goes on answering what became of its tasks", async () => {
    const { engine, start, settle } = createEngineRig();
    const { taskId, run } = await start();
    run.complete();
    await settle();
    const stopping = engine.stop("closing");
    await settle();
    await stopping;
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    assert.equal((await engine.settled(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    await assert.rejects(engine.cancel(ALICE, taskId), (error) => isA2aError(error, "TASK_NOT_CANCELABLE"));
  });
});
