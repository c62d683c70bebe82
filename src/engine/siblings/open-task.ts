// Owns one task of another server that has not ended: its events in their order, whatever the order in which they were read, and what
// they make of it.

import type { Task } from "../../core/protocol/types.ts";
import { decodeBody } from "../journal/journal-line.ts";
import { decodeTaskEvent } from "../journal/kept-event.ts";
import type { TaskEvent } from "../task-event.ts";
import { foldEvent } from "../task-fold.ts";
import type { IndexEntry } from "../task-index.ts";

interface Moment {
  readonly at: number;
  readonly n: number;
}

interface OpenEvent<File> extends Moment {
  /** In which it stands: several while a file is being made smaller. */
  files: readonly File[];
  /** Undefined when it is damaged. */
  readonly event: () => TaskEvent | undefined;
}

export interface OpenTask<File> {
  /** In their order once they are folded. */
  events: OpenEvent<File>[];
  /** No event is later. */
  newest: Moment;
  /** So many of the events, the first ones, are in `state`. */
  folded: number;
  state: OpenState | undefined;
  /** Where it stands in the lists. */
  entry: IndexEntry | undefined;
}

interface OpenState {
  readonly task: Task;
  readonly ownerKey: string;
  /** Of its last status. */
  readonly at: number;
}

export function createOpenTask<File>(): OpenTask<File> {
  return { events: [], newest: { at: -1, n: -1 }, folded: 0, state: undefined, entry: undefined };
}

/** True when the event is new; `bytes` are its line. */
export function addEvent<File>(open: OpenTask<File>, moment: Moment, file: File, bytes: Buffer): boolean {
  const { at, n } = moment;
  const isNewest = compare(moment, open.newest) > 0;
  const same = isNewest ? undefined : open.events.find((event) => compare(event, moment) === 0);
  if (same !== undefined) {
    if (!same.files.includes(file)) same.files = [...same.files, file];
    return false;
  }
  // They belong to the buffer that was read.
  open.events.push({ at, n, files: [file], event: decodedOnce(Buffer.from(bytes)) });
  if (isNewest) open.newest = { at, n };
  else open.folded = 0;
  return true;
}

/** True when some of its events stood in these files only. */
export function dropEvents<File>(open: OpenTask<File>, gone: ReadonlySet<File>): boolean {
  for (const event of open.events)
    if (event.files.some((file) => gone.has(file))) event.files = event.files.filter((file) => !gone.has(file));
  const left = open.events.filter(({ files }) => files.length > 0);
  if (left.length === open.events.length) return false;
  open.events = left;
  open.folded = 0;
  return true;
}

function compare(a: Moment, b: Moment): number {
  return a.at - b.at || a.n - b.n;
}

/** Takes the events into the state that are not in it yet; there is none as long as its beginning is missing. */
export function foldOpen<File>(open: OpenTask<File>): void {
  if (open.folded === 0) {
    open.state = undefined;
    open.events.sort(compare);
  }
  for (const { event } of open.events.slice(open.folded)) open.state = after(open.state, event());
  open.folded = open.state === undefined ? 0 : open.events.length;
}

function after(state: OpenState | undefined, event: TaskEvent | undefined): OpenState | undefined {
  if (event === undefined) return state;
  if (state !== undefined) {
    return { ...state, task: foldEvent(state.task, event), at: event.kind === "status" ? event.at : state.at };
  }
  if (event.kind !== "submitted") return undefined;
  return { task: foldEvent(undefined, event), ownerKey: event.owner.key, at: event.at };
}

/** Most tasks have ended before anybody asks for their events. */
function decodedOnce(bytes: Buffer): () => TaskEvent | undefined {
  let line: Buffer | undefined = bytes;
  let event: TaskEvent | undefined;
  return () => {
    if (line !== undefined) event = decodeOrNone(line);
    line = undefined;
    return event;
  };
}

function decodeOrNone(bytes: Buffer): TaskEvent | undefined {
  try {
    return decodeTaskEvent(decodeBody(bytes));
  } catch {
    // Damaged; whoever takes the task over one day says so.
    return undefined;
  }
}
