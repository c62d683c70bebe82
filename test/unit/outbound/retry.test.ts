import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { nextPauseMs, retryAfterMs } from "../../../src/outbound/retry.ts";

const NOW = Date.UTC(2026, 9, 21, 7, 27, 0);

describe("when a request is sent again", () => {
  const READ: readonly [header: string, ms: number | undefined][] = [
    ["30", 30_000],
    ["0", 0],
    ["99999999", 99_999_999_000],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 60_000],
    ["Wed, 21 Oct 2026 07:00:00 GMT", 0],
    ["Wed, 99 Oct 2026 07:28:00 GMT", undefined],
    ["-5", undefined],
    ["abc", undefined],
    ["", undefined],
    ["1.5", undefined],
    ["12345678901234567890", undefined],
    ["2026-10-21", undefined],
  ];
  for (const [header, ms] of READ) {
    it(`reads Retry-After ${JSON.stringify(header)} as ${ms ?? "nothing"} (C32)`, () => {
      assert.equal(retryAfterMs(header, NOW), ms);
    });
  }

  it("waits as long as it is asked to, but never less than a moment", () => {
    assert.equal(nextPauseMs(5000, 0, 60_000), 5000);
    assert.equal(nextPauseMs(0, 0, 60_000), 250);
  });

  it("waits with a growing pause of its own when nothing usable was asked (C32)", () => {
    assert.equal(nextPauseMs(undefined, 0, 60_000), 300);
    assert.equal(nextPauseMs(undefined, 1, 60_000), 900);
  });

  it("tries twice again at most", () => {
    assert.equal(nextPauseMs(undefined, 2, 60_000), undefined);
  });

  it("does not try again when the pause is over a minute or over the call's own time (C32)", () => {
    assert.equal(nextPauseMs(99_999_999_000, 0, Number.POSITIVE_INFINITY), undefined);
    assert.equal(nextPauseMs(5000, 0, 5000), undefined);
  });
});
