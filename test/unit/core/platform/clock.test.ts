import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { createIsoTimes, isoTime, within } from "../../../../src/core/platform/clock.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("within", () => {
  it("tells whether the work ended in time and leaves no timer", async () => {
    const clock = createFakeClock();
    assert.equal(await within(clock, 100, Promise.resolve()), true);
    await assert.rejects(within(clock, 100, Promise.reject(new Error("no"))), /no/);
    const late = within(clock, 100, never());
    clock.tick(100);
    assert.equal(await late, false);
    assert.equal(clock.pending(), 0);
  });
});

describe("times as texts", () => {
  it("are those of isoTime, whichever was asked for before", () => {
    const textOf = createIsoTimes();
    for (const ms of [0, 0, 1, 1_767_323_045_678, 1_767_323_045_678, 0]) assert.equal(textOf(ms), isoTime(ms));
  });
});
