import assert from "node:assert/strict";
import fc from "fast-check";
import type { TaskState } from "../../../src/core/protocol/types.ts";
import { createTaskIndex, type IndexEntry, type ListQuery } from "../../../src/engine/task-index.ts";

const STATES: readonly TaskState[] = ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED", "TASK_STATE_FAILED"];

function entry(fields: Partial<IndexEntry> = {}): IndexEntry {
  return { ownerKey: "peer:alice", contextId: "ctx-a", id: "task-1", at: 1, state: "TASK_STATE_WORKING", ...fields };
}

/** What a scan over everything would give. */
function scan(entries: readonly IndexEntry[], ownerKey: string, { contextId, state, since, after, limit }: ListQuery) {
  const newer = (a: IndexEntry, b: { at: number; id: string }): boolean =>
    a.at > b.at || (a.at === b.at && a.id > b.id);
  const all = entries
    .filter((one) => one.ownerKey === ownerKey)
    .filter((one) => contextId === undefined || one.contextId === contextId)
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => since === undefined || one.at >= since)
    .sort((a, b) => (newer(a, b) ? -1 : 1));
  const rest = after === undefined ? all : all.filter((one) => newer({ ...one, ...after }, one));
  return { ids: rest.slice(0, limit).map(({ id }) => id), total: all.length, more: rest.length > limit };
}

describe("task index", () => {
  it("moves a task to the front of its lists when its status changes", () => {
    const index = createTaskIndex();
    const first = entry();
    index.put(first, undefined);
    index.put(entry({ id: "task-2", at: 2 }), undefined);
    index.put(entry({ at: 3, state: "TASK_STATE_COMPLETED" }), first);
    const { entries, total } = index.page("peer:alice", { limit: 10 });
    assert.deepEqual(
      entries.map(({ id }) => id),
      ["task-1", "task-2"],
    );
    assert.equal(total, 2);
    assert.equal(index.page("peer:alice", { state: "TASK_STATE_WORKING", limit: 10 }).total, 1);
  });

  it("forgets tasks and whole owners", () => {
    const index = createTaskIndex();
    index.put(entry(), undefined);
    index.remove(entry());
    index.remove(entry());
    assert.deepEqual(index.page("peer:alice", { limit: 1 }), { entries: [], total: 0, more: false });
    index.put(entry(), undefined);
    assert.equal(index.page("peer:alice", { limit: 1 }).total, 1);
  });

  it("gives what a scan of all tasks would give, for any changes and any query", () => {
    const tasks = fc.array(
      fc.record({
        id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"),
        ownerKey: fc.constantFrom("alice", "bob"),
        contextId: fc.constantFrom("x", "y"),
        state: fc.constantFrom(...STATES),
        at: fc.nat(6),
        gone: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    const query = fc
      .record(
        {
          contextId: fc.constantFrom("x", "y", "z"),
          state: fc.constantFrom(...STATES),
          since: fc.nat(7),
          after: fc.record({ at: fc.nat(7), id: fc.constantFrom("a", "d", "z") }),
          limit: fc.integer({ min: 1, max: 5 }),
        },
        { requiredKeys: ["limit"] },
      )
      .map((value) => value as ListQuery);
    fc.assert(
      fc.property(tasks, fc.array(query, { minLength: 1, maxLength: 8 }), (changes, queries) => {
        const index = createTaskIndex();
        const known = new Map<string, IndexEntry>();
        for (const { gone, ...change } of changes) {
          const before = known.get(change.id);
          // Owner and context of a task never change.
          const next = { ...change, ownerKey: before?.ownerKey ?? change.ownerKey };
          const placed = { ...next, contextId: before?.contextId ?? change.contextId };
          if (gone && before !== undefined) {
            index.remove(before);
            known.delete(change.id);
          } else {
            index.put(placed, before);
            known.set(change.id, placed);
          }
        }
        for (const one of queries) {
          const { entries, total, more } = index.page("alice", one);
          assert.deepEqual(
            { ids: entries.map(({ id }) => id), total, more },
            scan([...known.values()], "alice", one),
            JSON.stringify(one),
          );
        }
      }),
      { numRuns: 300 },
    );
  });
});
