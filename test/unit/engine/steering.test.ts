import assert from "node:assert/strict";
import type { ErrorCode } from "../../../src/core/platform/errors.ts";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { type EventSink, noBodies } from "../../../src/engine/event-sink.ts";
import { MAX_WAITING_PER_TASK } from "../../../src/engine/steering.ts";
import { ALICE, BOB, createEngineRig, labels, readAll } from "../../support/engine-rig.ts";
import type { RunHandle } from "../../support/scripted-runner.ts";

const refused = (code: ErrorCode) => (error: unknown) => isA2aError(error, code);

/** A task at work whose run takes messages. */
async function atWork(options: Parameters<typeof createEngineRig>[0] = {}) {
  const rig = createEngineRig({ steerable: true, ...options });
  const task = await rig.start({ text: { parts: [{ text: "paint it" }] } });
  task.run.working();
  await rig.settle();
  return {
    ...rig,
    ...task,
    steer: (text = "in blue") => rig.submit({ text: { taskId: task.taskId, parts: [{ text }] } }),
  };
}

/** What reached a run. */
function heardBy({ letters }: RunHandle): unknown[] {
  return letters.map(({ message }) => message.parts);
}

describe("engine: messages to a task at work", () => {
  it("reach its run in order, as the same task, and stand in the history", async () => {
    const { engine, taskId, contextId, run, steer, runner } = await atWork();
    const first = await steer("in blue");
    await steer("and red");
    assert.deepEqual([first.taskId, first.contextId], [taskId, contextId]);
    assert.deepEqual(await first.first, { kind: "task" });
    assert.deepEqual(heardBy(run), [[{ text: "in blue" }], [{ text: "and red" }]]);
    const { history, status } = await engine.get(ALICE, taskId);
    assert.deepEqual(
      history?.map(({ parts, taskId: of }) => [parts[0], of]),
      ["paint it", "in blue", "and red"].map((text) => [{ text }, taskId]),
    );
    assert.equal(status.state, "TASK_STATE_WORKING");
    assert.equal(runner.runs.length, 1);
  });

  it("are stored before they are acknowledged and before the run has them", async () => {
    let store: () => void = () => undefined;
    let slow = false;
    const sink = (): EventSink => ({
      async write() {
        if (slow) await new Promise<void>((resolve) => (store = resolve));
        return noBodies();
      },
    });
    const { engine, taskId, run, settle } = await atWork({ sink });
    slow = true;
    let acknowledged = false;
    const message = { messageId: "m-2", role: "ROLE_USER", parts: [{ text: "in blue" }], taskId } as const;
    const sending = engine.submit({ caller: ALICE, message, detached: false }).then(() => (acknowledged = true));
    await settle();
    assert.deepEqual([acknowledged, run.letters.length], [false, 0]);
    assert.equal(run.request.steering?.close(), false, "the run must not end before it has the message");
    store();
    await sending;
    assert.equal(run.letters.length, 1);
  });

  it("wait for the same task: a snapshot and the rest, and the same end", async () => {
    const { engine, taskId, run, steer, settle } = await atWork();
    const { subscription } = await steer();
    assert.equal(subscription.snapshot().history?.length, 2);
    const waits = engine.settled(ALICE, taskId);
    run.letters[0]?.taken();
    run.text("blue");
    run.complete();
    await settle();
    assert.equal((await waits).status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(labels(await readAll(subscription)), ["artifact reply", "completed"]);
  });

  it("wait for a run that has not begun, and are no part of what it begins with", async () => {
    const { engine, contextId, run, submit, settle, runner } = await atWork();
    const second = await submit({ text: { contextId, parts: [{ text: "then dry it" }] } });
    await submit({ text: { taskId: second.taskId, parts: [{ text: "with air" }] } });
    assert.equal((await engine.get(ALICE, second.taskId)).status.state, "TASK_STATE_SUBMITTED");
    assert.equal(runner.runs.length, 1);
    run.complete();
    await settle();
    const next = runner.runs[1] ?? assert.fail();
    assert.deepEqual(next.request.message.parts, [{ text: "then dry it" }]);
    assert.deepEqual(next.request.history, []);
    assert.deepEqual(heardBy(next), [[{ text: "with air" }]]);
  });

  it("take no slot, start no run, and leave the window of the task as it is", async () => {
    const { engine, taskId, steer, pass, runner } = await atWork({
      limits: { maxConcurrent: 1, replyTimeoutMs: 10_000 },
    });
    await pass(9_000);
    await steer();
    assert.deepEqual([engine.stats().running, runner.runs.length], [1, 1]);
    await pass(999);
    assert.equal((await engine.get(ALICE, taskId)).status.state, "TASK_STATE_WORKING");
    await pass(1);
    const { status, history } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.equal(history?.length, 2);
  });

  it("are refused once the run has closed its mailbox, without a trace, and the task ends as it would have", async () => {
    const { engine, taskId, contextId, run, steer, sink, settle } = await atWork();
    assert.equal(run.request.steering?.close(), true);
    const stored = sink.events().length;
    await assert.rejects(steer(), (error) => {
      assert.ok(isA2aError(error, "UNSUPPORTED_OPERATION"));
      assert.match(error.hint, new RegExp(contextId));
      return true;
    });
    assert.equal(sink.events().length, stored);
    run.complete();
    await settle();
    assert.equal((await engine.get(ALICE, taskId)).history?.length, 1);
  });

  for (const [what, end] of [
    ["was canceled", (run: RunHandle) => void run.ignoreAbort()],
    ["has failed", (run: RunHandle) => run.fail("broken")],
  ] as const) {
    it(`end with a task that ${what} before it took them, and stay in its history`, async () => {
      const { engine, taskId, run, steer, settle, pass } = await atWork();
      await steer();
      const waits = engine.settled(ALICE, taskId);
      end(run);
      if (what === "was canceled") {
        const canceling = engine.cancel(ALICE, taskId);
        await settle();
        await assert.rejects(steer("too late"), refused("UNSUPPORTED_OPERATION"));
        await pass(2_000);
        await canceling;
      }
      await settle();
      const { status, history } = await waits;
      assert.match(status.state, /CANCELED|FAILED/);
      assert.deepEqual(history?.at(-1)?.parts, [{ text: "in blue" }]);
      run.complete();
      await settle();
    });
  }

  it(`wait at most ${MAX_WAITING_PER_TASK} at a time; the next is BUSY until one was taken`, async () => {
    const { run, steer } = await atWork();
    for (let count = 0; count < MAX_WAITING_PER_TASK; count++) await steer(String(count));
    await assert.rejects(steer("one too many"), refused("BUSY"));
    run.letters[0]?.taken();
    await steer("fits");
    assert.deepEqual(heardBy(run).at(-1), [{ text: "fits" }]);
  });

  it("are of its owner; for others the task does not exist", async () => {
    const { submit, taskId, run } = await atWork();
    await assert.rejects(submit({ caller: BOB, text: { taskId } }), refused("TASK_NOT_FOUND"));
    assert.equal(run.letters.length, 0);
  });

  it("must name no other context", async () => {
    const { submit, taskId, run } = await atWork();
    await assert.rejects(submit({ text: { taskId, contextId: "ctx-other" } }), refused("INVALID_PARAMS"));
    assert.equal(run.letters.length, 0);
  });

  it("are no second answer: one that comes while an answer is being stored is refused", async () => {
    const { engine, taskId, run, settle, runner } = await atWork();
    run.ask("which wall?");
    await settle();
    const answer = (text: string) =>
      engine.submit({
        caller: ALICE,
        message: { messageId: text, role: "ROLE_USER", parts: [{ text }], taskId },
        detached: false,
      });
    const answers = Promise.allSettled([answer("left"), answer("right")]);
    await settle();
    const [first, second] = await answers;
    assert.equal(first?.status, "fulfilled");
    assert.ok(second?.status === "rejected" && isA2aError(second.reason, "UNSUPPORTED_OPERATION"));
    assert.deepEqual(runner.runs[1]?.request.message.parts, [{ text: "left" }]);
  });

  it("reach the run that an answer has begun", async () => {
    const { run, steer, settle, runner } = await atWork();
    run.ask("which wall?");
    await settle();
    await steer("left");
    await steer("no, right");
    assert.deepEqual(heardBy(runner.runs[1] ?? assert.fail()), [[{ text: "no, right" }]]);
    assert.deepEqual(
      runner.runs[1]?.request.history.map(({ parts }) => parts[0]),
      [{ text: "paint it" }, { text: "which wall?" }],
    );
  });

  it("that cannot be stored are refused, and the task fails as with everything that cannot be stored", async () => {
    let full = false;
    const sink = (memory: EventSink): EventSink => ({
      write: (entries) => (full ? Promise.reject(new Error("ENOSPC")) : memory.write(entries)),
    });
    const { engine, taskId, run, steer, settle } = await atWork({ sink });
    full = true;
    await assert.rejects(steer(), refused("NOT_STORED"));
    await settle();
    const { status, history } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.equal(history?.length, 1);
    assert.equal(run.letters.length, 0);
  });

  it("are refused as before by a runner that takes none", async () => {
    const { start, submit, settle } = createEngineRig();
    const { taskId, run } = await start();
    run.working();
    await settle();
    assert.equal(run.request.steering, undefined);
    await assert.rejects(submit({ text: { taskId } }), refused("UNSUPPORTED_OPERATION"));
  });
});
