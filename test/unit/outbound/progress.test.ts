import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { createLog } from "../../../src/core/platform/log.ts";
import type { CallProgress } from "../../../src/outbound/client-types.ts";
import { startProgress } from "../../../src/outbound/progress.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

describe("progress of a call", () => {
  it("tells the first stand at once, later ones at most four times a second, and always the newest", () => {
    const clock = createFakeClock();
    const told: CallProgress[] = [];
    const progress = startProgress({ clock, log: createLog(clock, () => "id") }, (one) => told.push(one));
    for (let n = 0; n <= 100; n++) {
      progress.update({ taskId: "t1", line: `line ${n}` });
      clock.tick(10);
    }
    assert.deepEqual(told[0], { elapsedMs: 0, taskId: "t1", line: "line 0" });
    assert.equal(told.length, 5);
    clock.tick(250);
    assert.equal(told.at(-1)?.line, "line 100");
    assert.equal(clock.pending(), 0);
  });

  it("tells nothing after it was stopped", () => {
    const clock = createFakeClock();
    const told: CallProgress[] = [];
    const progress = startProgress({ clock, log: createLog(clock, () => "id") }, (one) => told.push(one));
    progress.update({ line: "a" });
    progress.update({ line: "b" });
    progress.stop();
    clock.tick(1000);
    assert.equal(told.length, 1);
    assert.equal(clock.pending(), 0);
  });

  it("survives a display that throws, and logs it", () => {
    const clock = createFakeClock();
    const log = createLog(clock, () => "id");
    const progress = startProgress({ clock, log }, () => {
      throw new Error("no terminal");
    });
    progress.update({ line: "a" });
    assert.match(log.lines()[0]?.text ?? "", /no terminal/);
  });
});
