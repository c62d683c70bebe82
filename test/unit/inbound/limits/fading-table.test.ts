import assert from "node:assert/strict";
import { createFadingTable } from "../../../../src/inbound/limits/fading-table.ts";

describe("a fading table", () => {
  const make = (max = 3) => createFadingTable(() => ({}), 100, max);

  it("keeps one thing for each key", () => {
    const table = make();
    assert.equal(table.get("a", 0), table.get("a", 50));
    assert.notEqual(table.get("a", 60), table.get("b", 60));
  });

  it("keeps a thing that is asked for, however long", () => {
    const table = make();
    const thing = table.get("a", 0);
    for (let now = 0; now <= 1000; now += 90) assert.equal(table.get("a", now), thing);
  });

  it("forgets what was not asked for", () => {
    const table = make();
    const thing = table.get("a", 0);
    table.get("b", 100);
    table.get("b", 200);
    assert.notEqual(table.get("a", 201), thing);
    assert.notEqual(table.get("b", 5000), thing);
    assert.equal(table.size, 1);
  });

  it("does not grow in a flood, and forgets nothing that is known", () => {
    const table = make();
    const known = table.get("known", 0);
    for (let nth = 0; nth < 10_000; nth++) table.get(`flood ${nth}`, nth / 100);
    assert.equal(table.get("known", 99), known);
    assert.equal(table.get("one more", 99), table.get("another", 99));
    assert.ok(table.size <= 6);
  });

  it("is free again after a flood", () => {
    const table = make();
    for (let nth = 0; nth < 10; nth++) table.get(`flood ${nth}`, 0);
    assert.notEqual(table.get("one more", 100), table.get("another", 100));
  });
});
