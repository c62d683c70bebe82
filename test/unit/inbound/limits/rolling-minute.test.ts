import assert from "node:assert/strict";
import fc from "fast-check";
import { createRollingMinute } from "../../../../src/inbound/limits/rolling-minute.ts";

describe("a rolling minute", () => {
  it("takes as many as the limit, and says when the next may come", () => {
    const minute = createRollingMinute();
    for (let nth = 0; nth < 60; nth++) assert.equal(minute.take(60, 500), undefined);
    assert.equal(minute.take(60, 900), 61);
    assert.equal(minute.take(60, 60_900), 1);
    assert.equal(minute.take(60, 61_000), undefined);
  });

  it("lets go second by second (X18)", () => {
    const minute = createRollingMinute();
    minute.take(2, 0);
    minute.take(2, 30_000);
    assert.equal(minute.take(2, 60_000), 1);
    assert.equal(minute.take(2, 61_000), undefined);
    assert.equal(minute.take(2, 61_000), 30);
  });

  it("does not count what it refuses", () => {
    const minute = createRollingMinute();
    minute.take(1, 0);
    for (let now = 1000; now < 61_000; now += 1000) assert.notEqual(minute.take(1, now), undefined);
    assert.equal(minute.take(1, 61_000), undefined);
  });

  it("keeps to a limit that was lowered meanwhile, and to one that was raised", () => {
    const minute = createRollingMinute();
    for (let second = 0; second < 10; second++) minute.take(10, second * 1000);
    assert.equal(minute.wait(5, 10_000), 56);
    assert.equal(minute.wait(11, 10_000), undefined);
  });

  it("forgets all after a long silence", () => {
    const minute = createRollingMinute();
    minute.take(1, 0);
    assert.equal(minute.take(1, 1_000_000_000), undefined);
  });

  it("never takes more than the limit within a minute, and its word can be relied on", () => {
    const steps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), steps, (limit, pauses) => {
        const minute = createRollingMinute();
        const taken: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          const wait = minute.take(limit, now);
          if (wait === undefined) taken.push(now);
          else assert.equal(minute.wait(limit, now + wait * 1000), undefined);
          assert.ok(taken.filter((at) => at > now - 60_000).length <= limit);
          if (wait !== undefined) now += wait * 1000;
        }
      }),
    );
  });
});
