import assert from "node:assert/strict";
import { abortSignalOf, createStopper } from "../../../../src/core/platform/stop-signal.ts";

describe("a stopper", () => {
  it("tells each listener once, and none that has stopped listening or came too late", () => {
    const stopper = createStopper();
    const { signal } = stopper;
    const told: string[] = [];
    const gone = (): unknown => told.push("gone");
    signal.addEventListener("abort", () => told.push("first"));
    signal.addEventListener("abort", gone);
    signal.removeEventListener("abort", gone);
    assert.equal(signal.aborted, false);
    stopper.stop();
    stopper.stop();
    signal.addEventListener("abort", () => told.push("late"));
    assert.deepEqual([signal.aborted, told], [true, ["first"]]);
  });

  it("makes a real signal that aborts with it, also when it has stopped before", () => {
    const stopper = createStopper();
    const { signal } = stopper;
    const real = abortSignalOf(signal);
    assert.equal(real.aborted, false);
    stopper.stop();
    assert.equal(real.aborted, true);
    assert.equal(abortSignalOf(signal).aborted, true);
    assert.equal(abortSignalOf(real), real);
  });
});
