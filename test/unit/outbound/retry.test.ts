import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { nextPauseMs, type RetryQuestion, retryAfterMs } from "../../../src/outbound/retry.ts";

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

  const ask = (fields: Partial<RetryQuestion>): number | undefined =>
    nextPauseMs({ askedMs: undefined, retry: 0, mostRetries: 2, leftMs: 60_000, ...fields });

  it("waits as long as it is asked to, but never less than a moment", () => {
    assert.equal(ask({ askedMs: 5000 }), 5000);
    assert.equal(ask({ askedMs: 0 }), 250);
  });

  it("waits with a growing pause of its own when nothing usable was asked (C32)", () => {
    const pauses = [0, 1, 2, 3, 4, 9].map((retry) => ask({ retry, mostRetries: 10 }));
    assert.deepEqual(pauses, [300, 900, 2700, 8100, 10_000, 10_000]);
  });

  it("tries again as often as it is told", () => {
    assert.equal(ask({ mostRetries: 0 }), undefined);
    assert.equal(ask({ retry: 1 }), 900);
    assert.equal(ask({ retry: 2 }), undefined);
  });

  it("does not try again when the pause is over a minute or over the call's own time (C32)", () => {
    assert.equal(ask({ askedMs: 99_999_999_000, leftMs: Number.POSITIVE_INFINITY }), undefined);
    assert.equal(ask({ askedMs: 5000, leftMs: 5000 }), undefined);
  });
});
