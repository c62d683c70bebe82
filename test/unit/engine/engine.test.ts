import assert from "node:assert/strict";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import type { Task } from "../../../src/core/protocol/types.ts";
import { foldEvent } from "../../../src/engine/task-fold.ts";
import { ALICE, BOB, createEngineRig, labels, readAll } from "../../support/engine-rig.ts";

describe("engine: reading and following tasks", () => {
  it("shows a task to its owner only; foreign and unknown ids give the same error", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    const messages: string[] = [];
    for (const id of [taskId, "task-ffffffffffffffff"]) {
      assert.equal(engine.has(BOB, id), false);
      await assert.rejects(engine.get(BOB, id), (error) => {
        assert.ok(isA2aError(error, "TASK_NOT_FOUND"));
        messages.push(error.message.replace(id, "ID"));
        return true;
      });
    }
    assert.equal(engine.has(ALICE, taskId), true);
    assert.equal(messages[0], messages[1]);
    await assert.rejects(
      () => engine.subscribe(BOB, taskId),
      (error) => isA2aError(error, "TASK_NOT_FOUND"),
    );
    await assert.rejects(engine.settled(BOB, taskId), (error) => isA2aError(error, "TASK_NOT_FOUND"));
  });

  it("cuts an unknown id in its error", async () => {
    const { engine } = createEngineRig();
    await assert.rejects(
      () => engine.get(ALICE, "x".repeat(100_000)),
      (error) => isA2aError(error) && error.message.length < 200,
    );
  });

  it("gives every subscriber the snapshot and all later events in the same order (T04)", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, subscription, run } = await start();
    run.working();
    await settle();
    const second = await engine.subscribe(ALICE, taskId);
    run.text("a");
    run.working("note");
    await settle();
    const third = await engine.subscribe(ALICE, taskId);
    run.complete();
    await settle();
    const [all, later, last] = [await readAll(subscription), await readAll(second), await readAll(third)];
    assert.deepEqual(labels(all), ["working", "artifact reply", "working", "completed"]);
    assert.deepEqual(later, all.slice(1));
    assert.deepEqual(last, all.slice(3));
    const end = await engine.get(ALICE, taskId);
    for (const [feed, events] of [
      [subscription, all],
      [second, later],
      [third, last],
    ] as const) {
      assert.deepEqual(events.reduce<Task>(foldEvent, feed.snapshot()), end);
      assert.equal(feed.ended(), "terminal");
    }
  });

  it("stays open through a question until the task ends", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    const subscription = await engine.subscribe(ALICE, taskId);
    const answer = await start({ text: { taskId } });
    answer.run.complete();
    await settle();
    assert.deepEqual(labels(await readAll(subscription)), ["message", "working", "completed"]);
  });

  it("touches neither the task nor other subscribers when one closes (T05)", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, subscription, run } = await start();
    run.working();
    await settle();
    const other = await engine.subscribe(ALICE, taskId);
    await subscription.next();
    subscription.close();
    run.text("a");
    await settle();
    assert.equal(run.request.signal.aborted, false);
    const again = await engine.subscribe(ALICE, taskId);
    run.complete();
    await settle();
    assert.equal(await subscription.next(), undefined);
    assert.equal(subscription.ended(), "closed");
    assert.deepEqual(labels(await readAll(other)), ["artifact reply", "completed"]);
    assert.deepEqual(labels(await readAll(again)), ["completed"]);
  });

  it("ends a reader that does not read, and nobody else", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, subscription, run } = await start();
    run.working();
    await settle();
    const reader = await engine.subscribe(ALICE, taskId);
    let read = 0;
    const reading = (async () => {
      while ((await reader.next()) !== undefined) read += 1;
    })();
    const piece = "x".repeat(256 * 1024);
    for (let n = 0; n < 40; n++) {
      run.text(piece, { provisional: true });
      await settle();
    }
    run.complete();
    await settle();
    await reading;
    assert.equal(read, 41);
    assert.equal(reader.ended(), "terminal");
    assert.equal(await subscription.next(), undefined);
    assert.equal(subscription.ended(), "overflow");
  });

  it("refuses to subscribe to a task that has ended (W12)", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.complete();
    await settle();
    await assert.rejects(
      () => engine.subscribe(ALICE, taskId),
      (error) => isA2aError(error, "UNSUPPORTED_OPERATION"),
    );
  });

  it("gives snapshot and terminal state, or the error, at any moment around the end (T03)", async () => {
    const { start, settle, engine, clock } = createEngineRig({ limits: { maxTasks: 20 } });
    let subscribed = 0;
    let refused = 0;
    for (let n = 0; n < 500; n++) {
      const { taskId, subscription: own, run } = await start();
      run.working();
      await settle();
      run.complete();
      // Each step is one of the moments between the outcome and its being visible to everybody.
      const steps = n % 7;
      for (let step = 0; step < steps; step++) {
        if (step === 3) clock.flush();
        await Promise.resolve();
      }
      try {
        const subscription = await engine.subscribe(ALICE, taskId);
        assert.equal(subscription.snapshot().status.state, "TASK_STATE_WORKING");
        await settle();
        assert.deepEqual(labels(await readAll(subscription)), ["completed"]);
        assert.equal(subscription.ended(), "terminal");
        subscribed += 1;
      } catch (error) {
        assert.ok(isA2aError(error, "UNSUPPORTED_OPERATION"), String(error));
        refused += 1;
      }
      await settle();
      assert.deepEqual(labels(await readAll(own)), ["working", "completed"]);
    }
    assert.ok(subscribed > 0 && refused > 0, `${subscribed} subscribed, ${refused} refused`);
  });

  it("ends a wait with the state that was really reached (T02)", async () => {
    for (const [end, state] of [
      ["ask", "INPUT_REQUIRED"],
      ["askLogin", "AUTH_REQUIRED"],
      ["complete", "COMPLETED"],
      ["fail", "FAILED"],
    ] as const) {
      const { start, settle, engine } = createEngineRig();
      const { taskId, run } = await start();
      run.working();
      await settle();
      const before = engine.settled(ALICE, taskId);
      run[end]("x");
      await settle();
      assert.equal((await before).status.state, `TASK_STATE_${state}`);
      assert.equal((await engine.settled(ALICE, taskId)).status.state, `TASK_STATE_${state}`);
    }
  });

  it("ends a wait by its signal without touching the task", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    const stop = new AbortController();
    const waiting = engine.settled(ALICE, taskId, stop.signal);
    stop.abort();
    await assert.rejects(waiting, (error) => isA2aError(error, "CANCELLED"));
    assert.equal(run.request.signal.aborted, false);
  });

  it("tells observers of every task until they stop hearing, whatever one of them throws", async () => {
    const { start, settle, engine, published, log } = createEngineRig();
    const heard: string[] = [];
    engine.observe(() => {
      throw new Error("broken display");
    });
    const stop = engine.observe((event) => heard.push(event.taskId));
    const first = await start();
    first.run.working();
    await settle();
    stop();
    first.run.complete();
    await settle();
    assert.deepEqual(heard, [first.taskId, first.taskId]);
    assert.deepEqual(labels(published), ["submitted", "working", "completed"]);
    assert.match(log.lines()[0]?.text ?? "", /engine observer: broken display/);
  });

  it("counts and names what is in work", async () => {
    const { start, submit, settle, engine, clock } = createEngineRig();
    const startedAt = clock.now();
    const running = await start({ detached: true });
    await submit({ text: { contextId: running.contextId } });
    assert.deepEqual(engine.stats(), { running: 1, waiting: 1, maxConcurrent: 3, tasks: 2, completed: 0, failed: 0 });
    const { taskId, contextId } = running;
    assert.deepEqual(engine.running(), [{ taskId, contextId, owner: ALICE, detached: true, startedAt }]);
    clock.tick(5000);
    running.run.complete();
    await settle();
    assert.deepEqual(
      engine.running().map((task) => task.startedAt - startedAt),
      [5000],
    );
    (await start()).run.reject("no");
    await settle();
    assert.deepEqual([engine.stats().completed, engine.stats().failed], [1, 1]);
  });

  it("forgets the oldest finished tasks beyond the limit, and no unfinished one (S18)", async () => {
    const { start, settle, engine } = createEngineRig({ limits: { maxTasks: 100 } });
    const asking = await start();
    asking.run.ask("which?");
    const running = await start();
    running.run.working();
    await settle();
    const finished: string[] = [];
    for (let n = 0; n < 300; n++) {
      const { taskId, run } = await start();
      run.complete();
      await settle();
      finished.push(taskId);
    }
    assert.ok(engine.stats().tasks <= 100);
    assert.equal((await engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.equal((await engine.get(ALICE, running.taskId)).status.state, "TASK_STATE_WORKING");
    await assert.rejects(
      () => engine.get(ALICE, finished[0] ?? ""),
      (error) => isA2aError(error, "TASK_NOT_FOUND"),
    );
    assert.equal((await engine.get(ALICE, finished.at(-1) ?? "")).status.state, "TASK_STATE_COMPLETED");
  });

  it("bounds the bytes of finished tasks", async () => {
    const { start, settle, engine } = createEngineRig({ limits: { maxTaskBytes: 1024 * 1024 } });
    for (let n = 0; n < 20; n++) {
      const { run } = await start();
      run.text("x".repeat(100 * 1024));
      run.complete();
      await settle();
    }
    assert.ok(engine.stats().tasks <= 10);
    assert.ok(engine.stats().tasks >= 8);
  });

  it("starts a conversation anew when the last of its tasks was forgotten", async () => {
    const { start, settle } = createEngineRig({ limits: { maxTasks: 2 } });
    (await start({ text: { contextId: "old" } })).run.complete();
    await settle();
    for (let n = 0; n < 5; n++) {
      (await start()).run.complete();
      await settle();
    }
    assert.equal((await start({ text: { contextId: "old" } })).run.request.previousTaskId, undefined);
  });
});
