import assert from "node:assert/strict";
import type { EngineLimits } from "../../../src/engine/engine-types.ts";
import { openWindow, questionLimit, runLimit } from "../../../src/engine/windows.ts";
import { GENEROUS_LIMITS } from "../../support/engine-rig.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

const LIMITS: EngineLimits = { ...GENEROUS_LIMITS, replyTimeoutMs: 300_000, asyncTimeoutMs: 86_400_000 };

describe("windows", () => {
  it("bounds a task whose caller waits by the reply window, a detached one by the supervision window", () => {
    assert.equal(runLimit(LIMITS, false)?.ms, 300_000);
    assert.equal(runLimit(LIMITS, true)?.ms, 86_400_000);
    assert.equal(questionLimit(LIMITS)?.ms, 86_400_000);
  });

  it("names the limit in seconds and its setting", () => {
    assert.match(runLimit(LIMITS, false)?.text ?? "", /within 300 s.*replyTimeoutSec/);
    assert.match(runLimit(LIMITS, true)?.text ?? "", /within 86400 s.*asyncTimeoutSec/);
    assert.match(questionLimit({ ...LIMITS, asyncTimeoutMs: 1500 })?.text ?? "", /^no answer within 1\.5 s/);
  });

  it("has no limit at 0", () => {
    assert.equal(runLimit(GENEROUS_LIMITS, false), undefined);
    assert.equal(runLimit(GENEROUS_LIMITS, true), undefined);
    assert.equal(questionLimit(GENEROUS_LIMITS), undefined);
  });

  it("counts from the given time, not from the moment it was opened", () => {
    const clock = createFakeClock();
    const since = clock.now();
    const expired: string[] = [];
    clock.tick(400);
    openWindow(clock, { ms: 1000, text: "up" }, since, (text) => expired.push(text));
    clock.tick(599);
    assert.deepEqual(expired, []);
    clock.tick(1);
    assert.deepEqual(expired, ["up"]);
  });
});
