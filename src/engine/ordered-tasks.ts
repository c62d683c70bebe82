// Owns a list of tasks in the order of their last status, oldest first, ids breaking ties. Blocks keep every change to a few hundred
// entries: the usual one, at the end, touches one; a page or a count touches its own entries and the list of blocks.

import type { TaskPosition } from "../core/protocol/types.ts";

const BLOCK = 256;

/** Plain data, because there is one for each context. Only the functions of this file change it. */
export interface OrderedTasks<T extends TaskPosition> {
  /** None is empty. */
  readonly blocks: T[][];
  size: number;
}

interface Spot {
  readonly block: number;
  readonly index: number;
}

/** A list with this one entry. */
export function startOrder<T extends TaskPosition>(entry: T): OrderedTasks<T> {
  return { blocks: [[entry]], size: 1 };
}

export function addTo<T extends TaskPosition>(list: OrderedTasks<T>, entry: T): void {
  list.size += 1;
  const { block, index } = spotOf(list, entry);
  if (block === list.blocks.length) append(list, entry);
  else insert(list, block, index, entry);
}

/** Takes out the entry of this position, if there is one. */
export function removeFrom<T extends TaskPosition>(list: OrderedTasks<T>, position: TaskPosition): void {
  const { block, index } = spotOf(list, position);
  const entries = list.blocks[block];
  const found = entries?.[index];
  if (entries === undefined || found === undefined || compare(found, position) !== 0) return;
  entries.splice(index, 1);
  if (entries.length === 0) list.blocks.splice(block, 1);
  list.size -= 1;
}

/** How many stand at `since` (milliseconds since the epoch) or after it. */
export function countSince<T extends TaskPosition>(list: OrderedTasks<T>, since: number): number {
  const { block, index } = spotOf(list, { at: since, id: "" });
  let count = 0;
  for (const entries of list.blocks.slice(block)) count += entries.length;
  return count - index;
}

/** From the newest on, or from the newest that is older than `before`. The list must not change meanwhile. */
export function* newestFirst<T extends TaskPosition>(list: OrderedTasks<T>, before?: TaskPosition): Generator<T, void> {
  const end = before === undefined ? { block: list.blocks.length, index: 0 } : spotOf(list, before);
  for (let block = end.block; block >= 0; block--) {
    const entries = list.blocks[block] ?? [];
    for (let index = (block === end.block ? end.index : entries.length) - 1; index >= 0; index--) {
      const entry = entries[index];
      if (entry !== undefined) yield entry;
    }
  }
}

/** Negative when `a` is the older one. */
export function compare(a: TaskPosition, b: TaskPosition): number {
  if (a.at !== b.at) return a.at - b.at;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** Of the first entry that is not older than `position`; behind the last block when all are. */
function spotOf<T extends TaskPosition>({ blocks }: OrderedTasks<T>, position: TaskPosition): Spot {
  const block = firstWhere(blocks.length, (at) => {
    const last = blocks[at]?.at(-1);
    return last !== undefined && compare(last, position) >= 0;
  });
  const entries = blocks[block] ?? [];
  const index = firstWhere(entries.length, (at) => {
    const entry = entries[at];
    return entry !== undefined && compare(entry, position) >= 0;
  });
  return { block, index };
}

/** The first of `count` numbers for which `test` holds, `count` when there is none; it holds for all after the first. */
function firstWhere(count: number, test: (at: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Full blocks stay full where entries come in order. */
function append<T extends TaskPosition>({ blocks }: OrderedTasks<T>, entry: T): void {
  const last = blocks.at(-1);
  if (last === undefined || last.length >= BLOCK) blocks.push([entry]);
  else last.push(entry);
}

function insert<T extends TaskPosition>({ blocks }: OrderedTasks<T>, block: number, index: number, entry: T): void {
  const entries = blocks[block] ?? [];
  entries.splice(index, 0, entry);
  if (entries.length > BLOCK) blocks.splice(block, 1, entries.slice(0, BLOCK / 2), entries.slice(BLOCK / 2));
}
