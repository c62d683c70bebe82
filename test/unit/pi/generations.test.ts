// The engines of one process after a reload: the one before is used until nothing is left to do there, then the newest has its tasks.

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import type { RecoveredTasks } from "../../../src/engine/recovered-tasks.ts";
import { NO_USAGE } from "../../../src/pi/child/usage.ts";
import { type Generation, type Generations, startGenerations } from "../../../src/pi/generations.ts";
import { userMessage } from "../../support/builders.ts";
import { ALICE } from "../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer, turn } from "../../support/journal-rig.ts";

/** What the tests change of a generation. */
interface State {
  isIdle: boolean;
  isDoorIdle: boolean;
  /** Called in the midst of the take-over, before the newest has anything. */
  midst: () => Promise<void>;
  /** Why nothing can be taken over. */
  failure: Error | undefined;
}

function generationOf({ engine, journal, siblings }: KeptServer, state: State): Generation {
  const recover = async (tasks: RecoveredTasks): Promise<void> => {
    await state.midst();
    await engine.recover(tasks, () => undefined);
  };
  return {
    engine,
    journal: { keys: journal.keys, secret: "s" },
    usage: () => ({ ...NO_USAGE, runs: 1 }),
    isIdle: () => state.isIdle,
    async takeOver(keys) {
      if (state.failure !== undefined) throw state.failure;
      await journal.adopt(recover, keys);
    },
    async close(how) {
      await siblings.close();
      await journal[how]();
    },
  };
}

