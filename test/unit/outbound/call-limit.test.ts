import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { startCallLimit, withinLimit } from "../../../src/outbound/call-limit.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

describe("the limit of a call", () => {
  it("ends by time, with the text it was given", () => {
    const clock = createFakeClock();
    const limit = startCallLimit(clock, { timeoutMs: 1000, timeoutText: "too slow" });
    clock.tick(400);
    assert.equal(limit.leftMs(), 600);
    assert.equal(limit.cause(), undefined);
    clock.tick(600);
    assert.equal(limit.cause(), "timeout");
    assert.ok(isA2aError(limit.signal.reason, "PEER_TIMEOUT"));
    assert.equal(limit.leftMs(), 0);
    limit.stop();
    assert.equal(clock.pending(), 0);
  });

  it("ends by the caller's signal, also one that was aborted before", () => {
    const clock = createFakeClock();
    for (const signal of [AbortSignal.abort(), undefined]) {
      const stop = new AbortController();
      const limit = startCallLimit(clock, { timeoutMs: 1000, timeoutText: "", signal: signal ?? stop.signal });
      stop.abort();
      assert.equal(limit.cause(), "signal");
      assert.ok(isA2aError(limit.signal.reason, "CANCELLED"));
      limit.stop();
    }
    assert.equal(clock.pending(), 0);
  });

  it("keeps the first cause", () => {
    const clock = createFakeClock();
    const closed = new AbortController();
    const limit = startCallLimit(clock, { timeoutMs: 1000, timeoutText: "", closed: closed.signal });
    closed.abort();
    clock.tick(1000);
    assert.equal(limit.cause(), "closed");
    limit.stop();
  });

  it("passes an outer end on to an inner limit, and not back", () => {
    const clock = createFakeClock();
    const outer = startCallLimit(clock, { timeoutMs: 1000, timeoutText: "outer" });
    const inner = withinLimit(clock, outer, 300, "inner");
    clock.tick(300);
    assert.equal(inner.signal.reason.message, "inner");
    assert.equal(outer.signal.aborted, false);
    inner.stop();
    const second = withinLimit(clock, outer, 5000, "inner");
    assert.equal(second.leftMs(), 700);
    clock.tick(700);
    assert.equal(second.signal.aborted, true);
    second.stop();
    outer.stop();
    assert.equal(clock.pending(), 0);
  });
});
