import assert from "node:assert/strict";
import { A2aError, isA2aError } from "../../../src/core/platform/errors.ts";
import { ALICE, BOB, createEngineRig, labels, readAll } from "../../support/engine-rig.ts";

describe("engine: runs", () => {
  it("settles `first` with the first output, and shows the task only then", async () => {
    const { start, settle, engine, published } = createEngineRig();
    const { taskId, first, run } = await start();
    let shown = false;
    void first.then(() => {
      shown = true;
    });
    await settle();
    assert.equal(shown, false);
    assert.deepEqual(published, []);
    await assert.rejects(
      () => engine.get(ALICE, taskId),
      (error) => isA2aError(error, "TASK_NOT_FOUND"),
    );
    run.working();
    await settle();
    assert.deepEqual(await first, { kind: "task" });
    assert.deepEqual(labels(published), ["submitted", "working"]);
  });

  it("can be read and cancelled in the moment of its acknowledgement (S13)", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, first, run } = await start({ detached: true });
    run.working();
    const seen: string[] = [];
    void first.then(async () => {
      seen.push((await engine.get(ALICE, taskId)).status.state);
      void engine.cancel(ALICE, taskId).then((task) => seen.push(task.status.state));
    });
    await settle();
    assert.deepEqual(seen, ["TASK_STATE_WORKING", "TASK_STATE_CANCELED"]);
  });

  it("answers with a direct Message when that is the first output, and no task remains", async () => {
    const { start, settle, engine, published, sink } = createEngineRig();
    const { taskId, contextId, first, subscription, run } = await start();
    run.reply("hi");
    await settle();
    const answer = await first;
    assert.ok(answer.kind === "message");
    assert.deepEqual(
      [answer.message.role, answer.message.parts, answer.message.contextId],
      ["ROLE_AGENT", [{ text: "hi" }], contextId],
    );
    assert.equal(answer.message.taskId, undefined);
    await assert.rejects(
      () => engine.get(ALICE, taskId),
      (error) => isA2aError(error, "TASK_NOT_FOUND"),
    );
    assert.deepEqual(published, []);
    assert.equal(await subscription.next(), undefined);
    assert.deepEqual(
      sink.events().map(({ kind }) => kind),
      ["submitted", "direct-reply"],
    );
    assert.equal(engine.stats().running, 0);
  });

  it("turns a Message into the artifact reply once the task was shown", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    run.reply("hi");
    await settle();
    const { status, artifacts } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(artifacts, [{ artifactId: "reply", name: "reply", parts: [{ text: "hi" }] }]);
  });

  it("turns a Message of a task that waited behind its context into an artifact too", async () => {
    const { start, submit, settle, engine, runner } = createEngineRig();
    const first = await start();
    const second = await submit({ text: { contextId: first.contextId } });
    first.run.complete();
    await settle();
    runner.runs[1]?.reply("hi");
    await settle();
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_COMPLETED");
  });

  it("publishes notes as messages of the agent with ids of their own (T01)", async () => {
    const { start, settle, published } = createEngineRig();
    const { taskId, contextId, run } = await start();
    run.working();
    run.working("bash");
    run.working();
    run.working("read");
    await settle();
    assert.deepEqual(labels(published), ["submitted", "working", "working", "working"]);
    const messages = published.flatMap((event) => (event.kind === "status" ? [event.status.message] : [])).slice(1);
    assert.deepEqual(
      messages.map((m) => m?.parts),
      [[{ text: "bash" }], [{ text: "read" }]],
    );
    assert.deepEqual(
      messages.map((m) => [m?.role, m?.taskId, m?.contextId]),
      [1, 2].map(() => ["ROLE_AGENT", taskId, contextId]),
    );
    assert.notEqual(messages[0]?.messageId, messages[1]?.messageId);
  });

  it("keeps a reply in the artifact only", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.text("done");
    run.complete();
    await settle();
    const task = await engine.get(ALICE, taskId);
    assert.equal(task.status.message, undefined);
    assert.equal(task.history?.length, 1);
    assert.deepEqual(task.artifacts, [{ artifactId: "reply", parts: [{ text: "done" }] }]);
  });

  for (const [end, state] of [
    ["fail", "FAILED"],
    ["reject", "REJECTED"],
    ["complete", "COMPLETED"],
  ] as const) {
    it(`says why a task ended when the runner does: ${end}`, async () => {
      const { start, settle, engine } = createEngineRig();
      const { taskId, run } = await start();
      run[end]("because");
      await settle();
      const { status } = await engine.get(ALICE, taskId);
      assert.equal(status.state, `TASK_STATE_${state}`);
      assert.deepEqual(status.message?.parts, [{ text: "because" }]);
    });
  }

  it("fails a detached task whose runner throws, without naming internals (S12)", async () => {
    const { start, settle, engine, log } = createEngineRig();
    const { taskId, run } = await start({ detached: true });
    run.throw(new Error("ENOENT /home/me/.secret"));
    await settle();
    const { status } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    const text = JSON.stringify(status.message?.parts);
    assert.match(text, /log id/);
    assert.doesNotMatch(text, /secret/);
    assert.match(log.lines().at(-1)?.text ?? "", /ENOENT/);
  });

  it("fails with the message of an A2aError that the runner throws", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.throw(new A2aError("SESSION_UNAVAILABLE", "no model is set"));
    await settle();
    assert.deepEqual((await engine.get(ALICE, taskId)).status.message?.parts, [{ text: "no model is set" }]);
  });

  it("drops and logs what comes after the end of a run (S10, S11)", async () => {
    const { start, settle, engine, published, log } = createEngineRig();
    const { taskId, run } = await start();
    run.complete();
    await settle();
    const task = await engine.get(ALICE, taskId);
    const count = published.length;
    run.working("late");
    run.text("late");
    await settle();
    assert.equal(await engine.get(ALICE, taskId), task);
    assert.equal(published.length, count);
    assert.deepEqual(
      log.lines().map(({ text }) => text),
      [`${taskId}: late working of its run dropped`],
    );
  });

  it("never attaches the late answer of an expired task to the next task of its context (S10)", async () => {
    const { start, submit, pass, settle, engine, runner } = createEngineRig({ limits: { replyTimeoutMs: 1000 } });
    const expired = await start();
    expired.run.working();
    expired.run.ignoreAbort();
    const next = await submit({ text: { contextId: expired.contextId }, detached: true });
    await pass(1000);
    await pass(2000);
    assert.equal((await engine.get(ALICE, expired.taskId)).status.state, "TASK_STATE_FAILED");
    expired.run.text("too late");
    expired.run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, expired.taskId)).status.state, "TASK_STATE_FAILED");
    assert.equal((await engine.get(ALICE, expired.taskId)).artifacts, undefined);
    assert.equal(runner.runs[1]?.request.taskId, next.taskId);
    assert.equal((await engine.get(ALICE, next.taskId)).artifacts, undefined);
  });

  it("stamps every status with a time that never goes back (W17)", async () => {
    const { start, settle, clock, published } = createEngineRig();
    const { run } = await start();
    run.working("one");
    await settle();
    clock.tick(-5000);
    run.working("two");
    run.fail("no");
    await settle();
    const stamps = published.flatMap((e) =>
      e.kind === "status" || e.kind === "submitted" ? [e.status.timestamp ?? ""] : [],
    );
    assert.equal(stamps.length, 4);
    for (const stamp of stamps) assert.match(stamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(stamps, [...stamps].sort());
  });

  it("merges metadata into the task and publishes it", async () => {
    const { start, settle, engine, published } = createEngineRig();
    const { taskId, run } = await start();
    run.metadata({ a: 1 });
    run.metadata({ b: 2 });
    await settle();
    assert.deepEqual((await engine.get(ALICE, taskId)).metadata, { a: 1, b: 2 });
    assert.deepEqual(labels(published), ["submitted", "metadata", "metadata"]);
  });

  it("leaves no timer behind when tasks end", async () => {
    const { start, settle, clock } = createEngineRig({ limits: { replyTimeoutMs: 1000, asyncTimeoutMs: 1000 } });
    for (const end of ["complete", "fail", "cancel", "reply"] as const) {
      (await start()).run[end]("x");
      await settle();
    }
    assert.equal(clock.pending(), 0);
  });
});

