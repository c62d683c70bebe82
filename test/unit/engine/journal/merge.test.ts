import assert from "node:assert/strict";
import fc from "fast-check";
import type { LineHead } from "../../../../src/engine/journal/journal-line.ts";
import { createMerge } from "../../../../src/engine/journal/merge.ts";

/** A line tells itself apart by its text. */
interface Line {
  readonly head: LineHead;
  readonly text: string;
}

const TASKS = ["a", "b", "c"];

const line = fc
  .record({
    kind: fc.constantFrom("event", "event", "push", "end"),
    taskId: fc.constantFrom(...TASKS),
    at: fc.nat({ max: 5 }),
    owner: fc.constantFrom("x", "y"),
  })
  .map(({ kind, taskId, at, owner }) => (n: number): Line => {
    const base = { taskId, at, n };
    const head: LineHead =
      kind === "end"
        ? { kind, ...base, contextId: "ctx", ownerKey: owner, state: "TASK_STATE_FAILED", ranAt: undefined }
        : { kind: kind === "push" ? "push" : "event", ...base };
    return { head, text: `${kind} ${n}` };
  });

/** What the lines say, in a form that can be compared. */
function stateOf(lines: readonly Line[]): unknown {
  const merge = createMerge<string>();
  for (const { head, text } of lines) merge.add(head, text);
  const plain = (lists: ReturnType<typeof merge.open>): unknown =>
    [...lists].map(([taskId, events]) => [taskId, events.map((event) => event.line)]).sort();
  return {
    ends: [...merge.ends].map(([taskId, end]) => [taskId, end.body, end.ownerKey]).sort(),
    push: plain(merge.push()),
    open: plain(merge.open()),
    lastN: merge.lastN,
  };
}

describe("merging the lines of many files", () => {
  it("gives the same in whatever order they come, and when some come twice", () => {
    const lines = fc.array(line, { maxLength: 30 }).map((makes) => makes.map((make, n) => make(n)));
    const shuffled = lines.chain((all) =>
      fc.tuple(
        fc.constant(all),
        fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
        fc.subarray(all),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([all, other, again]) => {
        const expected = stateOf(all);
        assert.deepEqual(stateOf(other), expected);
        assert.deepEqual(stateOf([...again, ...other]), expected);
        assert.deepEqual(stateOf([...other, ...again]), expected);
      }),
    );
  });

  it("lets the earlier of two ends count, and nothing but webhooks beside it", () => {
    const end = (at: number, n: number, text: string): Line => ({
      head: {
        ...{ kind: "end", taskId: "a", at, n, contextId: "ctx", ownerKey: "x" },
        state: "TASK_STATE_FAILED",
        ranAt: 1,
      },
      text,
    });
    const event: Line = { head: { kind: "event", taskId: "a", at: 1, n: 1 }, text: "event" };
    const push: Line = { head: { kind: "push", taskId: "a", at: 9, n: 9 }, text: "push" };
    const expected = { ends: [["a", "first", "x"]], push: [["a", ["push"]]], open: [], lastN: 9 };
    for (const lines of [
      [event, end(5, 2, "first"), end(7, 3, "late"), push],
      [push, end(7, 3, "late"), end(5, 2, "first"), event],
      [end(5, 2, "first"), end(5, 3, "late"), push, event],
    ]) {
      assert.deepEqual(stateOf(lines), expected);
    }
  });

  it("drops webhooks of tasks that nothing else is known of", () => {
    const push: Line = { head: { kind: "push", taskId: "a", at: 9, n: 9 }, text: "push" };
    assert.deepEqual(stateOf([push]), { ends: [], push: [], open: [], lastN: 9 });
  });
});
