import assert from "node:assert/strict";
import { duration } from "../../../../src/pi/text/duration.ts";

describe("duration", () => {
  it("shows tenths of a second below a minute, then minutes and seconds, then hours", () => {
    assert.equal(duration(0), "0.0s");
    assert.equal(duration(12_345), "12.3s");
    assert.equal(duration(125_000), "2m 05s");
    assert.equal(duration(3 * 3_600_000 + 12 * 60_000), "3h 12m");
  });

  it("never shows negative time", () => {
    assert.equal(duration(-5), "0.0s");
  });
});