describe("engine: cancelling", () => {
  it("aborts the run and resolves with the cancelled task", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, subscription, run } = await start();
    run.working();
    await settle();
    const canceling = engine.cancel(ALICE, taskId);
    assert.ok(run.request.signal.aborted);
    await settle();
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
    assert.deepEqual(labels(await readAll(subscription)), ["working", "canceled"]);
    assert.equal(engine.stats().running, 0);
  });

  it("stays cancelled when the runner returns completed afterwards, and keeps what it handed over", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    run.ignoreAbort();
    const canceling = engine.cancel(ALICE, taskId);
    run.text("so far");
    run.complete("all done");
    await settle();
    const task = await canceling;
    assert.equal(task.status.state, "TASK_STATE_CANCELED");
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ text: "so far" }]);
  });

  it("settles after the grace when the runner is deaf, and gives its slot back after another", async () => {
    const { start, submit, pass, engine, log, clock } = createEngineRig({ limits: { maxConcurrent: 1 } });
    const { taskId, run } = await start();
    run.working();
    run.ignoreAbort();
    await pass(0);
    const canceling = engine.cancel(ALICE, taskId);
    await pass(1999);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    await pass(1);
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
    await assert.rejects(submit(), (error) => isA2aError(error, "BUSY"));
    await pass(9999);
    assert.equal(engine.stats().running, 1);
    await pass(1);
    assert.equal(engine.stats().running, 0);
    assert.match(log.lines().at(-1)?.text ?? "", /does not stop; its slot is given back/);
    assert.equal(clock.pending(), 0);
    run.complete("late");
    await pass(0);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_CANCELED");
    await start();
    assert.equal(engine.stats().running, 1);
  });

  it("does not run the next of a context while a deaf runner still may write to it", async () => {
    const { start, submit, pass, engine, runner } = createEngineRig();
    const { taskId, contextId, run } = await start();
    run.working();
    run.ignoreAbort();
    await submit({ text: { contextId }, detached: true });
    void engine.cancel(ALICE, taskId);
    await pass(2000);
    assert.equal(runner.runs.length, 1);
    await pass(10_000);
    assert.equal(runner.runs.length, 2);
  });

  it("cancels a waiting task at once, and never runs it", async () => {
    const { start, submit, settle, engine, runner } = createEngineRig();
    const first = await start();
    const second = await submit({ text: { contextId: first.contextId } });
    const third = await submit({ text: { contextId: first.contextId } });
    const canceling = engine.cancel(ALICE, second.taskId);
    await settle();
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
    first.run.complete();
    await settle();
    assert.equal(runner.runs[1]?.request.taskId, third.taskId);
  });

  it("cancels an asking task at once", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    const canceling = engine.cancel(ALICE, taskId);
    await settle();
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
  });

  it("cancels a task whose question is on its way to the sink", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    run.ask("which?");
    await new Promise((resolve) => setImmediate(resolve));
    const canceling = engine.cancel(ALICE, taskId);
    await settle();
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
  });

  it("cancels a resumed task before its run has begun, without beginning it", async () => {
    const { start, clock, settle, engine, runner } = createEngineRig();
    const { taskId, run } = await start();
    run.ask("which?");
    await settle();
    const answer = engine.submit({ caller: ALICE, message: { ...run.request.message, taskId }, detached: false });
    const canceling = engine.cancel(ALICE, taskId);
    clock.flush();
    await settle();
    await answer;
    assert.equal((await canceling).status.state, "TASK_STATE_CANCELED");
    assert.equal(runner.runs.length, 1);
    assert.equal(engine.stats().running, 0);
  });

  it("returns a cancelled task again, and the same to two who cancel at once", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    const both = Promise.all([engine.cancel(ALICE, taskId), engine.cancel(ALICE, taskId)]);
    await settle();
    const [one, two] = await both;
    assert.equal(one, two);
    assert.equal(await engine.cancel(ALICE, taskId), one);
  });

  it("refuses to cancel a task that ended before, also in the same turn", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    run.complete();
    await Promise.resolve();
    await Promise.resolve();
    const canceling = engine.cancel(ALICE, taskId);
    const refused = assert.rejects(canceling, (error) => isA2aError(error, "TASK_NOT_CANCELABLE"));
    await settle();
    await refused;
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    await assert.rejects(engine.cancel(ALICE, taskId), (error) => isA2aError(error, "TASK_NOT_CANCELABLE"));
  });

  it("knows nothing of unknown and foreign tasks", async () => {
    const { start, settle, engine } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    await assert.rejects(engine.cancel(BOB, taskId), (error) => isA2aError(error, "TASK_NOT_FOUND"));
    await assert.rejects(engine.cancel(ALICE, "nope"), (error) => isA2aError(error, "TASK_NOT_FOUND"));
    assert.equal(run.request.signal.aborted, false);
  });
});

