// Messages that come again after the server that took them has died.

import assert from "node:assert/strict";
import type { Message } from "../../../../src/core/protocol/types.ts";
import { userMessage } from "../../../support/builders.ts";
import { ALICE, BOB } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer } from "../../../support/journal-rig.ts";

function again({ engine }: KeptServer, message: Partial<Message> = {}, caller = ALICE) {
  return engine.resend({ caller, message: userMessage(message), detached: false });
}

describe("a message that comes again after a restart", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  const working = async (server: KeptServer, message: Partial<Message> = {}) => {
    const started = await server.start({ message: userMessage(message) });
    started.run.working();
    await started.first;
    return started;
  };

  it("leads to the task that was interrupted, once: nothing runs twice by itself (S17, L11) [send-resend-attaches]", async () => {
    const before = await house.open();
    const { taskId } = await working(before);
    await before.kill();
    const server = await house.open();
    assert.equal(again(server, {}, BOB), undefined);
    assert.equal(again(server, { parts: [{ text: "other" }] }), undefined);
    const submission = await again(server);
    assert.equal(submission?.taskId, taskId);
    assert.equal(submission?.subscription.snapshot().status.state, "TASK_STATE_FAILED");
    submission?.replied?.("reply");
    assert.equal(again(server), undefined, "whoever knows of the interruption may start it anew");
    await server.quit();
  });

  it("leads there when the task got so many messages that its history has lost the first", async () => {
    const before = await house.open({ steerable: true });
    const { taskId, run } = await working(before);
    for (let n = 0; n < 60; n++) {
      const message = userMessage({ messageId: `m-more-${n}`, taskId });
      await before.engine.submit({ caller: ALICE, message, detached: false });
      run.letters[n]?.taken();
    }
    await before.kill();
    const server = await house.open();
    assert.equal((await again(server))?.taskId, taskId);
    await server.quit();
  });

  it("leads there with the context that it named, and with none that it did not name", async () => {
    const before = await house.open();
    const { taskId } = await working(before, { contextId: "ctx-mine" });
    await before.kill();
    const server = await house.open();
    assert.equal((await again(server, { contextId: "ctx-mine" }))?.taskId, taskId);
    assert.equal(again(server, { contextId: "ctx-other" }), undefined);
    await server.quit();
  });

  it("leads to the question that is still open, and as an answer to the run that was interrupted", async () => {
    const before = await house.open();
    const asked = await working(before);
    asked.run.ask("Which?");
    await before.settled(asked);
    await before.kill();
    const server = await house.open();
    const question = await again(server);
    assert.equal(question?.subscription.snapshot().status.state, "TASK_STATE_INPUT_REQUIRED");
    question?.replied?.("reply");
    const answer = { messageId: "m-a", taskId: asked.taskId };
    await working(server, answer);
    await server.kill();
    const last = await house.open();
    const submission = await again(last, answer);
    assert.equal(submission?.subscription.snapshot().status.state, "TASK_STATE_FAILED");
    assert.equal(again(last), undefined, "its question was answered, so it arrived");
    await last.quit();
  });

  it("is a new message when its task had ended: its reply has most likely arrived [send-same-message-id]", async () => {
    const before = await house.open();
    await before.finish("done");
    await before.kill();
    const server = await house.open();
    assert.equal(again(server), undefined);
    await server.quit();
  });
});
