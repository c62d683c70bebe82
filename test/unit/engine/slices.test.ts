// Going through very many things while others have their turn.

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Clock } from "../../../src/core/platform/clock.ts";
import { eachInSlices, sortInSlices } from "../../../src/engine/slices.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const MANY = 100_000;
/** More in one stretch are felt by others. */
const MOST_AT_ONCE = 10_000;

/** Whatever is deferred comes at once, and is counted. */
function countingClock(onTurn: () => void): Clock {
  return {
    ...createFakeClock(),
    defer(fire) {
      onTurn();
      queueMicrotask(fire);
      return { stop: () => undefined };
    },
  };
}

describe("slices", () => {
  it("let others have their turn between few items, and give each once, in order", async () => {
    const seen: number[] = [];
    let atLastTurn = 0;
    const clock = countingClock(() => {
      assert.ok(seen.length - atLastTurn <= MOST_AT_ONCE, `${seen.length - atLastTurn} in one stretch`);
      atLastTurn = seen.length;
    });
    const items = Array.from({ length: MANY }, (_, n) => n);
    await eachInSlices(clock, items, (item) => seen.push(item));
    assert.deepEqual(seen, items);
    assert.ok(MANY - atLastTurn <= MOST_AT_ONCE);
  });

  it("sort while others have their turn, whatever the order was", async () => {
    let compared = 0;
    let turns = 0;
    let most = 0;
    const clock = countingClock(() => {
      turns += 1;
      most = Math.max(most, compared);
      compared = 0;
    });
    // As of files that are read in another order than they were written, and of two that were written at once.
    const late = Array.from({ length: MANY }, (_, n) => ({ at: n + MANY, n }));
    const mixed = Array.from({ length: MANY }, (_, n) => ({ at: n % 2 === 0 ? n : MANY - n, n }));
    const sorted = await sortInSlices(clock, [...late, ...mixed], (a, b) => {
      compared += 1;
      return a.at - b.at || a.n - b.n;
    });
    assert.equal(sorted.length, 2 * MANY);
    for (const [index, { at }] of sorted.entries()) assert.ok(at >= (sorted[index - 1]?.at ?? 0));
    assert.ok(turns >= 20, `${turns} turns`);
    // Of so many items a sort compares each with less than twenty others.
    assert.ok(most <= MOST_AT_ONCE * 20, `${most} comparisons in one stretch`);
  });

  it("sort as a sort does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer()), async (items) => {
        const clock = countingClock(() => undefined);
        assert.deepEqual(
          await sortInSlices(clock, items, (a, b) => a - b),
          [...items].sort((a, b) => a - b),
        );
      }),
    );
  });
});
