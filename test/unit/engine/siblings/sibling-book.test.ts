import assert from "node:assert/strict";
import type { StoredEntry } from "../../../../src/engine/event-sink.ts";
import { createSegment } from "../../../../src/engine/journal/segment.ts";
import { scanLines } from "../../../../src/engine/journal/segment-scan.ts";
import { createSiblingBook, type SiblingFile } from "../../../../src/engine/siblings/sibling-book.ts";
import { CONTEXT_ID, completedTask, status, TASK_ID, userMessage } from "../../../support/builders.ts";
import { ALICE } from "../../../support/engine-rig.ts";
import { lineBytes } from "../../../support/journal-lines.ts";

const PLACE = { taskId: TASK_ID, contextId: CONTEXT_ID };
const SUBMITTED: StoredEntry = {
  event: {
    ...{ kind: "submitted", ...PLACE, at: 1, owner: ALICE, detached: false },
    ...{ status: status("TASK_STATE_SUBMITTED"), message: userMessage() },
  },
};
const WORKING: StoredEntry = { event: { kind: "status", ...PLACE, at: 2, status: status("TASK_STATE_WORKING") } };
const END: StoredEntry = {
  event: { kind: "status", ...PLACE, at: 3, status: status("TASK_STATE_COMPLETED") },
  end: { task: completedTask(), owner: ALICE, ranAt: 2 },
};

function fileOf(name: string): SiblingFile {
  return { ...createSegment(`/folder/${name}`, 0, true), key: name.split(".")[0] ?? "", end: 0 };
}

describe("the book of other servers' tasks", () => {
  const LINES = [SUBMITTED, WORKING, END].map((entry, at) => lineBytes(entry, at + 1));
  const read = async (book: ReturnType<typeof createSiblingBook>, file: SiblingFile, lines: readonly Buffer[]) => {
    const content = Buffer.concat(lines);
    const placed = {
      size: content.length,
      read: async (offset: number, length: number) => content.subarray(offset, offset + length),
      close: async () => undefined,
    };
    await scanLines(placed, (line) => book.add(file, line));
    book.settle();
  };
  const stateIn = (book: ReturnType<typeof createSiblingBook>): string | undefined => {
    const found = book.find(ALICE.key, TASK_ID);
    return found?.kind === "open" ? found.task.status.state : found?.task.state;
  };

  for (const [what, lines, state] of [
    ["an end", LINES, "TASK_STATE_COMPLETED"],
    ["events", LINES.slice(0, 2), "TASK_STATE_WORKING"],
  ] as const) {
    for (const first of ["old", "new"]) {
      it(`keeps ${what} that stands in two files until both are gone, the ${first} one read first`, async () => {
        const book = createSiblingBook();
        const [old, fresh] = [fileOf("a.2.jsonl"), fileOf("a.10.jsonl")];
        for (const file of first === "old" ? [old, fresh] : [fresh, old]) await read(book, file, lines);
        assert.equal(stateIn(book), state);
        book.drop(new Set([old]));
        book.settle();
        assert.equal(stateIn(book), state);
        assert.equal(book.page(ALICE.key, { limit: 5 }).total, 1);
        book.drop(new Set([fresh]));
        book.settle();
        assert.equal(stateIn(book), undefined);
        assert.equal(book.page(ALICE.key, { limit: 5 }).total, 0);
      });
    }
  }

  it("takes lines in any order", async () => {
    for (const order of [
      [2, 1, 0],
      [1, 0, 2],
      [0, 2, 1],
    ]) {
      const book = createSiblingBook();
      for (const [n, at] of order.entries()) await read(book, fileOf(`a.${n}.jsonl`), LINES.slice(at, at + 1));
      assert.equal(stateIn(book), "TASK_STATE_COMPLETED");
      assert.equal(book.openKeys().size, 0);
    }
    const open = createSiblingBook();
    await read(open, fileOf("b.0.jsonl"), LINES.slice(1, 2));
    assert.equal(stateIn(open), undefined);
    await read(open, fileOf("a.0.jsonl"), LINES.slice(0, 1));
    assert.equal(stateIn(open), "TASK_STATE_WORKING");
    assert.deepEqual([...open.openKeys()].sort(), ["a", "b"]);
  });
});
