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
  /** The one task of this context; undefined when there are none or several. */
  only(ownerKey: string, contextId: string): IndexEntry | undefined;
}

/** All that is kept for one owner. */
interface Shelf {
  /** One list for each state that was ever there. */
  readonly byState: Map<TaskState, List>;
  /** Not parted by state, and of a single task the bare entry: most contexts hold one. */
  readonly byContext: Map<string, IndexEntry | List>;
}

type List = OrderedTasks<IndexEntry>;
type Lists = readonly List[];

export function createTaskIndex(): TaskIndex {
  const shelves = new Map<string, Shelf>();
  return {
    put(entry, before) {
      const shelf = shelves.get(entry.ownerKey) ?? { byState: new Map(), byContext: new Map() };
      shelves.set(entry.ownerKey, shelf);
      if (before !== undefined) takeFromState(shelf, before);
      putIntoState(shelf, entry);
      putIntoContext(shelf, entry, before);
    },
    remove(entry) {
      const shelf = shelves.get(entry.ownerKey);
      if (shelf === undefined) return;
      takeFromState(shelf, entry);
      takeFromContext(shelf, entry);
      if (shelf.byContext.size === 0) shelves.delete(entry.ownerKey);
    },
    only(ownerKey, contextId) {
      const held = shelves.get(ownerKey)?.byContext.get(contextId);
      if (held === undefined || !isList(held)) return held;
      return held.size === 1 ? held.blocks[0]?.[0] : undefined;
    },
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

function putIntoState({ byState }: Shelf, entry: IndexEntry): void {
  const list = byState.get(entry.state);
  if (list === undefined) byState.set(entry.state, startOrder(entry));
  else addTo(list, entry);
}

function takeFromState({ byState }: Shelf, entry: IndexEntry): void {
  const list = byState.get(entry.state);
  if (list !== undefined) removeFrom(list, entry);
}

function putIntoContext({ byContext }: Shelf, entry: IndexEntry, before: IndexEntry | undefined): void {
  const kept = byContext.get(entry.contextId);
  if (kept !== undefined && isList(kept)) {
    if (before !== undefined) removeFrom(kept, before);
    addTo(kept, entry);
  } else if (kept === undefined || before !== undefined) {
    byContext.set(entry.contextId, entry);
  } else {
    const list = startOrder(kept);
    addTo(list, entry);
    byContext.set(entry.contextId, list);
  }
}

function takeFromContext({ byContext }: Shelf, entry: IndexEntry): void {
  const kept = byContext.get(entry.contextId);
  if (kept === undefined) return;
  if (isList(kept)) removeFrom(kept, entry);
  if (!isList(kept) || kept.size === 0) byContext.delete(entry.contextId);
}

function isList(kept: IndexEntry | List): kept is List {
  return "blocks" in kept;
}

/** The lists that hold all matches, and little else. */
function listsFor(shelf: Shelf | undefined, { contextId, state }: ListQuery): Lists {
  if (shelf === undefined) return [];
  if (contextId === undefined)
    return state === undefined ? [...shelf.byState.values()] : known(shelf.byState.get(state));
  const kept = shelf.byContext.get(contextId);
  return kept === undefined || isList(kept) ? known(kept) : [startOrder(kept)];
}

function known(list: List | undefined): Lists {
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
