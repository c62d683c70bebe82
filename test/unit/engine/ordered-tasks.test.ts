import assert from "node:assert/strict";
import fc from "fast-check";
import type { TaskPosition } from "../../../src/core/protocol/types.ts";
import {
  addTo,
  compare,
  countSince,
  newestFirst,
  type OrderedTasks,
  removeFrom,
  startOrder,
} from "../../../src/engine/ordered-tasks.ts";

const entry = (at: number, id = `t${at}`): TaskPosition => ({ at, id });

function listOf(entries: readonly TaskPosition[]): OrderedTasks<TaskPosition> {
  const list: OrderedTasks<TaskPosition> = { blocks: [], size: 0 };
  for (const one of entries) addTo(list, one);
  return list;
}

describe("ordered tasks", () => {
  it("give the newest first, and of one moment the greatest id", () => {
    const list = startOrder(entry(5, "b"));
    for (const one of [entry(5, "a"), entry(9), entry(1), entry(5, "c")]) addTo(list, one);
    const ids = [...newestFirst(list)].map(({ id }) => id);
    assert.deepEqual(ids, ["t9", "c", "b", "a", "t1"]);
  });

  it("go on behind a position, also when its task is gone", () => {
    const list = listOf([1, 2, 3, 4].map((at) => entry(at)));
    removeFrom(list, entry(3));
    for (const before of [entry(3), entry(3, "zzz"), entry(2.5)]) {
      assert.deepEqual(
        [...newestFirst(list, before)].map(({ at }) => at),
        [2, 1],
      );
    }
  });

  it("leave alone what is not there", () => {
    const list = listOf([entry(1)]);
    for (const absent of [entry(1, "other"), entry(0), entry(2)]) removeFrom(list, absent);
    assert.equal(list.size, 1);
  });

  it("leave no empty block behind, in the middle or at the end", () => {
    const entries = Array.from({ length: 700 }, (_, at) => entry(at));
    const list = listOf(entries);
    for (const one of entries.slice(200, 600)) removeFrom(list, one);
    assert.ok(list.blocks.every((block) => block.length > 0));
    assert.deepEqual(
      [...newestFirst(list, entry(602))].slice(0, 3).map(({ at }) => at),
      [601, 600, 199],
    );
    for (const one of entries) removeFrom(list, one);
    assert.deepEqual(list, { blocks: [], size: 0 });
  });

  it("hold what a sorted array holds after any changes, across many blocks", () => {
    const change = fc.record({ at: fc.nat(400), id: fc.constantFrom("a", "b", "c"), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 1200, size: "max" }), fc.nat(400), (changes, since) => {
        const list = listOf([]);
        let model: TaskPosition[] = [];
        for (const { at, id, gone } of changes) {
          const one = { at, id };
          const known = model.some((other) => compare(other, one) === 0);
          if (known || gone) removeFrom(list, one);
          model = model.filter((other) => compare(other, one) !== 0);
          if (known || gone) continue;
          addTo(list, one);
          model.push(one);
        }
        model.sort((a, b) => compare(b, a));
        assert.deepEqual([...newestFirst(list)], model);
        assert.equal(list.size, model.length);
        assert.equal(countSince(list, since), model.filter(({ at }) => at >= since).length);
        assert.deepEqual(
          [...newestFirst(list, entry(since, "b"))],
          model.filter((one) => compare(one, entry(since, "b")) < 0),
        );
        assert.ok(list.blocks.every((block) => block.length > 0));
      }),
      { numRuns: 40 },
    );
  });

  it("keep every block small, whatever the order of arrival", () => {
    const times = Array.from({ length: 5000 }, (_, at) => at);
    for (const order of [times, times.toReversed(), times.map((at) => (at * 7919) % 5000)]) {
      const list = listOf(order.map((at) => entry(at)));
      assert.ok(list.blocks.every((block) => block.length <= 256));
      assert.ok(list.blocks.length < 80, `${list.blocks.length} blocks`);
    }
  });
});
