import assert from "node:assert/strict";
import { compactionFor } from "../../../../src/pi/child/keep-window.ts";

describe("compactionFor", () => {
  it("keeps and reserves less than half of the window, whatever its size (S03)", () => {
    for (const window of [1, 4_000, 8_192, 16_000, 32_000, 64_000, 128_000, 200_000, 2_000_000]) {
      const { enabled, reserveTokens, keepRecentTokens } = compactionFor(window);
      assert.equal(enabled, true);
      assert.ok(reserveTokens + keepRecentTokens <= window / 2, `${window}: ${reserveTokens} + ${keepRecentTokens}`);
    }
  });

  it("never takes more than Pi's own numbers", () => {
    assert.deepEqual(compactionFor(1_000_000), { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 });
  });

  it("takes Pi's own numbers when the size of the window is unknown", () => {
    for (const window of [0, -1, Number.NaN]) assert.deepEqual(compactionFor(window), compactionFor(1_000_000));
  });
});
