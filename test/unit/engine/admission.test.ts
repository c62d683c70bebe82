import assert from "node:assert/strict";
import type { ErrorCode } from "../../../src/core/platform/errors.ts";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { MAX_WAITING_PER_CONTEXT } from "../../../src/engine/places.ts";
import { userMessage } from "../../support/builders.ts";
import { ALICE, BOB, createEngineRig, labels } from "../../support/engine-rig.ts";

const refused = (code: ErrorCode) => (error: unknown) => isA2aError(error, code);

describe("engine: accepting messages", () => {
  it("makes task and context ids and stores the acceptance before it resolves", async () => {
    const { engine, clock, sink, settle } = createEngineRig();
    let resolved = false;
    const submitting = engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    void submitting.then(() => {
      resolved = true;
    });
    await Promise.resolve();
    assert.equal(resolved, false);
    assert.equal(sink.batches.length, 0);
    clock.flush();
    const { taskId, contextId } = await submitting;
    assert.deepEqual([taskId, contextId], ["task-0000000000000001", "ctx-0000000000000001"]);
    assert.deepEqual(
      sink.events().map(({ kind }) => kind),
      ["submitted"],
    );
    await settle();
  });

  it("remembers with the task, and in the sink, the older wire in which it was made, whatever comes later", async () => {
    const { engine, start, submit, settle, sink } = createEngineRig();
    const { taskId, contextId, run } = await start({ dialect: "0.3" });
    const [submitted] = sink.events();
    assert.equal(submitted?.kind === "submitted" ? submitted.dialect : undefined, "0.3");
    run.ask("which one?");
    await settle();
    await submit({ text: { taskId, contextId } });
    assert.equal((await engine.get(ALICE, taskId)).dialect, "0.3");
    const modern = await start({ text: { messageId: "m-other" } });
    modern.run.working();
    await settle();
    assert.ok(!("dialect" in (await engine.get(ALICE, modern.taskId))));
    await settle();
  });

  it("gives the runner the message in its place, the caller and an open signal", async () => {
    const { start } = createEngineRig();
    const { taskId, contextId, run } = await start({ text: { contextId: "mine", parts: [{ text: "go" }] } });
    assert.equal(contextId, "mine");
    assert.equal(run.request.signal.aborted, false);
    const { signal: _, ...request } = run.request;
    assert.deepEqual(request, {
      taskId,
      contextId,
      caller: ALICE,
      message: { ...userMessage({ parts: [{ text: "go" }] }), taskId, contextId },
      history: [],
      resumes: false,
    });
  });

  it("starts the runner on a later turn than the acceptance, so no subscriber misses the first output", async () => {
    const { engine, clock, runner, settle } = createEngineRig();
    const submitting = engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    clock.flush();
    const { subscription } = await submitting;
    assert.equal(runner.runs.length, 0);
    await settle();
    runner.runs[0]?.working();
    await settle();
    assert.deepEqual(labels([(await subscription.next()) ?? assert.fail()]), ["working"]);
  });

  it("refuses a task id that was never issued, and starts nothing (W10)", async () => {
    const { submit, runner, engine, sink } = createEngineRig();
    await assert.rejects(submit({ text: { taskId: "made-up" } }), refused("TASK_NOT_FOUND"));
    assert.equal(runner.runs.length, 0);
    assert.equal(engine.stats().tasks, 0);
    assert.equal(sink.batches.length, 0);
  });

  it("refuses another owner's task id like an unknown one", async () => {
    const { start, submit, settle } = createEngineRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    await assert.rejects(submit({ caller: BOB, text: { taskId } }), refused("TASK_NOT_FOUND"));
  });

  it("refuses a follow-up whose context is not the task's, names the field and leaves the task alone (W09)", async () => {
    const { start, submit, settle, engine, runner } = createEngineRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    const before = await engine.get(ALICE, taskId);
    await assert.rejects(submit({ text: { taskId, contextId: "ctx-other" } }), (error) => {
      assert.ok(isA2aError(error, "INVALID_PARAMS"));
      assert.deepEqual(
        error.violations.map(({ field }) => field),
        ["message.contextId"],
      );
      return true;
    });
    assert.equal(await engine.get(ALICE, taskId), before);
    assert.equal(runner.runs.length, 1);
  });

  it("looks at the context before it looks at the state", async () => {
    const { start, submit, settle } = createEngineRig();
    const { taskId, run } = await start();
    run.complete();
    await settle();
    await assert.rejects(submit({ text: { taskId, contextId: "ctx-other" } }), refused("INVALID_PARAMS"));
  });

  for (const end of ["complete", "fail", "reject", "cancel"] as const) {
    it(`refuses a message to a task that has ended (${end}) before any work (W11)`, async () => {
      const { start, submit, settle, runner, sink } = createEngineRig();
      const { taskId, run } = await start();
      run[end]("done");
      await settle();
      const batches = sink.batches.length;
      await assert.rejects(submit({ text: { taskId } }), refused("UNSUPPORTED_OPERATION"));
      assert.equal(runner.runs.length, 1);
      assert.equal(sink.batches.length, batches);
    });
  }

  it("refuses a message to a task that works or waits, and says what to do", async () => {
    const { start, submit, engine } = createEngineRig();
    const { taskId, contextId, run } = await start();
    run.working();
    const waiting = await submit({ text: { contextId } });
    for (const [id, label] of [
      [taskId, "working"],
      [waiting.taskId, "submitted"],
    ] as const) {
      await assert.rejects(submit({ text: { taskId: id } }), (error) => {
        assert.ok(isA2aError(error, "UNSUPPORTED_OPERATION"));
        assert.match(error.message, new RegExp(`is ${label}`));
        assert.match(error.hint, new RegExp(contextId));
        return true;
      });
    }
    assert.equal(engine.stats().running, 1);
  });

  it("takes the context from the task when the answer names only the task", async () => {
    const { start, submit, settle } = createEngineRig();
    const { taskId, contextId, run } = await start();
    run.ask("which?");
    await settle();
    assert.equal((await submit({ text: { taskId } })).contextId, contextId);
  });

  it("continues an asking task with its history, as the same task (S15, S16)", async () => {
    const { start, settle, engine } = createEngineRig();
    const first = await start({ text: { parts: [{ text: "paint it" }] } });
    first.run.working();
    await settle();
    assert.equal((await engine.get(ALICE, first.taskId)).status.state, "TASK_STATE_WORKING");
    first.run.ask("which colour?");
    await settle();
    const asking = await engine.get(ALICE, first.taskId);
    assert.equal(asking.status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.deepEqual(asking.status.message?.parts, [{ text: "which colour?" }]);

    const answer = await start({ text: { taskId: first.taskId, parts: [{ text: "blue" }] } });
    assert.equal(answer.taskId, first.taskId);
    assert.deepEqual(await answer.first, { kind: "task" });
    assert.equal(answer.subscription.snapshot().status.state, "TASK_STATE_WORKING");
    assert.equal((await engine.get(ALICE, first.taskId)).status.state, "TASK_STATE_WORKING");
    const { resumes, history, message, previousTaskId } = answer.run.request;
    assert.equal(resumes, true);
    assert.equal(previousTaskId, undefined);
    assert.deepEqual(message.parts, [{ text: "blue" }]);
    assert.deepEqual(
      history.map(({ parts }) => parts[0]),
      [{ text: "paint it" }, { text: "which colour?" }],
    );

    answer.run.complete();
    await settle();
    const done = await engine.get(ALICE, first.taskId);
    assert.equal(done.status.state, "TASK_STATE_COMPLETED");
    assert.equal(done.history?.length, 3);
  });

  it("starts one run for two answers that arrive together, and refuses the other clearly (S08)", async () => {
    const { start, settle, engine, runner } = createEngineRig();
    const { taskId, run } = await start();
    run.askLogin("log in");
    await settle();
    const answers = [1, 2].map(() =>
      engine.submit({ caller: ALICE, message: userMessage({ taskId }), detached: false }),
    );
    const results = Promise.allSettled(answers);
    await settle();
    const [first, second] = await results;
    assert.equal(first?.status, "fulfilled");
    assert.ok(second?.status === "rejected" && isA2aError(second.reason, "UNSUPPORTED_OPERATION"));
    assert.equal(runner.runs.length, 2);
  });

  it("keeps the same context id of two owners apart", async () => {
    const { start, runner } = createEngineRig();
    const alice = await start({ text: { contextId: "shared" } });
    await start({ caller: BOB, text: { contextId: "shared" } });
    alice.run.complete();
    assert.equal(runner.runs.length, 2);
    assert.equal(runner.runs[1]?.request.previousTaskId, undefined);
  });

  it("names the task that ran last in the same context of the same owner", async () => {
    const { start, settle } = createEngineRig();
    const first = await start();
    first.run.complete();
    await settle();
    const text = { contextId: first.contextId };
    const second = await start({ text });
    assert.equal(second.run.request.previousTaskId, first.taskId);
    second.run.fail("broken");
    await settle();
    assert.equal((await start({ text })).run.request.previousTaskId, second.taskId);
  });

  it("remembers the conversation of a direct Message reply", async () => {
    const { start, settle } = createEngineRig();
    const first = await start();
    first.run.reply("hi");
    await settle();
    const second = await start({ text: { contextId: first.contextId } });
    assert.equal(second.run.request.previousTaskId, first.taskId);
  });

  it("serves two messages of one context one after the other, and a failure does not poison the next (S09)", async () => {
    const { start, submit, settle, runner, engine } = createEngineRig();
    const first = await start();
    const second = await submit({ text: { contextId: first.contextId } });
    assert.deepEqual(await second.first, { kind: "task" });
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_SUBMITTED");
    const other = await start();
    assert.equal(other.run.over(), false);
    first.run.throw(new Error("boom"));
    await settle();
    const run = runner.runs[2];
    assert.equal(run?.request.taskId, second.taskId);
    run?.working();
    await settle();
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_WORKING");
    run?.complete();
    await settle();
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_COMPLETED");
  });

  it("runs normally in a context after a cancel (S07)", async () => {
    const { start, settle, engine } = createEngineRig();
    const first = await start();
    first.run.working();
    await settle();
    const canceling = engine.cancel(ALICE, first.taskId);
    await settle();
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
    const second = await start({ text: { contextId: first.contextId } });
    assert.equal(second.run.request.signal.aborted, false);
    second.run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_COMPLETED");
  });

  it("answers busy at once when every slot is taken, and says by what (S14)", async () => {
    const { start, submit, pass, engine } = createEngineRig({ limits: { maxConcurrent: 2 } });
    const mine = await start({ detached: true });
    mine.run.working();
    await start({ caller: BOB });
    await pass(412_000);
    await assert.rejects(submit(), (error) => {
      assert.ok(isA2aError(error, "BUSY"));
      assert.equal(error.message, "busy: all 2 slots are taken (1 by detached tasks), the oldest since 412 s");
      assert.match(error.hint, new RegExp(`cancel one of yours \\(${mine.taskId}\\)`));
      assert.deepEqual(error.metadata, { slots: "2", detached: "1", oldestSec: "412", ownTasks: mine.taskId });
      assert.ok(error.retryAfterSec !== undefined);
      return true;
    });
    assert.equal(engine.stats().running, 2);
  });

  it("tells nobody the ids of another caller's tasks when it is busy", async () => {
    const { start, submit } = createEngineRig({ limits: { maxConcurrent: 1 } });
    const { run } = await start();
    run.working();
    await assert.rejects(submit({ caller: BOB }), (error) => {
      assert.ok(isA2aError(error, "BUSY"));
      assert.doesNotMatch(JSON.stringify([error.message, error.hint, error.metadata]), /task-/);
      return true;
    });
  });

  it("runs the next send after one of three hung detached tasks was cancelled (S14)", async () => {
    const { start, submit, settle, engine } = createEngineRig();
    const hung = [await start({ detached: true }), await start({ detached: true }), await start({ detached: true })];
    for (const { run } of hung) run.working();
    await assert.rejects(submit({ caller: BOB }), refused("BUSY"));
    const canceling = engine.cancel(ALICE, hung[0]?.taskId ?? "");
    await settle();
    await canceling;
    await start({ caller: BOB });
  });

  it("leaves no trace of what it refused as busy", async () => {
    const { start, submit, settle, engine, sink } = createEngineRig({ limits: { maxConcurrent: 1 } });
    const { run } = await start();
    const batches = sink.batches.length;
    await assert.rejects(submit({ text: { contextId: "other" } }), refused("BUSY"));
    assert.equal(sink.batches.length, batches);
    assert.equal(engine.stats().tasks, 1);
    run.complete();
    await settle();
    assert.equal((await start({ text: { contextId: "other" } })).run.request.previousTaskId, undefined);
  });

  it("refuses an answer as busy and keeps the question open", async () => {
    const { start, submit, settle, engine } = createEngineRig({ limits: { maxConcurrent: 1 } });
    const asking = await start();
    asking.run.ask("which?");
    await settle();
    const busy = await start();
    await assert.rejects(submit({ text: { taskId: asking.taskId } }), refused("BUSY"));
    assert.equal((await engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    busy.run.complete();
    await settle();
    await start({ text: { taskId: asking.taskId } });
  });

  it("lets a bounded number of messages wait behind one context", async () => {
    const { start, submit, engine } = createEngineRig({ limits: { maxConcurrent: 1 } });
    const { contextId } = await start();
    for (let n = 0; n < MAX_WAITING_PER_CONTEXT; n++) await submit({ text: { contextId } });
    assert.equal(engine.stats().waiting, MAX_WAITING_PER_CONTEXT);
    await assert.rejects(submit({ text: { contextId } }), refused("BUSY"));
    assert.equal(engine.stats().running, 1);
  });

  it("hands a slot to the next of the context before anybody else can take it", async () => {
    const { start, submit, settle, runner } = createEngineRig({ limits: { maxConcurrent: 1 } });
    const first = await start();
    const second = await submit({ text: { contextId: first.contextId } });
    first.run.complete();
    await assert.rejects(submit({ caller: BOB }), refused("BUSY"));
    await settle();
    assert.equal(runner.runs[1]?.request.taskId, second.taskId);
  });

  it("takes an answer into the line of its context when another task runs there", async () => {
    const { start, submit, settle, engine, runner } = createEngineRig();
    const asking = await start();
    asking.run.ask("which?");
    await settle();
    const other = await start({ text: { contextId: asking.contextId } });
    const answer = await submit({ text: { taskId: asking.taskId } });
    assert.deepEqual(await answer.first, { kind: "task" });
    assert.equal(runner.runs.length, 2);
    const done = engine.settled(ALICE, asking.taskId);
    other.run.complete();
    await settle();
    assert.equal(runner.runs[2]?.request.resumes, true);
    runner.runs[2]?.complete();
    await settle();
    assert.equal((await done).status.state, "TASK_STATE_COMPLETED");
  });

  it("refuses new tasks when unfinished ones fill the memory", async () => {
    const { start, submit, settle } = createEngineRig({ limits: { maxTasks: 2 } });
    for (let n = 0; n < 2; n++) {
      (await start()).run.ask("which?");
      await settle();
    }
    await assert.rejects(submit(), refused("BUSY"));
  });
});
