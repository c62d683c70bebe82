// Messages that come again: which lead to the task of the first, and for how long.

import assert from "node:assert/strict";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import type { Message } from "../../../src/core/protocol/types.ts";
import type { Submission, SubmitRequest } from "../../../src/engine/engine-types.ts";
import { createResends, LOST_MS, MAX_LOST, MAX_PER_TASK } from "../../../src/engine/resends.ts";
import { openFeed } from "../../../src/engine/subscriptions.ts";
import { status, task, userMessage } from "../../support/builders.ts";
import { ALICE, BOB, createEngineRig, type EngineRig, labels, readAll } from "../../support/engine-rig.ts";
import type { RunHandle } from "../../support/scripted-runner.ts";

/** The same message as the rig sends, once more. */
function again({ engine }: EngineRig, message: Partial<Message> = {}, fields: Partial<SubmitRequest> = {}) {
  return engine.resend({ caller: ALICE, message: userMessage(message), detached: false, ...fields });
}

describe("engine: a message that comes again", () => {
  let rig: EngineRig;
  beforeEach(() => {
    rig = createEngineRig();
  });
  afterEach(async () => {
    const stopping = rig.engine.stop("the test is over");
    await rig.settle();
    await rig.pass(1500);
    await rig.pass(1500);
    await stopping;
    assert.equal(rig.clock.pending(), 0);
  });

  it("leads to the task that is at work, and starts nothing (S17) [send-resend-attaches]", async () => {
    const { taskId, contextId, run } = await rig.start();
    run.working();
    await rig.settle();
    const second = await again(rig);
    assert.deepEqual([second?.taskId, second?.contextId], [taskId, contextId]);
    assert.equal(second?.subscription.snapshot().status.state, "TASK_STATE_WORKING");
    const settled = rig.engine.settled(ALICE, taskId);
    run.text("done");
    run.complete();
    await rig.settle();
    assert.deepEqual(labels(await readAll(second.subscription)), ["artifact reply", "completed"]);
    assert.equal((await settled).status.state, "TASK_STATE_COMPLETED");
    assert.equal(rig.runner.runs.length, 1);
    assert.equal(rig.sink.events().filter(({ kind }) => kind === "submitted").length, 1);
  });

  it("waits for the acceptance of the first, and for its first output", async () => {
    const message = userMessage();
    const first = rig.engine.submit({ caller: ALICE, message, detached: false });
    const second = again(rig);
    const third = again(rig);
    await rig.settle();
    assert.equal((await second)?.taskId, (await first).taskId);
    assert.equal((await third)?.taskId, (await first).taskId);
    let shown = 0;
    for (const each of [first, second, third]) void (await each)?.first.then(() => shown++);
    await rig.settle();
    assert.equal(shown, 0);
    rig.runner.runs[0]?.working();
    await rig.settle();
    assert.equal(shown, 3);
    assert.equal(rig.runner.runs.length, 1);
  });

  it("takes no slot and no place in line, and is never busy (S14)", async () => {
    rig.limits = { ...rig.limits, maxConcurrent: 1 };
    const { contextId } = await rig.start();
    const waiting = await rig.submit({ text: { messageId: "m-w", contextId } });
    assert.equal((await again(rig))?.contextId, contextId);
    assert.equal((await again(rig, { messageId: "m-w", contextId }))?.taskId, waiting.taskId);
    const { running, waiting: inLine } = rig.engine.stats();
    assert.deepEqual([running, inLine], [1, 1]);
  });

  it("is refused as the first is, when both come at once", async () => {
    rig = createEngineRig({ sink: () => ({ write: () => Promise.reject(new Error("ENOSPC")) }) });
    const first = rig.engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    const second = again(rig);
    const outcomes = Promise.allSettled([first, second]);
    await rig.settle();
    for (const outcome of await outcomes) {
      assert.ok(outcome.status === "rejected" && isA2aError(outcome.reason, "NOT_STORED"));
    }
    assert.equal(again(rig), undefined, "what was refused is a new message");
  });

  it("is a new message from another caller, with another content or another id", async () => {
    await rig.start();
    assert.equal(again(rig, {}, { caller: BOB }), undefined);
    assert.equal(again(rig, { parts: [{ text: "hello!" }] }), undefined);
    assert.equal(again(rig, { messageId: "m-2" }), undefined);
    assert.equal(again(rig, { contextId: "ctx-1" }), undefined);
    assert.ok(again(rig, { metadata: { attempt: 2 } }) !== undefined);
  });

  it("is a new message once its reply has arrived [send-same-message-id]", async () => {
    const { run, replied } = await rig.start();
    run.complete();
    await rig.settle();
    assert.ok((await again(rig)) !== undefined, "the reply is on its way");
    replied?.("reply");
    assert.equal(again(rig), undefined);
  });

  it("leads to the task while that is at work, although its ack has arrived, and not after its end", async () => {
    const { run, replied, taskId } = await rig.start({ detached: true });
    run.working();
    await rig.settle();
    replied?.("reply");
    assert.equal((await again(rig))?.taskId, taskId);
    run.complete();
    await rig.settle();
    assert.equal(again(rig), undefined);
  });

  it("leads to the ended task as long as no reply has arrived (C40)", async () => {
    const { run, replied, taskId } = await rig.start();
    replied?.("lost");
    run.text("found");
    run.complete();
    await rig.settle();
    const second = await again(rig);
    assert.equal(second?.taskId, taskId);
    assert.deepEqual(second?.subscription.snapshot().artifacts?.[0]?.parts, [{ text: "found" }]);
    assert.deepEqual(await readAll(second.subscription), []);
    assert.equal(second.subscription.ended(), "terminal");
    second.replied?.("lost");
    const third = await again(rig);
    assert.equal(third?.taskId, taskId);
    third?.replied?.("reply");
    assert.equal(again(rig), undefined);
    assert.equal(rig.runner.runs.length, 1);
  });

  it("hears of a lost reply also when that is lost after the end", async () => {
    const { run, replied, taskId } = await rig.start();
    run.complete();
    await rig.settle();
    replied?.("lost");
    assert.equal((await again(rig))?.taskId, taskId);
  });

  it("gets a direct reply that was lost", async () => {
    const { run, replied } = await rig.start();
    run.reply("hi");
    await rig.settle();
    replied?.("lost");
    const second = await again(rig, {}, { push: { url: "https://hooks.example/" } });
    const first = await second?.first;
    assert.ok(first?.kind === "message");
    assert.deepEqual(first.message.parts, [{ text: "hi" }]);
    second?.replied?.("stream");
    assert.equal(again(rig), undefined);
  });

  it("leads to the question after a stream that ended there, and on until the task ends", async () => {
    const { run, replied, taskId } = await rig.start();
    run.ask("Which?");
    await rig.settle();
    replied?.("stream");
    assert.equal((await again(rig))?.subscription.snapshot().status.state, "TASK_STATE_INPUT_REQUIRED");
    await rig.submit({ text: { messageId: "m-a", taskId } });
    assert.equal((await again(rig))?.taskId, taskId);
    rig.runner.runs[1]?.complete();
    await rig.settle();
    assert.equal(again(rig), undefined);
  });

  it("is a new message after a blocking reply with the question", async () => {
    const { run, replied } = await rig.start();
    run.ask("Which?");
    await rig.settle();
    assert.ok((await again(rig)) !== undefined);
    replied?.("reply");
    assert.equal(again(rig), undefined);
  });

  it("leads as an answer to the task that works on it, and is no second answer", async () => {
    const { run, taskId } = await rig.start();
    run.ask("Which?");
    await rig.settle();
    const answer = { messageId: "m-a", taskId };
    await rig.submit({ text: answer });
    const second = await again(rig, answer);
    assert.equal(second?.subscription.snapshot().status.state, "TASK_STATE_WORKING");
    assert.equal(rig.runner.runs.length, 2);
    assert.equal(again(rig, { ...answer, parts: [{ text: "another" }] }), undefined);
    const { history = [] } = await rig.engine.get(ALICE, taskId);
    assert.equal(history.filter(({ messageId }) => messageId === "m-a").length, 1);
  });

  it("leads as an answer to the task that it ended, when the reply was lost", async () => {
    const { run, taskId } = await rig.start();
    run.ask("Which?");
    await rig.settle();
    const { replied } = await rig.submit({ text: { messageId: "m-a", taskId } });
    rig.runner.runs[1]?.complete();
    await rig.settle();
    replied?.("lost");
    assert.equal((await again(rig, { messageId: "m-a", taskId }))?.taskId, taskId);
  });

  it("steers a task once, however often it comes [turn-steer]", async () => {
    rig = createEngineRig({ steerable: true });
    const { run, taskId } = await rig.start();
    run.working();
    await rig.settle();
    const steering = { messageId: "m-s", taskId, parts: [{ text: "in blue" }] };
    const { replied } = await rig.submit({ text: steering });
    replied?.("lost");
    assert.equal((await again(rig, steering))?.subscription.snapshot().status.state, "TASK_STATE_WORKING");
    for (const { taken } of run.letters) taken();
    run.complete();
    await rig.settle();
    assert.equal((await again(rig, steering))?.subscription.snapshot().status.state, "TASK_STATE_COMPLETED");
    assert.equal(run.letters.length, 1);
  });

  it("forgets an answer that was not taken", async () => {
    const { run, taskId } = await rig.start();
    run.working();
    run.complete();
    await rig.settle();
    await assert.rejects(rig.submit({ text: { messageId: "m-a", taskId } }));
    assert.equal(again(rig, { messageId: "m-a", taskId }), undefined);
  });

  it("sets the webhook that comes along, in the place of the one with its id or its address", async () => {
    const { taskId } = await rig.start({ push: { url: "https://hooks.example/a" } });
    const push = [
      { url: "https://hooks.example/a", token: "t" },
      { id: "x", url: "https://hooks.example/b" },
    ] as const;
    for (const one of [...push, { id: "x", url: "https://hooks.example/c" }]) {
      const second = again(rig, {}, { push: one });
      await rig.settle();
      assert.equal((await second)?.taskId, taskId);
    }
    const configs = (rig.engine.push.of(taskId) ?? []).map(({ url, token }) => [url, token]);
    assert.deepEqual(configs, [
      ["https://hooks.example/a", "t"],
      ["https://hooks.example/c", undefined],
    ]);
  });

  describe("after a lost reply", () => {
    /** A task that ended, whose reply was lost. */
    const lose = async (messageId: string): Promise<Submission> => {
      const { run, ...submission } = await rig.start({ text: { messageId } });
      run.complete();
      await rig.settle();
      submission.replied?.("lost");
      return submission;
    };

    it("is known for an hour", async () => {
      const { taskId } = await lose("m-1");
      rig.clock.tick(LOST_MS);
      assert.equal((await again(rig))?.taskId, taskId);
      rig.clock.tick(1);
      assert.equal(again(rig), undefined);
    });

    it("is known among so many, of which the caller with most gives way", async () => {
      const resends = createResends(rig.clock);
      const requestOf = (messageId: string, caller = ALICE): SubmitRequest => ({
        ...{ caller, message: userMessage({ messageId }), detached: false },
      });
      const loseOne = async (messageId: string, caller = ALICE): Promise<void> => {
        const place = {
          taskId: `task ${messageId}`,
          contextId: "ctx",
          first: Promise.resolve({ kind: "task" } as const),
        };
        const submission = { ...place, subscription: openFeed(task(), () => undefined) };
        const { replied } = await resends.note(requestOf(messageId, caller), Promise.resolve(submission));
        replied?.("lost");
        const { taskId, contextId } = place;
        resends.hear({ kind: "status", taskId, contextId, at: 0, status: status("TASK_STATE_COMPLETED") });
      };
      await loseOne("m-bob", BOB);
      for (let n = 0; n <= MAX_LOST; n++) await loseOne(`m-${n}`);
      assert.equal(resends.find(requestOf("m-0")), undefined);
      assert.ok(resends.find(requestOf(`m-${MAX_LOST}`)) !== undefined);
      assert.ok(resends.find(requestOf("m-bob", BOB)) !== undefined);
      assert.ok(resends.size <= MAX_LOST);
      const { place } = resends.find(requestOf("m-bob", BOB)) ?? assert.fail("it is known");
      assert.deepEqual(
        Object.keys(await place).sort(),
        ["contextId", "first", "taskId"],
        "nothing of its task is kept",
      );
    });

    it("is a new message when its task is no longer kept", async () => {
      rig.limits = { ...rig.limits, maxTasks: 1 };
      await lose("m-1");
      await lose("m-2");
      assert.equal(again(rig), undefined);
    });
  });

  it("leaves nothing behind when the replies have arrived, whatever became of the tasks", async () => {
    const resends = createResends(rig.clock);
    const { engine } = rig;
    engine.observe(resends.hear);
    const ended: Submission[] = [];
    const send = async (message: Partial<Message>): Promise<RunHandle> => {
      const request = { caller: ALICE, message: userMessage(message), detached: false };
      const submitting = resends.note(request, engine.submit(request));
      await rig.settle();
      ended.push(await submitting);
      return rig.runner.runs.at(-1) ?? assert.fail("no run");
    };
    (await send({ messageId: "m-1" })).complete();
    (await send({ messageId: "m-2" })).reply("hi");
    (await send({ messageId: "m-3" })).fail("because");
    (await send({ messageId: "m-4" })).ask("Which?");
    await rig.settle();
    (await send({ messageId: "m-5", taskId: ended.at(-1)?.taskId ?? "" })).complete();
    assert.equal(resends.size, 5);
    for (const [nth, { replied }] of ended.entries()) replied?.(nth % 2 === 0 ? "reply" : "stream");
    await rig.settle();
    assert.equal(resends.size, 0);
  });

  it("is known for the newest of many messages to one task only", async () => {
    const { taskId, run } = await rig.start();
    run.ask("0");
    await rig.settle();
    for (let n = 1; n <= MAX_PER_TASK; n++) {
      await rig.submit({ text: { messageId: `m-a${n}`, taskId } });
      rig.runner.runs[n]?.ask("more");
      await rig.settle();
    }
    assert.equal(again(rig), undefined);
    assert.ok((await again(rig, { messageId: `m-a${MAX_PER_TASK}`, taskId })) !== undefined);
  });
});