describe("generations: after a reload", () => {
  let house: JournalHouse;
  let former: KeptServer;
  let newest: KeptServer;
  let state: State;
  let generations: Generations;
  let closed: number;
  beforeEach(async () => {
    house = await createJournalHouse();
    former = await house.open();
    newest = await house.open();
    state = { isIdle: true, isDoorIdle: true, midst: async () => undefined, failure: undefined };
    closed = 0;
    const door = { isIdle: () => state.isDoorIdle, close: () => void closed++ };
    const before = { generation: generationOf(former, state), door };
    generations = startGenerations({ clock: house.clock, log: newest.log }, generationOf(newest, state), {
      formers: [before],
      usage: NO_USAGE,
    });
    generations.watch();
  });
  afterEach(async () => {
    const stopping = generations.engine.stop("the test is over");
    for (let n = 0; n < 10; n++) {
      house.clock.tick(1_000);
      await turn();
    }
    await stopping;
    await generations.close();
    assert.equal(house.clock.pending(), 0);
    await house.remove();
  });

  /** Time for a look, and for what comes of it. */
  const look = async (): Promise<void> => {
    house.clock.tick(1_000);
    for (let n = 0; n < 60; n++) await turn();
  };
  const isMoved = (): boolean => generations.journals().length === 1;
  const moved = async (): Promise<void> => {
    house.clock.tick(1_000);
    while (!isMoved()) await turn();
  };
  const ask = async (server: KeptServer, messageId = "m-ask") => {
    const asked = await server.start({ message: userMessage({ messageId }) });
    asked.run.working();
    asked.run.ask("Which?");
    await server.settled(asked);
    asked.subscription.close();
    return asked;
  };
  const listed = async (): Promise<readonly string[]> =>
    (await generations.engine.list(ALICE, { limit: 100 })).tasks.map(({ id }) => id);

  it("the newest takes over what the one before has kept, which is closed", async () => {
    const done = await former.finish("done");
    const asked = await ask(former);
    const before = [
      await generations.engine.get(ALICE, done.taskId),
      await generations.engine.get(ALICE, asked.taskId),
    ];
    await moved();
    assert.ok(newest.engine.has(ALICE, done.taskId) && newest.engine.has(ALICE, asked.taskId));
    assert.deepEqual(
      [await generations.engine.get(ALICE, done.taskId), await generations.engine.get(ALICE, asked.taskId)],
      before,
    );
    assert.deepEqual((await listed()).toSorted(), [done.taskId, asked.taskId].toSorted());
    assert.equal(closed, 1);
    const marks = (await readdir(house.folder)).filter((name) => !name.endsWith(".jsonl"));
    assert.deepEqual(marks.toSorted(), [`${former.key}.by-${newest.key}.json`, `${newest.key}.owner.json`].toSorted());
    assert.equal(generations.usage().runs, 2);
    assert.equal(generations.engine.stats().completed, 1);
  });

  it("an answer goes on where the question is now, in the same task", async () => {
    const { taskId } = await ask(former);
    await moved();
    const message = userMessage({ messageId: "m-answer", taskId });
    await generations.engine.submit({ caller: ALICE, message, detached: false });
    while (newest.runner.runs.length === 0) await turn();
    newest.runner.runs[0]?.complete();
    assert.equal((await generations.engine.settled(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
  });

  it("nothing moves while there is something to do", async () => {
    const { taskId, run, subscription } = await former.start();
    subscription.close();
    run.working();
    await look();
    assert.ok(!isMoved(), "a task works");
    run.ask("Which?");
    await former.settled({ taskId, first: Promise.resolve({ kind: "task" }) });
    const follower = await generations.engine.subscribe(ALICE, taskId);
    await look();
    assert.ok(!isMoved(), "somebody follows a task");
    follower.close();
    state.isDoorIdle = false;
    await look();
    assert.ok(!isMoved(), "a request is open");
    state.isDoorIdle = true;
    state.isIdle = false;
    await look();
    assert.ok(!isMoved(), "a notice is on its way");
    state.isIdle = true;
    await moved();
    assert.ok(newest.engine.has(ALICE, taskId));
  });

  it("while its tasks move each is known, and stands in a list once", async () => {
    const done = await former.finish("done");
    const cut = await former.finish("cut", { message: userMessage({ messageId: "m-cut" }) });
    const { taskId } = await ask(former);
    let inMidst: Promise<unknown>[] = [];
    const { engine } = generations;
    state.midst = async () => {
      assert.equal((await engine.get(ALICE, done.taskId)).id, done.taskId);
      assert.ok(engine.has(ALICE, taskId));
      const answer = userMessage({ messageId: "m-answer", taskId });
      const request = { caller: ALICE, detached: false };
      inMidst = [
        listed(),
        engine.submit({ ...request, message: answer }),
        engine.resend({ ...request, message: userMessage({ messageId: "m-cut" }) }) ?? assert.fail("runs twice"),
      ];
    };
    await moved();
    const [list, answered, again] = await Promise.all(inMidst);
    assert.deepEqual((list as string[]).toSorted(), [done.taskId, cut.taskId, taskId].toSorted());
    assert.equal((answered as { taskId: string }).taskId, taskId);
    const { taskId: led, replied } = again as Awaited<ReturnType<typeof engine.submit>>;
    assert.equal(led, cut.taskId);
    replied?.("reply");
    const request = { caller: ALICE, message: userMessage({ messageId: "m-cut" }), detached: false };
    assert.equal(engine.resend(request), undefined, "the one that has the task now heard of the reply");
    while (newest.runner.runs.length === 0) await turn();
    assert.equal(newest.runner.runs.length, 1);
  });

  it("what could not be taken over stays where it is, and is tried again after a while", async () => {
    const { taskId } = await former.finish("done");
    state.failure = new Error("EIO");
    house.clock.tick(1_000);
    while (!newest.log.lines().some(({ text }) => text.includes("taking over the tasks from before"))) await turn();
    assert.equal((await generations.engine.get(ALICE, taskId)).id, taskId);
    state.failure = undefined;
    await look();
    assert.ok(!isMoved(), "at once");
    house.clock.tick(60_000);
    await moved();
    assert.equal((await generations.engine.get(ALICE, taskId)).id, taskId);
  });

  it("a newer load gets what is left, and goes on with it", async () => {
    const { taskId } = await former.finish("done");
    const released = await generations.release({ isIdle: () => true, close: () => undefined });
    await look();
    assert.ok(!newest.engine.has(ALICE, taskId));
    assert.equal(released.formers.length, 2);
    const last = await house.open();
    generations = startGenerations({ clock: house.clock, log: last.log }, generationOf(last, state), released);
    generations.watch();
    assert.equal((await generations.engine.get(ALICE, taskId)).id, taskId);
    while (!isMoved()) await look();
    assert.ok(last.engine.has(ALICE, taskId));
    assert.equal(generations.usage().runs, 3);
  });

  it("nobody else takes over what was released, as long as the process lives", async () => {
    const { taskId } = await former.finish("done");
    await former.engine.stop("moves");
    await former.journal.release();
    const sibling = await house.open();
    await sibling.siblings.takeOver();
    assert.ok(!sibling.engine.has(ALICE, taskId));
    assert.equal((await sibling.siblings.find(ALICE, taskId))?.task.id, taskId);
    await sibling.quit();
    await moved();
    assert.ok(newest.engine.has(ALICE, taskId));
  });
});
