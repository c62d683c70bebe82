import assert from "node:assert/strict";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { userMessage } from "../../../support/builders.ts";
import { ALICE, BOB, GENEROUS_LIMITS } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, turn } from "../../../support/journal-rig.ts";

describe("journal: a server after another one", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  it("has what finished as it was: get, list, count, and only for its owner (S19)", async () => {
    const first = await house.open();
    const one = await first.finish("one");
    house.clock.tick(5);
    const two = await first.finish("two", {
      message: userMessage({ contextId: one.contextId, metadata: { a: [1, null] } }),
    });
    const before = await first.engine.list(ALICE, { limit: 10 });
    await first.kill();

    const second = await house.open();
    assert.deepEqual(second.problems, []);
    assert.deepEqual(await second.engine.list(ALICE, { limit: 10 }), before);
    assert.deepEqual(await second.engine.get(ALICE, two.taskId), before.tasks[0]);
    assert.equal((await second.engine.list(ALICE, { limit: 10, contextId: one.contextId })).total, 2);
    assert.equal(second.engine.has(BOB, one.taskId), false);
    await second.quit();
  });

  it("has them also after a quit, and from the server before that one", async () => {
    const first = await house.open();
    const { taskId } = await first.finish("one");
    await first.quit();
    const second = await house.open();
    await second.quit();
    const third = await house.open();
    assert.equal((await third.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    await third.quit();
  });

  it("fails what ran or waited, with the reason, the transcript and what was stored so far (L11)", async () => {
    const first = await house.open();
    const running = await first.start();
    running.run.working();
    running.run.text("a piece", { id: "notes", lastChunk: false });
    running.run.text("whole", { id: "file" });
    const waiting = await first.engine.submit({
      ...{ caller: ALICE, detached: true },
      message: userMessage({ messageId: "m-9", contextId: running.contextId }),
    });
    await turn();
    await turn();
    await first.kill();

    const second = await house.open({ trace: (taskId) => (taskId === running.taskId ? "steps.jsonl" : undefined) });
    const task = await second.engine.get(ALICE, running.taskId);
    assert.equal(task.status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(task.status.message), /interrupted by .*steps\.jsonl/);
    assert.deepEqual(
      task.artifacts?.map(({ artifactId, metadata }) => [artifactId, metadata]),
      [
        ["notes", { partial: true }],
        ["file", undefined],
      ],
    );
    assert.equal((await second.engine.get(ALICE, waiting.taskId)).status.state, "TASK_STATE_FAILED");
    assert.deepEqual([second.engine.stats().running, second.engine.stats().waiting], [0, 0]);
    await second.kill();

    const third = await house.open();
    assert.deepEqual(await third.engine.get(ALICE, running.taskId), task);
    await third.quit();
  });

  for (const [how, leave] of [
    ["a crash", async (server: { kill(): Promise<void> }) => server.kill()],
    ["a quit", async (server: { quit(): Promise<void> }) => server.quit()],
  ] as const) {
    it(`takes the answer to a question from before ${how}`, async () => {
      house.limits = { ...GENEROUS_LIMITS, asyncTimeoutMs: 60_000 };
      const first = await house.open();
      const asking = await first.start();
      const { taskId, contextId, run } = asking;
      run.ask("which one?");
      const asked = await first.settled(asking);
      await leave(first);

      house.clock.tick(30_000);
      const second = await house.open();
      assert.deepEqual(await second.engine.get(ALICE, taskId), asked);
      const answer = await second.engine.submit({
        ...{ caller: ALICE, detached: false },
        message: userMessage({ messageId: "m-2", taskId }),
      });
      assert.deepEqual([answer.taskId, answer.contextId], [taskId, contextId]);
      const resumed = await second.runner.next();
      assert.equal(resumed.request.resumes, true);
      assert.equal(resumed.request.history.length, 2);
      resumed.text("done");
      resumed.complete();
      assert.equal((await second.engine.settled(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
      await second.kill();

      const third = await house.open();
      const done = await third.engine.get(ALICE, taskId);
      assert.equal(done.status.state, "TASK_STATE_COMPLETED");
      assert.equal(done.history?.length, 3);
      await third.quit();
    });
  }

  it("ends a question whose time is up, counted from when it was asked", async () => {
    house.limits = { ...GENEROUS_LIMITS, asyncTimeoutMs: 60_000 };
    const first = await house.open();
    const asking = await first.start();
    const { taskId } = asking;
    asking.run.ask("which one?");
    await first.settled(asking);
    await first.kill();
    house.clock.tick(40_000);
    const second = await house.open();
    house.clock.tick(19_000);
    assert.equal((await second.engine.get(ALICE, taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    house.clock.tick(1_000);
    await turn();
    await turn();
    const { status } = await second.engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(status.message), /no answer within 60 s/);
    await second.quit();
  });

  it("goes on in a context from the task whose run began last there, whatever ended last", async () => {
    const first = await house.open();
    const asking = await first.start();
    asking.run.ask("which one?");
    await first.settled(asking);
    house.clock.tick(10);
    const later = await first.finish("later", { message: userMessage({ contextId: asking.contextId }) });
    house.clock.tick(10);
    await first.engine.cancel(ALICE, asking.taskId);
    await first.kill();
    const second = await house.open();
    const next = await second.start({ message: userMessage({ contextId: asking.contextId }) });
    assert.equal(next.run.request.previousTaskId, later.taskId);
    next.run.complete();
    await second.settled(next);
    await second.quit();
  });

  it("goes on in a context after a direct reply, which it shows to nobody", async () => {
    const first = await house.open();
    const { taskId, contextId, run } = await first.start();
    run.reply("hi");
    await turn();
    await turn();
    await first.kill();
    const second = await house.open();
    assert.equal(second.engine.has(ALICE, taskId), false);
    assert.equal((await second.engine.list(ALICE, { limit: 5 })).total, 0);
    const next = await second.start({ message: userMessage({ contextId }) });
    assert.equal(next.run.request.previousTaskId, taskId);
    next.run.complete();
    await second.settled(next);
    await second.quit();
  });

  it("keeps webhooks: of a question, of an ended task, and without those that were deleted", async () => {
    const hook = { id: "a", url: "https://hooks.example.com/" };
    const first = await house.open();
    const asking = await first.start({ push: hook });
    asking.run.ask("which one?");
    await first.settled(asking);
    const done = await first.finish("done");
    await first.engine.push.set(ALICE, done.taskId, { ...hook, token: "one" });
    await first.engine.push.set(ALICE, done.taskId, { ...hook, token: "two" });
    await first.engine.push.set(ALICE, done.taskId, { ...hook, id: "b" });
    await first.engine.push.delete(ALICE, done.taskId, "b");
    await first.kill();
    const second = await house.open();
    assert.deepEqual(await second.engine.push.list(ALICE, asking.taskId), [{ ...hook, taskId: asking.taskId }]);
    assert.deepEqual(await second.engine.push.list(ALICE, done.taskId), [
      { ...hook, token: "two", taskId: done.taskId },
    ]);
    await second.quit();
  });

  it("lets finished tasks go by age, while it runs and at a start, and never what asks", async () => {
    house.limits = { ...GENEROUS_LIMITS, retentionMs: 24 * 3_600_000 };
    const first = await house.open();
    const asking = await first.start();
    asking.run.ask("which one?");
    await first.settled(asking);
    const old = await first.finish("old");
    house.clock.tick(23 * 3_600_000);
    const young = await first.finish("young");
    assert.equal(first.engine.has(ALICE, old.taskId), true);
    house.clock.tick(2 * 3_600_000);
    assert.equal(first.engine.has(ALICE, old.taskId), false);
    await assert.rejects(first.engine.get(ALICE, old.taskId), (error) => isA2aError(error, "TASK_NOT_FOUND"));
    await first.kill();
    house.clock.tick(20 * 3_600_000);
    const second = await house.open();
    assert.deepEqual(
      [old, young, asking].map(({ taskId }) => second.engine.has(ALICE, taskId)),
      [false, true, true],
    );
    await second.kill();
    house.clock.tick(10 * 3_600_000);
    const third = await house.open();
    assert.deepEqual(
      [young, asking].map(({ taskId }) => third.engine.has(ALICE, taskId)),
      [false, true],
    );
    await third.quit();
  });

  it("leaves no file behind when it kept nothing", async () => {
    const server = await house.open();
    await server.quit();
    assert.deepEqual(await readdir(house.folder), []);
  });

  it("keeps its files from others", async () => {
    const server = await house.open();
    await server.finish("one");
    assert.equal((await stat(house.folder)).mode & 0o777, 0o700);
    const names = await readdir(house.folder);
    assert.deepEqual(names, ["server-1.0.jsonl", "server-1.owner.json"]);
    for (const name of names) assert.equal((await stat(join(house.folder, name))).mode & 0o777, 0o600);
    await server.quit();
  });

  it("refuses everything after its end", async () => {
    const server = await house.open();
    await server.quit();
    const late = server.engine.submit({ caller: ALICE, message: userMessage(), detached: false });
    await assert.rejects(late, (error) => isA2aError(error, "SHUTTING_DOWN"));
    await assert.rejects(server.journal.write([]), (error) => isA2aError(error, "FILE_FAILED"));
  });
});
