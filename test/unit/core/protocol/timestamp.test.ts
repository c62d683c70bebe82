import assert from "node:assert/strict";
import { normaliseTimestamp } from "../../../../src/core/protocol/timestamp.ts";

describe("a timestamp", () => {
  it("becomes UTC with milliseconds, whatever fraction and offset it has", () => {
    const cases: [string, string][] = [
      ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"],
      ["2026-01-02T03:04:05.1Z", "2026-01-02T03:04:05.100Z"],
      ["2026-01-02T03:04:05.123456789Z", "2026-01-02T03:04:05.123Z"],
      ["2026-01-02T03:04:05.9999z", "2026-01-02T03:04:05.999Z"],
      ["2026-01-02T00:00:00+02:00", "2026-01-01T22:00:00.000Z"],
      ["2026-01-01t22:30:00.5-01:30", "2026-01-02T00:00:00.500Z"],
      ["2026-01-02 03:04:05.123456+00:00", "2026-01-02T03:04:05.123Z"],
    ];
    for (const [text, expected] of cases) assert.equal(normaliseTimestamp(text), expected);
  });

  it("without zone is UTC and not this machine's time", () => {
    assert.equal(normaliseTimestamp("2026-01-02T03:04:05.678"), "2026-01-02T03:04:05.678Z");
  });

  it("that cannot be is none", () => {
    for (const text of ["", "yesterday", "2026-01-02", "2026-13-01T00:00:00Z", "2026-01-02T25:00:00Z", "1767312000"]) {
      assert.equal(normaliseTimestamp(text), undefined, text);
    }
  });
});
