// Messages that come again after the server that took them has died.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import type { Message } from "../../../../src/core/protocol/types.ts";
import type { Submission } from "../../../../src/engine/engine-types.ts";
import { LOST_MS } from "../../../../src/engine/resends.ts";
import { userMessage } from "../../../support/builders.ts";
import { ALICE, BOB } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer } from "../../../support/journal-rig.ts";

function again({ engine }: KeptServer, message: Partial<Message> = {}, caller = ALICE) {
  return engine.resend({ caller, message: userMessage(message), detached: false });
}

/** Neither another caller nor another content leads anywhere. */
function assertNobodyElses(server: KeptServer): void {
  assert.equal(again(server, {}, BOB), undefined);
  assert.equal(again(server, { parts: [{ text: "other" }] }), undefined);
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
    assertNobodyElses(server);
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

  describe("when its task had ended by then", () => {
    const ended = async (server: KeptServer, message: Partial<Message> = {}) => {
      const submission = await server.finish("done", { message: userMessage(message) });
      return submission;
    };
    const replyOf = (submission: Submission | undefined): unknown =>
      submission?.subscription.snapshot().artifacts?.[0]?.parts;

    it("gets the reply that the crash has cut, and runs nothing (S17, C40) [send-resend-attaches]", async () => {
      const before = await house.open();
      const { taskId } = await ended(before);
      await before.kill();
      const server = await house.open();
      assertNobodyElses(server);
      const submission = await again(server);
      assert.equal(submission?.taskId, taskId);
      assert.deepEqual(replyOf(submission), [{ text: "done" }]);
      assert.equal(server.runner.runs.length, 0);
      await server.quit();
    });

    it("is a new message when its reply has arrived, as was written with what came next [send-same-message-id]", async () => {
      const before = await house.open();
      (await ended(before)).replied?.("reply");
      const cut = await ended(before, { messageId: "m-2" });
      cut.replied?.("lost");
      await working(before, { messageId: "m-3" });
      await before.kill();
      const server = await house.open();
      assert.equal(again(server), undefined);
      assert.equal((await again(server, { messageId: "m-2" }))?.taskId, cut.taskId);
      await server.quit();
    });

    it("is a new message when its reply has arrived a second before, and nothing else came [send-same-message-id]", async () => {
      const before = await house.open();
      (await ended(before)).replied?.("reply");
      house.clock.tick(1_000);
      await before.journal.write([]);
      await before.kill();
      const server = await house.open();
      assert.equal(again(server), undefined);
      await server.quit();
    });

    it("is a new message when its reply has arrived before a quit [send-same-message-id]", async () => {
      const before = await house.open();
      (await ended(before)).replied?.("reply");
      await before.quit();
      const server = await house.open();
      assert.equal(again(server), undefined);
      await server.quit();
    });

    it("leads there over any number of starts, until its reply arrives", async () => {
      const first = await house.open();
      const { taskId } = await ended(first);
      const { taskId: interrupted } = await working(first, { messageId: "m-2" });
      const asking = await working(first, { messageId: "m-3" });
      asking.run.ask("Which?");
      await first.settled(asking);
      await first.kill();
      const found = async (server: KeptServer) =>
        Promise.all(["m-1", "m-2", "m-3"].map((messageId) => again(server, { messageId })));
      for (let starts = 0; starts < 3; starts++) {
        const server = await house.open();
        assert.deepEqual(
          (await found(server)).map((each) => each?.taskId),
          [taskId, interrupted, asking.taskId],
        );
        await server.kill();
      }
      const server = await house.open();
      for (const each of await found(server)) each?.replied?.("reply");
      await server.quit();
      const last = await house.open();
      assert.deepEqual(await found(last), [undefined, undefined, undefined]);
      await last.quit();
    });

    it("leads there from the server that has taken the dead one's tasks over while it lived", async () => {
      const sibling = await house.open();
      const before = await house.open();
      const { taskId } = await ended(before);
      await before.kill();
      await sibling.siblings.takeOver();
      assert.equal((await again(sibling))?.taskId, taskId);
      await sibling.quit();
    });

    it("is not found when it ended an hour before its server did", async () => {
      const before = await house.open();
      await ended(before);
      house.clock.tick(LOST_MS + 1);
      await working(before, { messageId: "m-2" });
      await before.kill();
      const server = await house.open();
      assert.equal(again(server), undefined);
      await server.quit();
    });

    it("gets the direct reply", async () => {
      const before = await house.open();
      const { run, first } = await before.start();
      run.reply("as said");
      await first;
      await before.kill();
      const server = await house.open();
      const found = await (await again(server))?.first;
      assert.deepEqual(found?.kind === "message" && found.message.parts, [{ text: "as said" }]);
      await server.quit();
    });

    it("is told apart from other messages of the same task, by which of them were answered", async () => {
      const before = await house.open({ steerable: true });
      const { taskId, run, ...first } = await working(before);
      const more = { messageId: "m-more", taskId };
      await before.engine.submit({ caller: ALICE, message: userMessage(more), detached: false });
      run.letters[0]?.taken();
      run.text("done");
      run.complete();
      await before.settled({ taskId, first: first.first });
      first.replied?.("reply");
      await working(before, { messageId: "m-3" });
      await before.kill();
      const server = await house.open();
      assert.equal(again(server), undefined);
      assert.equal((await again(server, more))?.taskId, taskId);
      await server.quit();
    });

    it("is told apart also when the files were made one since", async () => {
      for (let n = 0; n < 9; n++) {
        const server = await house.open();
        // Told of in another file than that of its end.
        if (n > 0) (await again(server, { messageId: `m-cut-${n - 1}` }))?.replied?.("reply");
        (await ended(server, { messageId: `m-told-${n}` })).replied?.("reply");
        await ended(server, { messageId: `m-cut-${n}` });
        await server.kill();
      }
      for (let starts = 0; starts < 3; starts++) {
        const server = await house.open();
        await server.journal.idle();
        assert.equal((await readdir(house.folder)).filter((name) => name.endsWith(".jsonl")).length, 1);
        for (let n = 0; n < 9; n++) {
          assert.equal(again(server, { messageId: `m-told-${n}` }), undefined);
          assert.equal(again(server, { messageId: `m-cut-${n}` }) !== undefined, n === 8);
        }
        await server.kill();
      }
    });
  });
});
