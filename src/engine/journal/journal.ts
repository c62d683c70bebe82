// Owns how one server keeps its tasks on disk: it adds lines to its own files, reads bodies where they are, and takes over what dead
// servers of the same agent folder have left. Nothing is touched before it is opened.

import { A2aError, describeError } from "../../core/platform/errors.ts";
import { decodeKeptTask } from "../../core/protocol/decode-kept.ts";
import type { Task } from "../../core/protocol/types.ts";
import type { EventSink, KeptBodies, StoredEntry, TaskBody, TaskStore } from "../event-sink.ts";
import type { RecoveredTasks } from "../recovered-tasks.ts";
import { adoptDead, namesIn, tidyAdopted } from "./adoption.ts";
import { type Compactor, createCompactor } from "./compaction.ts";
import { decodeBody, encodeLine, type Line } from "./journal-line.ts";
import { type ReadJournal, readJournal } from "./journal-read.ts";
import { createLeftovers, type Leftovers } from "./leftovers.ts";
import { encodeMarks, trackMarks } from "./mark-lines.ts";
import { createOwnership, type Ownership, type OwnershipDeps } from "./ownership.ts";
import { countLine, dropLine, dropSegment, isLine, type KeptLine, readLine, type Segment } from "./segment.ts";
import { withoutSuperseded } from "./superseded.ts";
import { takeIn } from "./take-in.ts";
import { createTracks, type Tracks } from "./tracks.ts";
import { createWaitingMarks, type WaitingMarks } from "./waiting-marks.ts";
import { createJournalWriter, type JournalWriter, SEGMENT_BYTES } from "./writer.ts";

export interface JournalDeps extends OwnershipDeps {
  /** Whether each batch is to outlive a power failure. */
  readonly sync: () => boolean;
  readonly segmentBytes?: number;
}

export interface Journal extends EventSink, TaskStore {
  /** Tells other servers of this folder where this one listens. */
  announce(address: string): Promise<void>;
  /** Why nothing could be written the last time; undefined when that went well. */
  problem(): string | undefined;
  /** Resolves when no files are being made smaller. */
  idle(): Promise<void>;
  /** The servers whose files this one answers for: itself, and those it has taken over. */
  keys(): ReadonlySet<string>;
  /**
   * Takes over what has died since, and what the servers of the keys in `released` have left, and gives it to `take`; false when there is
   * nothing.
   */
  adopt(take: (tasks: RecoveredTasks) => Promise<void>, released?: ReadonlySet<string>): Promise<boolean>;
  /** Writes nothing more; what there is goes to the journal of this process that adopts it, and to nobody else while this lives. */
  release(): Promise<void>;
  /** Writes nothing more; other servers may take the tasks over from now on. */
  close(): Promise<void>;
}

interface Parts {
  readonly deps: JournalDeps;
  readonly ownership: Ownership;
  readonly writer: JournalWriter;
  readonly tracks: Tracks;
  readonly leftovers: Leftovers;
  readonly segments: Set<Segment>;
  readonly compactor: Compactor;
  /** The number of the last line. */
  n: number;
  readonly marks: WaitingMarks;
  writing: Promise<unknown>;
  /** Why the last write failed. */
  problem: string | undefined;
  adopting: Promise<unknown>;
  closed: boolean;
  /** The engine has what the files held at the start. */
  allIn: () => void;
  /** Of servers whose tasks belong to this one. */
  keys: ReadonlySet<string>;
  /** Of dead servers whose files could only be read. */
  readOnly: ReadonlySet<string>;
  find: (taskId: string) => TaskBody | undefined;
}

/** What comes of the servers before. */
export interface OpenedJournal {
  readonly journal: Journal;
  /** For the engine; large, so nobody else keeps it. */
  readonly recovered: RecoveredTasks;
  /** What could not be read or taken over, and will not be before the next start; for people. */
  readonly problems: readonly string[];
}

