// Owns what the lines of many files say together. They may come in any order, some of them twice: of two ends of a task the earlier
// one counts, and then nothing but webhooks counts beside it.

import { createInterner } from "../interner.ts";
import type { EndHead, LineHead } from "./journal-line.ts";
import type { KeptLine } from "./segment.ts";

/** No server gets so far: a number beyond is damage, and what counts on from it could soon not be told apart or read again. */
const MOST_N = 2 ** 52;

/** Flat, because there may be a million. */
export interface MergedEnd<Line> extends Omit<EndHead, "kind"> {
  /** The line that holds it. */
  readonly body: Line;
  /** Its caller is known to have the reply. */
  told: boolean;
}

/** A line whose body is still to be read. */
export interface MergedEvent<Line> {
  readonly at: number;
  readonly n: number;
  readonly line: Line;
}

type OnSpare<Line> = (taskId: string, spare: Line, kept: Line) => void;

export interface Merge<Line = KeptLine> {
  add(head: LineHead, line: Line): void;
  /** By task. */
  readonly ends: ReadonlyMap<string, MergedEnd<Line>>;
  /** By task without an end: its events in their order, each once. */
  open(): ReadonlyMap<string, readonly MergedEvent<Line>[]>;
  /** By task that is known: the events of its webhooks in their order. Asked for when all lines are there. */
  push(): ReadonlyMap<string, readonly MergedEvent<Line>[]>;
  /** No line has a greater one, of those that lines can be counted from. */
  readonly lastN: number;
  /** No line is later. */
  readonly lastAt: number;
}

/** `onSpare` hears of lines that say nothing beside another one: events of a task that has ended, ends that do not count, copies. */
export function createMerge<Line = KeptLine>(onSpare: OnSpare<Line> = () => undefined): Merge<Line> {
  const ends = new Map<string, MergedEnd<Line>>();
  const events = new Map<string, MergedEvent<Line>[]>();
  const push = new Map<string, MergedEvent<Line>[]>();
  const owners = createInterner();
  let lastN = 0;
  let lastAt = 0;
  const addEnd = (head: EndHead, line: Line): void => {
    const { taskId } = head;
    const known = ends.get(taskId);
    const order = known === undefined ? 1 : compare(known, head);
    // A copy of the one that counts is as good as that.
    if (known !== undefined && order < 0) onSpare(taskId, line, known.body);
    if (known !== undefined && order <= 0) return;
    if (known !== undefined) onSpare(taskId, known.body, line);
    ends.set(taskId, mergedEnd(head, owners(head.ownerKey), line, known?.told ?? false));
    const past = events.get(taskId);
    if (past === undefined) return;
    for (const event of past) onSpare(taskId, event.line, line);
    events.delete(taskId);
  };
  return {
    add(head, line) {
      if (head.n <= MOST_N) lastN = Math.max(lastN, head.n);
      lastAt = Math.max(lastAt, head.at);
      const { taskId } = head;
      if (head.kind === "told") return;
      if (head.kind === "end") {
        addEnd(head, line);
      } else if (head.kind === "push") {
        addTo(push, taskId, { at: head.at, n: head.n, line });
      } else {
        const end = ends.get(taskId);
        if (end === undefined) addTo(events, taskId, { at: head.at, n: head.n, line });
        else onSpare(taskId, line, end.body);
      }
    },
    ends,
    open: () => ordered(events, compare, onSpare),
    push() {
      for (const taskId of push.keys()) if (!ends.has(taskId) && !events.has(taskId)) push.delete(taskId);
      return ordered(push, byNumber);
    },
    get lastN() {
      return lastN;
    },
    get lastAt() {
      return lastAt;
    },
  };
}

type Stamp = Pick<LineHead, "at" | "n">;

function compare(a: Stamp, b: Stamp): number {
  return a.at - b.at || a.n - b.n;
}

/** A change of a webhook may come long after its task has ended, when the clock has been set back. */
function byNumber(a: Stamp, b: Stamp): number {
  return a.n - b.n || a.at - b.at;
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Equal ones are copies of one line. */
function ordered<Line>(
  lists: Map<string, MergedEvent<Line>[]>,
  order: (a: Stamp, b: Stamp) => number,
  onSpare: OnSpare<Line> = () => undefined,
): ReadonlyMap<string, readonly MergedEvent<Line>[]> {
  const result = new Map<string, readonly MergedEvent<Line>[]>();
  for (const [taskId, list] of lists) {
    const once: MergedEvent<Line>[] = [];
    for (const event of [...list].sort(order)) {
      const last = once.at(-1);
      if (last === undefined || order(last, event) !== 0) once.push(event);
      else onSpare(taskId, event.line, last.line);
    }
    result.set(taskId, once);
  }
  return result;
}

/** Spelled out: copies by spreading take longer than all the rest. */
function mergedEnd<Line>(head: EndHead, ownerKey: string, body: Line, told: boolean): MergedEnd<Line> {
  const { taskId, at, n, contextId, state, ranAt } = head;
  return { taskId, at, n, contextId, ownerKey, state, ranAt, body, told };
}
