import assert from "node:assert/strict";
import fc from "fast-check";
import { createRetention } from "../../../src/engine/retention.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

describe("retention", () => {
  it("lets nothing go below its limits", () => {
    const kept = createRetention<number>();
    for (let n = 0; n < 10; n++)
      assert.deepEqual(kept.add("a", { item: n, bytes: 1 }, { maxItems: 10, maxBytes: 10 }), []);
    assert.deepEqual([kept.count, kept.bytes], [10, 10]);
  });

  it("lets the oldest go in a block of a tenth", () => {
    const kept = createRetention<number>();
    const gone: number[] = [];
    for (let n = 0; n <= 100; n++)
      gone.push(...kept.add("a", { item: n, bytes: 1 }, { maxItems: 100, maxBytes: NO_LIMIT }));
    assert.deepEqual(gone, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.equal(kept.count, 90);
  });

  it("takes from the owner with the most, so many tasks of one caller never push out another's (S18)", () => {
    const kept = createRetention<string>();
    const limits = { maxItems: 100, maxBytes: NO_LIMIT };
    for (let n = 0; n < 5; n++) kept.add("few", { item: `few-${n}`, bytes: 1 }, limits);
    const gone: string[] = [];
    for (let n = 0; n < 500; n++) gone.push(...kept.add("many", { item: `many-${n}`, bytes: 1 }, limits));
    assert.ok(gone.length > 400);
    assert.deepEqual(
      gone.filter((item) => item.startsWith("few")),
      [],
    );
  });

  it("counts bytes apart from items, and takes from the owner with the most bytes", () => {
    const kept = createRetention<string>();
    const limits = { maxItems: NO_LIMIT, maxBytes: 1000 };
    for (let n = 0; n < 50; n++) kept.add("small", { item: `small-${n}`, bytes: 2 }, limits);
    const gone: string[] = [];
    for (let n = 0; n < 4; n++) gone.push(...kept.add("large", { item: `large-${n}`, bytes: 400 }, limits));
    assert.deepEqual(gone, ["large-0", "large-1"]);
    assert.equal(kept.bytes, 900);
  });

  it("keeps the item that just came, even when it alone is over the limit", () => {
    const kept = createRetention<string>();
    assert.deepEqual(kept.add("a", { item: "old", bytes: 10 }, { maxItems: 5, maxBytes: 100 }), []);
    assert.deepEqual(kept.add("a", { item: "huge", bytes: 1000 }, { maxItems: 5, maxBytes: 100 }), ["old"]);
    assert.deepEqual([kept.count, kept.bytes], [1, 1000]);
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
          const kept = createRetention<number>();
          const held = new Map<number, { owner: string; bytes: number }>();
          all.forEach(({ owner, bytes }, item) => {
            held.set(item, { owner, bytes });
            const gone = kept.add(owner, { item, bytes }, { maxItems, maxBytes });
            for (const old of gone) {
              const oldest = [...held].find(([, value]) => value.owner === held.get(old)?.owner);
              assert.equal(oldest?.[0], old);
              held.delete(old);
            }
            const total = [...held.values()].reduce((sum, value) => sum + value.bytes, 0);
            assert.deepEqual([kept.count, kept.bytes], [held.size, total]);
            assert.ok(held.has(item));
            assert.ok(held.size <= maxItems);
            assert.ok(total <= maxBytes || held.size === 1);
          });
        },
      ),
    );
  });
});