/** Takes over what is dead. Never throws for what cannot be read or written: it is told, and new tasks are refused while it lasts. */
export async function openJournal(deps: JournalDeps): Promise<OpenedJournal> {
  const parts = createParts(deps);
  // Until the engine has all of them, nobody could tell which of their lines matter.
  parts.allIn = onlyOnce(await parts.compactor.pause());
  const problems: string[] = [];
  await parts.ownership.publish(false).catch((error: unknown) => {
    parts.problem = describeError(error);
  });
  const read = await takeOver(parts, problems);
  parts.n = Math.max(parts.n, read.lastN);
  await takeIn({ ...parts, clock: deps.clock }, read);
  return { journal: journalOf(parts), recovered: read.tasks, problems: [...problems, ...read.problems] };
}

function journalOf(parts: Parts): Journal {
  return {
    write: (entries) => write(parts, entries),
    read: (taskId, body) => readTask(parts, taskId, body),
    forget: (taskId, body) => forget(parts, taskId, body),
    mark: parts.marks.add,
    locate(find) {
      parts.find = find;
    },
    tidy() {
      parts.allIn();
      parts.compactor.consider();
    },
    problem: () => parts.problem,
    announce: (address) => parts.ownership.announce(address),
    idle: parts.compactor.idle,
    keys: () => new Set([...parts.keys, ...parts.readOnly]),
    adopt(take, released) {
      // One after the other: each has to know what the one before has taken.
      const adopting = parts.adopting.then(() => adoptLate(parts, take, released));
      parts.adopting = adopting.catch(() => undefined);
      return adopting;
    },
    release: () => end(parts, () => parts.ownership.release()),
    close: () => end(parts, (hasTasks) => parts.ownership.close(hasTasks)),
  };
}

function onlyOnce(act: () => void): () => void {
  let left = true;
  return () => {
    if (left) act();
    left = false;
  };
}

function createParts(deps: JournalDeps): Parts {
  const { segmentBytes = SEGMENT_BYTES } = deps;
  const segments = new Set<Segment>();
  const ownership = createOwnership(deps);
  const tracks = createTracks();
  const leftovers = createLeftovers();
  const writer = createJournalWriter({ ...deps, segmentBytes, prepare: ownership.publish }, (segment) => {
    segments.add(segment);
    compactor.consider();
  });
  const compactor = createCompactor({
    ...{ ...deps, segmentBytes, segments, tracks, leftovers },
    active: () => writer.active,
    nextNumber: writer.nextNumber,
    find: (taskId) => parts.find(taskId) ?? leftovers.held(taskId),
  });
  const parts: Parts = {
    deps,
    ownership,
    segments,
    compactor,
    writer,
    tracks,
    leftovers,
    n: 0,
    marks: createWaitingMarks(deps.clock, () => write(parts, [])),
    writing: Promise.resolve(),
    problem: undefined,
    adopting: Promise.resolve(),
    closed: false,
    allIn: () => undefined,
    keys: new Set([deps.key]),
    readOnly: new Set(),
    find: () => undefined,
  };
  return parts;
}

async function takeOver(parts: Parts, problems: string[]): Promise<ReadJournal> {
  const { deps } = parts;
  try {
    const { keys, refused } = await adoptDead(deps, parts.keys);
    parts.keys = keys;
    parts.readOnly = new Set(refused.keys());
    for (const reason of new Set(refused.values())) {
      problems.push(`${reason}; tasks that had not ended are left for a start that can write there`);
    }
    problems.push(...(await tidyAdopted(deps, keys)));
    const names = (await namesIn(deps)).filter(
      ({ kind, key }) => kind === "lines" && (keys.has(key) || refused.has(key)),
    );
    return await readJournal({ ...deps, leftovers: parts.leftovers }, names, keys);
  } catch (error) {
    problems.push(describeError(error));
    return readJournal({ ...deps, leftovers: parts.leftovers }, [], new Set());
  }
}

