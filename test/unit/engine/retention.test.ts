import assert from "node:assert/strict";
import fc from "fast-check";
import { createRetention, type Retained, type Retention, type RetentionLimits } from "../../../src/engine/retention.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

interface Item extends Retained {
  readonly name: unknown;
}

function item(ownerKey: string, name: unknown, bytes: number, at = 0): Item {
  return { ownerKey, name, at, body: { bytes } };
}

/** The names of those that go. */
function add(retention: Retention<Item>, added: Item, limits: RetentionLimits): unknown[] {
  return retention.add(added, limits).map(({ name }) => name);
}

describe("retention", () => {
  it("lets nothing go below its limits", () => {
    const kept = createRetention<Item>();
    for (let n = 0; n < 10; n++) assert.deepEqual(add(kept, item("a", n, 1), { maxItems: 10, maxBytes: 10 }), []);
    assert.deepEqual([kept.count, kept.bytes], [10, 10]);
  });

  it("lets the oldest go in a block of a tenth", () => {
    const kept = createRetention<Item>();
    const gone: unknown[] = [];
    for (let n = 0; n <= 100; n++) gone.push(...add(kept, item("a", n, 1), { maxItems: 100, maxBytes: NO_LIMIT }));
    assert.deepEqual(gone, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(kept.count, 90);
  });

  it("takes from the owner with the most, so many tasks of one caller never push out another's (S18)", () => {
    const kept = createRetention<Item>();
    const limits = { maxItems: 100, maxBytes: NO_LIMIT };
    for (let n = 0; n < 5; n++) add(kept, item("few", `few-${n}`, 1), limits);
    const gone: unknown[] = [];
    for (let n = 0; n < 500; n++) gone.push(...add(kept, item("many", `many-${n}`, 1), limits));
    assert.ok(gone.length > 400);
    assert.deepEqual(
      gone.filter((name) => String(name).startsWith("few")),
      [],
    );
  });

  it("counts bytes apart from items, and takes from the owner with the most bytes", () => {
    const kept = createRetention<Item>();
    const limits = { maxItems: NO_LIMIT, maxBytes: 1000 };
    for (let n = 0; n < 50; n++) add(kept, item("small", `small-${n}`, 2), limits);
    const gone: unknown[] = [];
    for (let n = 0; n < 4; n++) gone.push(...add(kept, item("large", `large-${n}`, 400), limits));
    assert.deepEqual(gone, ["large-0", "large-1"]);
    assert.equal(kept.bytes, 900);
  });

  it("keeps the item that just came, even when it alone is over the limit", () => {
    const kept = createRetention<Item>();
    assert.deepEqual(add(kept, item("a", "old", 10), { maxItems: 5, maxBytes: 100 }), []);
    assert.deepEqual(add(kept, item("a", "huge", 1000), { maxItems: 5, maxBytes: 100 }), ["old"]);
    assert.deepEqual([kept.count, kept.bytes], [1, 1000]);
  });

  it("gives those from before a moment, of every owner, and counts without them", () => {
    const kept = createRetention<Item>();
    const limits = { maxItems: NO_LIMIT, maxBytes: NO_LIMIT };
    for (let n = 0; n < 6; n++) kept.add(item(n % 2 === 0 ? "even" : "odd", n, 10, n * 100), limits);
    assert.deepEqual(
      kept.takeOlder(300).map(({ name }) => name),
      [0, 2, 1],
    );
    assert.deepEqual(kept.takeOlder(300), []);
    assert.deepEqual([kept.count, kept.bytes], [3, 30]);
    assert.deepEqual(
      kept.takeOlder(NO_LIMIT).map(({ name }) => name),
      [4, 3, 5],
    );
    assert.deepEqual([kept.count, kept.bytes], [0, 0]);
  });

  it("gives them also when they came in another order, as after a clock was set back", () => {
    const kept = createRetention<Item>();
    const limits = { maxItems: NO_LIMIT, maxBytes: NO_LIMIT };
    for (const at of [500, 100, 400, 200, 300]) kept.add(item("a", at, 10, at), limits);
    assert.deepEqual(
      kept.takeOlder(300).map(({ name }) => name),
      [100, 200],
    );
    assert.deepEqual([kept.count, kept.bytes], [3, 30]);
    assert.deepEqual(
      kept.takeOlder(450).map(({ name }) => name),
      [400, 300],
    );
  });

  it("stays within its limits, counts right and keeps each owner's order, for any sequence", () => {
    const additions = fc.array(
      fc.record({ owner: fc.constantFrom("a", "b", "c"), bytes: fc.integer({ min: 1, max: 50 }) }),
    );
    fc.assert(
      fc.property(
        additions,
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 300 }),
        (all, maxItems, maxBytes) => {
          const kept = createRetention<Item>();
          const held = new Map<unknown, { owner: string; bytes: number }>();
          all.forEach(({ owner, bytes }, n) => {
            held.set(n, { owner, bytes });
            const gone = add(kept, item(owner, n, bytes), { maxItems, maxBytes });
            for (const old of gone) {
              const oldest = [...held].find(([, value]) => value.owner === held.get(old)?.owner);
              assert.equal(oldest?.[0], old);
              held.delete(old);
            }
            const total = [...held.values()].reduce((sum, value) => sum + value.bytes, 0);
            assert.deepEqual([kept.count, kept.bytes], [held.size, total]);
            assert.ok(held.has(n));
            assert.ok(held.size <= maxItems);
            assert.ok(total <= maxBytes || held.size === 1);
          });
        },
      ),
    );
  });
});
