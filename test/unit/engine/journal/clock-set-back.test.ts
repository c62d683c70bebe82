// A computer without a battery for its clock, or with one that was wrong: the time of a later start may lie before that of an earlier
// one.

import assert from "node:assert/strict";
import { userMessage } from "../../../support/builders.ts";
import { ALICE, GENEROUS_LIMITS } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, turn } from "../../../support/journal-rig.ts";

const HOUR_MS = 3_600_000;

describe("journal: a clock that was set back between two starts", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  it("goes on in a context where it stopped", async () => {
    const first = await house.open();
    const { contextId } = await first.finish("one");
    await first.kill();
    house.clock.setBack(HOUR_MS);
    const message = userMessage({ contextId });
    const second = await house.open();
    const two = await second.finish("two", { message });
    await second.kill();
    const third = await house.open();
    const three = await third.start({ message });
    assert.equal(three.run.request.previousTaskId, two.taskId);
    three.run.working();
    await turn();
    await turn();
    await third.kill();
    const fourth = await house.open();
    const four = await fourth.start({ message });
    assert.equal(four.run.request.previousTaskId, three.taskId);
    const earlier = [];
    for await (const { id } of four.run.request.earlier?.() ?? []) earlier.push(id);
    assert.deepEqual(earlier.slice(0, 2), [three.taskId, two.taskId]);
    four.run.complete();
    await fourth.settled(four);
    await fourth.quit();
  });

  it("keeps no webhook that was deleted", async () => {
    const first = await house.open();
    const { taskId } = await first.finish("one");
    house.clock.tick(2 * HOUR_MS);
    await first.engine.push.set(ALICE, taskId, { id: "a", url: "https://hooks.example.com/" });
    house.clock.setBack(HOUR_MS);
    await first.engine.push.delete(ALICE, taskId, "a");
    await first.kill();
    const second = await house.open();
    assert.deepEqual(await second.engine.push.list(ALICE, taskId), []);
    await second.quit();
  });

  it("waits for an answer no longer than the limit", async () => {
    house.limits = { ...GENEROUS_LIMITS, asyncTimeoutMs: 60_000 };
    const first = await house.open();
    const asking = await first.start();
    asking.run.ask("which one?");
    await first.settled(asking);
    await first.kill();
    house.clock.setBack(HOUR_MS);
    const second = await house.open();
    house.clock.tick(60_000);
    await turn();
    await turn();
    const { status } = await second.engine.get(ALICE, asking.taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    await second.quit();
  });
});
