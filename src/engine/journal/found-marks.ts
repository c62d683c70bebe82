// Owns what the marks that are found at a start say together, whatever the order in which they and the ends of their tasks come.

import { decodeMarks, goesAlong } from "./mark-lines.ts";
import type { Merge } from "./merge.ts";
import type { KeptLine } from "./segment.ts";

export interface FoundMarks {
  /** A line of marks; `bytes` are those of the line. */
  add(bytes: Uint8Array, line: KeptLine): void;
  /** To be called when all lines are there: ends are told of from then on. `open` are the tasks without an end. */
  settle(open: ReadonlyMap<string, unknown>): SettledMarks;
}

export interface SettledMarks {
  /** By task, its messages that were answered, of tasks not all of whose messages were. */
  readonly marked: ReadonlyMap<string, ReadonlySet<string>>;
  /** By task, lines that do not go where its end goes. */
  readonly lines: readonly (readonly [taskId: string, line: KeptLine])[];
}

export function createFoundMarks(merge: Merge): FoundMarks {
  const elsewhere: { readonly taskId: string; readonly isWhole: boolean; readonly line: KeptLine }[] = [];
  const marked = new Map<string, Set<string>>();
  return {
    add(bytes, line) {
      for (const mark of decodeMarks(bytes)) {
        const { taskId, message } = mark;
        const end = merge.ends.get(taskId);
        // Nearly all of them: there may be a million, so nothing is kept of these.
        if (end !== undefined && goesAlong(mark, end.body, line.segment)) end.told = true;
        else elsewhere.push({ taskId, isWhole: message === undefined, line });
        if (message !== undefined) marked.set(taskId, (marked.get(taskId) ?? new Set()).add(message));
      }
    },
    settle(open) {
      const lines: [string, KeptLine][] = [];
      for (const { taskId, isWhole, line } of elsewhere) {
        const end = merge.ends.get(taskId);
        if (end !== undefined && isWhole) end.told = true;
        const goesWithEnd = isWhole && end?.body.segment === line.segment;
        if (!goesWithEnd && (end !== undefined || open.has(taskId))) lines.push([taskId, line]);
      }
      return { marked, lines };
    },
  };
}