/** What could not be taken over at the start is left to the next one: it is read here already. */
async function adoptLate(
  parts: Parts,
  take: (tasks: RecoveredTasks) => Promise<void>,
  released?: ReadonlySet<string>,
): Promise<boolean> {
  const { deps, compactor } = parts;
  if (parts.closed) return false;
  const { keys } = await adoptDead(deps, new Set([...parts.keys, ...parts.readOnly]), released);
  const fresh = new Set([...keys].filter((key) => !parts.keys.has(key) && !parts.readOnly.has(key)));
  if (fresh.size === 0) return false;
  // Until the engine has them, nobody could tell which of their lines matter.
  const goOn = await compactor.pause();
  try {
    const kept = await tidyAdopted(deps, fresh);
    const names = (await namesIn(deps)).filter(({ kind, key }) => kind === "lines" && fresh.has(key));
    const read = await readJournal({ ...deps, leftovers: parts.leftovers }, names, fresh);
    for (const problem of [...kept, ...read.problems]) deps.log.warn(`kept tasks: ${problem}`);
    // Until here the next call would try again.
    parts.keys = new Set([...parts.keys, ...fresh]);
    parts.n = Math.max(parts.n, read.lastN);
    await takeIn({ ...parts, clock: deps.clock }, read);
    await take(read.tasks);
    return true;
  } finally {
    goOn();
  }
}

function write(parts: Parts, entries: readonly StoredEntry[]): Promise<KeptBodies> {
  if (parts.closed) return Promise.reject(new A2aError("FILE_FAILED", "the journal is closed"));
  // One after the other: what is known of one is told of a webhook while another batch is being written.
  const writing = parts.writing.then(() => addEntries(parts, entries));
  parts.writing = writing.then(
    () => {
      parts.problem = undefined;
    },
    (error: unknown) => {
      parts.problem = describeError(error);
    },
  );
  return writing;
}

async function addEntries(parts: Parts, entries: readonly StoredEntry[]): Promise<KeptBodies> {
  const wanted = withoutSuperseded(entries);
  const lines: Line[] = wanted.map((entry) => encodeLine(entry, ++parts.n));
  const places = await addLines(parts, lines);
  const bodies = new Map<string, TaskBody>();
  for (const [at, { event, end }] of wanted.entries()) {
    const line = places[at];
    if (line === undefined) continue;
    const { taskId } = event;
    if (end === undefined) {
      parts.tracks.add({ kind: event.kind.startsWith("push-") ? "push" : "event", taskId }, line);
      continue;
    }
    for (const { segment } of parts.tracks.end(taskId)) {
      if (segment !== line.segment) parts.leftovers.add(taskId, segment);
    }
    countLine(line);
    bodies.set(taskId, line);
  }
  return bodies;
}

/** With the marks that wait, behind them. */
async function addLines(parts: Parts, lines: Line[]): Promise<readonly KeptLine[]> {
  const { marks, tracks, writer, deps, find } = parts;
  const told = marks.take().filter(({ taskId }) => find(taskId) !== undefined || tracks.has("event", taskId));
  if (told.length > 0) lines.push(encodeMarks(told, ++parts.n, deps.clock.now()));
  if (lines.length === 0) return [];
  try {
    const places = await writer.add(lines);
    const line = told.length > 0 ? places.at(-1) : undefined;
    if (line !== undefined) trackMarks(tracks, told, line, find);
    return places;
  } catch (error) {
    marks.giveBack(told);
    throw error;
  }
}

async function readTask({ deps }: Parts, taskId: string, body: TaskBody): Promise<Task> {
  if (!isLine(body)) throw new A2aError("FILE_FAILED", `${taskId} is not kept here`);
  const task = decodeKeptTask(decodeBody(await readLine(deps.journalFiles, body)));
  if (task.id === taskId) return task;
  throw new A2aError("FILE_FAILED", `what was kept of ${taskId} is damaged`);
}

function forget({ tracks, leftovers, compactor }: Parts, taskId: string, body: TaskBody | undefined): void {
  tracks.forget(taskId);
  if (body !== undefined && isLine(body) && !leftovers.hold(taskId, body)) dropLine(body);
  compactor.consider();
}

async function end(parts: Parts, giveUp: (hasTasks: boolean) => void | Promise<void>): Promise<void> {
  if (parts.marks.stop()) void write(parts, []).catch(() => undefined);
  parts.closed = true;
  await parts.adopting;
  await Promise.all([parts.writing, parts.compactor.stop()]);
  const hasTasks = [...parts.segments].some(({ lines }) => lines > 0);
  await Promise.all([...parts.segments].map(dropSegment));
  await giveUp(hasTasks);
}
