// Owns what the lines of other servers of the same agent folder say: their tasks as anybody may see them, in the order of lists. Lines
// may come in any order, and some of them twice. Bodies of ended tasks stay on disk.

import type { Task } from "../../core/protocol/types.ts";
import { createInterner } from "../interner.ts";
import type { EndHead } from "../journal/journal-line.ts";
import type { KeptLine, Segment } from "../journal/segment.ts";
import type { ScannedLine } from "../journal/segment-scan.ts";
import type { KeptTask } from "../kept-task.ts";
import { createTaskIndex, type IndexPage, type ListQuery, type TaskIndex } from "../task-index.ts";
import { addEvent, createOpenTask, dropEvents, foldOpen, type OpenTask } from "./open-task.ts";

/** A file of another server. */
export interface SiblingFile extends Segment {
  /** Of the server that wrote it. */
  readonly key: string;
  /** How far its whole lines were read. */
  end: number;
}

/** What is known of one task of another server. */
export type Entry = OpenEntry | EndedEntry;

export interface OpenEntry {
  readonly kind: "open";
  readonly task: Task;
  /** The server whose file has its last event. */
  readonly key: string;
}

export interface EndedEntry {
  readonly kind: "ended";
  readonly task: KeptTask;
  readonly key: string;
  /** When its last run began. */
  readonly ranAt: number | undefined;
}

export interface SiblingBook {
  add(file: SiblingFile, line: ScannedLine): void;
  /** Forgets what stands in these files and in no other. */
  drop(gone: ReadonlySet<SiblingFile>): void;
  /** Works out what the lines since the last time have changed; to be called before anything is asked. */
  settle(): void;
  find(ownerKey: string, taskId: string): Entry | undefined;
  /** The same, whoever owns it. */
  get(taskId: string): Entry | undefined;
  page(ownerKey: string, query: ListQuery): IndexPage;
  /** The servers in whose files tasks stand that have not ended. */
  openKeys(): ReadonlySet<string>;
}

interface Place extends KeptLine {
  segment: SiblingFile;
}

interface Ended {
  readonly n: number;
  readonly ranAt: number | undefined;
  readonly line: Place;
  /** Where the same line stands as well, while a file is being made smaller. */
  spares: readonly Pick<Place, "segment" | "offset">[];
  readonly task: KeptTask;
}

interface Book {
  readonly ended: Map<string, Ended>;
  readonly open: Map<string, OpenTask<SiblingFile>>;
  /** Open ones with events that are not folded. */
  readonly changed: Set<string>;
  readonly index: TaskIndex;
  readonly owners: (ownerKey: string) => string;
}

export function createSiblingBook(): SiblingBook {
  const index = createTaskIndex();
  const book: Book = { ended: new Map(), open: new Map(), changed: new Set(), index, owners: createInterner() };
  const { ended, open, changed } = book;
  return {
    add(file, { head, offset, bytes }) {
      if (head.kind === "end") return addEnd(book, head, { segment: file, offset, bytes: bytes.length });
      if (head.kind !== "event" || ended.has(head.taskId)) return;
      const task = open.get(head.taskId) ?? createOpenTask();
      open.set(head.taskId, task);
      if (addEvent(task, head, file, bytes)) changed.add(head.taskId);
    },
    drop(gone) {
      for (const [taskId, end] of ended) if (!moveEnd(end, gone)) removeEnded(book, taskId, end);
      for (const [taskId, task] of open) {
        if (!dropEvents(task, gone)) continue;
        if (task.events.length === 0) removeOpen(book, taskId);
        else changed.add(taskId);
      }
    },
    settle() {
      for (const taskId of changed) settleOpen(book, taskId);
      changed.clear();
    },
    find(ownerKey, taskId) {
      const owner = ended.get(taskId)?.task.ownerKey ?? open.get(taskId)?.entry?.ownerKey;
      return owner === ownerKey ? entryOf(book, taskId) : undefined;
    },
    get: (taskId) => entryOf(book, taskId),
    page: index.page,
    openKeys: () =>
      new Set([...open.values()].flatMap(({ events }) => events.flatMap(({ files }) => files.map(({ key }) => key)))),
  };
}

/** Of two ends the earlier one counts. */
function addEnd(book: Book, head: EndHead, line: Place): void {
  const { taskId, n, ranAt } = head;
  const known = book.ended.get(taskId);
  const order = known === undefined ? 1 : known.task.at - head.at || known.n - n;
  if (known !== undefined && order < 0) return;
  if (known !== undefined && order === 0) {
    // The same line in another file: one of the two goes, and which one cannot be told.
    known.spares = [...known.spares, { segment: line.segment, offset: line.offset }];
    return;
  }
  if (known !== undefined) removeEnded(book, taskId, known);
  removeOpen(book, taskId);
  const task = keptTask(head, book.owners(head.ownerKey), line);
  book.ended.set(taskId, { n, ranAt, line, spares: [], task });
  if (!task.hidden) book.index.put(task, undefined);
}

/** False when its line stands in no file any more. */
function moveEnd(end: Ended, gone: ReadonlySet<SiblingFile>): boolean {
  const { line } = end;
  if (end.spares.length > 0) end.spares = end.spares.filter(({ segment }) => !gone.has(segment));
  if (!gone.has(line.segment)) return true;
  const [place, ...others] = end.spares;
  if (place === undefined) return false;
  line.segment = place.segment;
  line.offset = place.offset;
  end.spares = others;
  return true;
}

function removeOpen({ open, changed, index }: Book, taskId: string): void {
  const entry = open.get(taskId)?.entry;
  if (entry !== undefined) index.remove(entry);
  open.delete(taskId);
  changed.delete(taskId);
}

function removeEnded({ ended, index }: Book, taskId: string, { task }: Ended): void {
  if (!task.hidden) index.remove(task);
  ended.delete(taskId);
}

function settleOpen({ open, index }: Book, id: string): void {
  const known = open.get(id);
  if (known === undefined) return;
  foldOpen(known);
  const before = known.entry;
  known.entry = undefined;
  if (known.state !== undefined) {
    const { task, ownerKey, at } = known.state;
    known.entry = { at, id, ownerKey, contextId: task.contextId, state: task.status.state };
    index.put(known.entry, before);
  } else if (before !== undefined) index.remove(before);
}

function entryOf({ ended, open }: Book, taskId: string): Entry | undefined {
  const end = ended.get(taskId);
  if (end !== undefined) {
    const { task, ranAt, line } = end;
    return task.hidden ? undefined : { kind: "ended", task, key: line.segment.key, ranAt };
  }
  const known = open.get(taskId);
  const last = known?.events.at(-1);
  if (known?.state === undefined || last === undefined) return undefined;
  const key = last.files.at(-1)?.key ?? "";
  return { kind: "open", task: known.state.task, key };
}

function keptTask({ taskId, at, contextId, state }: EndHead, ownerKey: string, body: KeptLine): KeptTask {
  const hidden = state === undefined;
  return { at, id: taskId, ownerKey, contextId, state: state ?? "TASK_STATE_COMPLETED", body, hidden };
}
