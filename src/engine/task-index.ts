// Owns where each shown task stands in the lists of its owner (A2A 1.0 §3.1.4): by state, and by context, each in the order of the
// last status. A change costs the same however many tasks there are, and so does a page.

import type { TaskPosition, TaskState } from "../core/protocol/types.ts";
import { addTo, compare, countSince, newestFirst, type OrderedTasks, removeFrom, startOrder } from "./ordered-tasks.ts";

export interface IndexEntry extends TaskPosition {
  readonly ownerKey: string;
  readonly contextId: string;
  readonly state: TaskState;
}

/** Which tasks of one owner, and which part of them. */
export interface ListQuery {
  readonly contextId?: string;
  readonly state?: TaskState;
  /** Only tasks whose status is of this moment or later; milliseconds since the epoch. */
  readonly since?: number;
  /** Goes on behind this position; absent begins with the newest. */
  readonly after?: TaskPosition;
  /** Most tasks of the page. */
  readonly limit: number;
}

export interface IndexPage {
  /** Newest first. */
  readonly entries: readonly IndexEntry[];
  /** Matches on all pages. */
  readonly total: number;
  /** Whether matches follow behind this page. */
  readonly more: boolean;
}

export interface TaskIndex {
  /** Puts a task where it stands now, and takes it from where it stood `before`. */
  put(entry: IndexEntry, before: IndexEntry | undefined): void;
  remove(entry: IndexEntry): void;
  page(ownerKey: string, query: ListQuery): IndexPage;
}

interface Shelf {
  readonly byState: Map<TaskState, OrderedTasks<IndexEntry>>;
  /** Not parted by state: most contexts hold a few tasks. */
  readonly byContext: Map<string, OrderedTasks<IndexEntry>>;
}

type Lists = readonly OrderedTasks<IndexEntry>[];

export function createTaskIndex(): TaskIndex {
  const shelves = new Map<string, Shelf>();
  const remove = (entry: IndexEntry): void => {
    const shelf = shelves.get(entry.ownerKey);
    if (shelf === undefined) return;
    takeFrom(shelf.byState, entry.state, entry);
    takeFrom(shelf.byContext, entry.contextId, entry);
    if (shelf.byState.size === 0) shelves.delete(entry.ownerKey);
  };
  return {
    put(entry, before) {
      if (before !== undefined) remove(before);
      const shelf = shelves.get(entry.ownerKey) ?? { byState: new Map(), byContext: new Map() };
      shelves.set(entry.ownerKey, shelf);
      putInto(shelf.byState, entry.state, entry);
      putInto(shelf.byContext, entry.contextId, entry);
    },
    remove,
    page(ownerKey, query) {
      const lists = listsFor(shelves.get(ownerKey), query);
      const filtered = query.contextId !== undefined && query.state !== undefined;
      const found = firstOf(matches(lists, query, query.after), query.limit + 1);
      return {
        entries: found.slice(0, query.limit),
        total: filtered ? countMatches(lists, query) : countAll(lists, query.since),
        more: found.length > query.limit,
      };
    },
  };
}

function putInto<K>(lists: Map<K, OrderedTasks<IndexEntry>>, key: K, entry: IndexEntry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, startOrder(entry));
  else addTo(list, entry);
}

function takeFrom<K>(lists: Map<K, OrderedTasks<IndexEntry>>, key: K, entry: IndexEntry): void {
  const list = lists.get(key);
  if (list === undefined) return;
  removeFrom(list, entry);
  if (list.size === 0) lists.delete(key);
}

/** The lists that hold all matches, and little else. */
function listsFor(shelf: Shelf | undefined, { contextId, state }: ListQuery): Lists {
  if (shelf === undefined) return [];
  if (contextId !== undefined) return known(shelf.byContext.get(contextId));
  if (state !== undefined) return known(shelf.byState.get(state));
  return [...shelf.byState.values()];
}

function known(list: OrderedTasks<IndexEntry> | undefined): Lists {
  return list === undefined ? [] : [list];
}

function countAll(lists: Lists, since: number | undefined): number {
  let count = 0;
  for (const list of lists) count += since === undefined ? list.size : countSince(list, since);
  return count;
}

/** Looks at every task of one context: its list is not parted by state. */
function countMatches(lists: Lists, query: ListQuery): number {
  let count = 0;
  for (const _match of matches(lists, query, undefined)) count += 1;
  return count;
}

/** Of all pages, or those behind `after`. */
function* matches(
  lists: Lists,
  { state, since }: ListQuery,
  after: TaskPosition | undefined,
): Generator<IndexEntry, void> {
  for (const entry of merged(lists, after)) {
    if (since !== undefined && entry.at < since) return;
    if (state === undefined || entry.state === state) yield entry;
  }
}

/** All lists as one, newest first. */
function* merged(lists: Lists, after: TaskPosition | undefined): Generator<IndexEntry, void> {
  const [only, second] = lists;
  if (only !== undefined && second === undefined) return yield* newestFirst(only, after);
  const open = lists.flatMap((list) => advance(newestFirst(list, after)));
  for (;;) {
    const [first, ...others] = open;
    if (first === undefined) return;
    const newest = others.reduce((best, other) => (compare(other.entry, best.entry) > 0 ? other : best), first);
    yield newest.entry;
    open.splice(open.indexOf(newest), 1, ...advance(newest.rest));
  }
}

interface Head {
  readonly entry: IndexEntry;
  readonly rest: Generator<IndexEntry, void>;
}

function advance(rest: Generator<IndexEntry, void>): Head[] {
  const next = rest.next();
  return next.done === true ? [] : [{ entry: next.value, rest }];
}

function firstOf<T>(items: Iterable<T>, most: number): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length >= most) break;
  }
  return taken;
}
