// A start on many records: others have their turn meanwhile, and what is not kept is let go.

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ALICE, GENEROUS_LIMITS } from "../../../support/engine-rig.ts";
import { lineBytes } from "../../../support/journal-lines.ts";
import { createJournalHouse, type JournalHouse } from "../../../support/journal-rig.ts";

const RECORDS = 40_000;
/** Each step over all of them is to give up its turn for so many. */
const PER_TURN = 5_000;

function endLine(n: number): Buffer {
  const [taskId, contextId, at] = [`task-${n}`, `ctx-${n % 30_000}`, n + 1];
  const status = { state: "TASK_STATE_COMPLETED", timestamp: new Date(at).toISOString() } as const;
  const event = { kind: "status", taskId, contextId, at, status } as const;
  return lineBytes({ event, end: { task: { id: taskId, contextId, status }, owner: ALICE, ranAt: at } }, n + 1);
}

describe("a start on many records", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
    await mkdir(house.folder, { mode: 0o700 });
    const lines = Array.from({ length: RECORDS }, (_, n) => endLine(n));
    await writeFile(join(house.folder, "old.0.jsonl"), Buffer.concat(lines), { mode: 0o600 });
  });
  afterEach(() => house.remove());

  it("gives up its turn in each of its steps", async () => {
    const { clock } = house;
    let turns = 0;
    const defer: typeof clock.defer = (fire) => {
      turns += 1;
      return clock.defer(fire);
    };
    const server = await house.open({ clock: { ...clock, defer } });
    // Sorted, counted, looked through for what stays, taken in, and each context given its last run.
    assert.ok(turns >= (5 * RECORDS) / PER_TURN, `${turns} turns`);
    assert.equal(server.engine.stats().tasks, RECORDS);
    await server.quit();
  });

  it("keeps what the limits allow, the newest, and makes the file smaller by the rest", async () => {
    house.limits = { ...GENEROUS_LIMITS, maxTasks: 100 };
    const server = await house.open();
    assert.ok(server.engine.stats().tasks > 80 && server.engine.stats().tasks <= 100);
    const { tasks } = await server.engine.list(ALICE, { limit: 1 });
    assert.equal(tasks[0]?.id, `task-${RECORDS - 1}`);
    assert.equal(server.engine.has(ALICE, "task-0"), false);
    await server.journal.idle();
    await server.quit();
    const next = await house.open();
    assert.ok(next.engine.stats().tasks <= 100);
    await next.quit();
  });

  it("keeps what is young enough", async () => {
    house.limits = { ...GENEROUS_LIMITS, retentionMs: 1_000 };
    house.clock.tick(RECORDS - house.clock.now());
    const server = await house.open();
    assert.equal(server.engine.stats().tasks, 1_001);
    await server.quit();
  });
});
