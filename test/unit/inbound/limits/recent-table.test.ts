import assert from "node:assert/strict";
import { createRecentTable } from "../../../../src/inbound/limits/recent-table.ts";

describe("a table of recent things", () => {
  it("keeps one thing for each key", () => {
    const table = createRecentTable(() => ({}), 3);
    assert.equal(table.get("a"), table.get("a"));
    assert.notEqual(table.get("a"), table.get("b"));
  });

  it("remembers the keys that were asked for last", () => {
    const table = createRecentTable(() => ({}), 3);
    const things = ["a", "b", "c"].map((key) => table.get(key));
    table.get("d");
    assert.deepEqual(
      ["b", "c"].map((key) => table.get(key)),
      things.slice(1),
    );
  });

  it("does not grow in a flood, and keeps what is used all the while", () => {
    const table = createRecentTable(() => ({}), 100);
    const used = table.get("used");
    for (let nth = 0; nth < 10_000; nth++) {
      table.get(`flood ${nth}`);
      if (nth % 50 === 0) assert.equal(table.get("used"), used);
    }
    assert.ok(table.size <= 200);
  });
});