describe("engine: time limits", () => {
  const limits = { replyTimeoutMs: 300_000, asyncTimeoutMs: 3_600_000 };

  it("fails a task at its reply window with the limit in its status, after the runner handed over what it had", async () => {
    const { start, pass, settle, engine } = createEngineRig({ limits });
    const { taskId, run } = await start();
    run.working();
    run.ignoreAbort();
    await pass(299_999);
    assert.equal(run.request.signal.aborted, false);
    await pass(1);
    assert.ok(run.request.signal.aborted);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    run.text("so far");
    run.cancel();
    await settle();
    const task = await engine.get(ALICE, taskId);
    assert.equal(task.status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(task.status.message), /within 300 s/);
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ text: "so far" }]);
  });

  it("bounds a detached task by the supervision window only (S11)", async () => {
    const { start, pass, engine } = createEngineRig({ limits });
    const { taskId, run } = await start({ detached: true });
    run.working();
    await pass(700_000);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    await pass(3_600_000 - 700_000);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify((await engine.get(ALICE, taskId)).status.message), /within 3600 s/);
  });

  it("has no limit at 0", async () => {
    const { start, pass, engine, clock } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await pass(365 * 86_400_000);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    assert.equal(clock.pending(), 0);
  });

  it("shows a task that said nothing until its window closed", async () => {
    const { start, pass, engine } = createEngineRig({ limits });
    const { taskId, first } = await start();
    await pass(300_000);
    assert.deepEqual(await first, { kind: "task" });
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
  });

  it("fails a waiting task at its window at once, and it never runs", async () => {
    const { start, submit, pass, settle, engine, runner } = createEngineRig({ limits });
    const first = await start({ detached: true });
    first.run.working();
    const second = await submit({ text: { contextId: first.contextId } });
    await pass(300_000);
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_FAILED");
    first.run.complete();
    await settle();
    assert.equal(runner.runs.length, 1);
  });

  it("stays cancelled when its window closes while the runner hands over what it has", async () => {
    const { start, pass, settle, engine } = createEngineRig({ limits });
    const { taskId, run } = await start();
    run.working();
    run.ignoreAbort();
    await pass(299_000);
    const canceling = engine.cancel(ALICE, taskId);
    await pass(1500);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    run.cancel();
    await settle();
    const { status } = await canceling;
    assert.equal(status.state, "TASK_STATE_CANCELED");
    assert.equal(status.message, undefined);
  });

  it("settles at the grace even when the runner returns completed within it", async () => {
    const { start, pass, settle, engine, log } = createEngineRig({ limits });
    const { taskId, run } = await start();
    run.working();
    run.ignoreAbort();
    await pass(300_000);
    run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    assert.match(log.lines().at(-1)?.text ?? "", /late completed/);
  });

  it("keeps a Message that arrives within the grace as an artifact of the failed task", async () => {
    const { start, pass, settle, engine } = createEngineRig({ limits });
    const { taskId, run } = await start();
    run.ignoreAbort();
    await pass(300_000);
    run.reply("almost");
    await settle();
    const task = await engine.get(ALICE, taskId);
    assert.equal(task.status.state, "TASK_STATE_FAILED");
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ text: "almost" }]);
  });

  it("stops the window at a question, and fails a question that nobody answers [send-question-window]", async () => {
    const { start, pass, engine, clock } = createEngineRig({ limits });
    const { taskId, run } = await start();
    run.working();
    await pass(200_000);
    run.ask("which?");
    await pass(0);
    await pass(3_599_999);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    await pass(1);
    const { status } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(status.message), /no answer within 3600 s/);
    assert.equal(clock.pending(), 0);
  });

  it("starts a fresh window with the answer", async () => {
    const { start, pass, engine } = createEngineRig({ limits });
    const asking = await start();
    await pass(299_000);
    asking.run.ask("which?");
    await pass(0);
    await pass(10_000);
    const { run } = await start({ text: { taskId: asking.taskId } });
    await pass(299_999);
    assert.equal(run.request.signal.aborted, false);
    await pass(1);
    assert.equal((await engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_FAILED");
  });

  it("bounds the run of a detached answer by the supervision window", async () => {
    const { start, pass, settle, engine } = createEngineRig({ limits });
    const asking = await start();
    asking.run.ask("which?");
    await settle();
    const { run } = await start({ text: { taskId: asking.taskId }, detached: true });
    run.working();
    await pass(400_000);
    assert.equal((await engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_WORKING");
  });
});
