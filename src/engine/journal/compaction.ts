// Owns making the files of a journal smaller, in the background and without holding anybody up. The lines that matter are copied as
// they are into a new file; it is whole and on disk before it gets its name, and the old files go after that. Stopped at any point,
// what is there says the same: lines may be there twice.

import { basename, join } from "node:path";
import type { AppendFile } from "../../core/platform/append-file.ts";
import { type Clock, nextTurn } from "../../core/platform/clock.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { Log } from "../../core/platform/log.ts";
import type { DeliveryMark } from "../delivery-mark.ts";
import type { TaskBody } from "../event-sink.ts";
import { planCompaction } from "./compaction-plan.ts";
import type { LineHead } from "./journal-line.ts";
import { adoptedName, linesName, parseName } from "./journal-names.ts";
import type { Leftovers } from "./leftovers.ts";
import { decodeMarks, goesAlong } from "./mark-lines.ts";
import { countLine, createSegment, dropLine, dropSegment, isLine, type Segment } from "./segment.ts";
import { scanLines } from "./segment-scan.ts";
import type { Tracks } from "./tracks.ts";

/** After a failure, such as a full disk. */
const PAUSE_MS = 10 * 60 * 1000;
const PIECE_BYTES = 512 * 1024;

export interface CompactorDeps {
  readonly folder: string;
  readonly key: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly files: FilesPort;
  readonly journalFiles: JournalFiles;
  readonly segments: Set<Segment>;
  readonly segmentBytes: number;
  readonly tracks: Tracks;
  readonly leftovers: Leftovers;
  /** The file that is being written. */
  readonly active: () => Segment | undefined;
  readonly nextNumber: () => number;
  /** Where the end of a task is that has to stay; undefined when it has not. */
  readonly find: (taskId: string) => TaskBody | undefined;
}

export interface Compactor {
  /** Something does not matter any more: looks, on a later turn, what can be made smaller. */
  consider(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Starts nothing until the returned function is called; resolves when nothing is under way. */
  pause(): Promise<() => void>;
  /** Starts nothing more; resolves when nothing is under way. */
  stop(): Promise<void>;
}

interface Copy {
  readonly kind: LineHead["kind"];
  /** Several for marks. */
  readonly taskIds: readonly string[];
  readonly source: Segment;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
}

export function createCompactor(deps: CompactorDeps): Compactor {
  const { clock, log } = deps;
  let running: Promise<void> | undefined;
  let stopped = false;
  let pauses = 0;
  let quietUntil = 0;
  const run = async (): Promise<void> => {
    await nextTurn(clock);
    try {
      while (!stopped && pauses === 0 && (await pass(deps)));
    } catch (error) {
      quietUntil = clock.monotonic() + PAUSE_MS;
      log.fault("making the files of kept tasks smaller", error);
    }
    running = undefined;
  };
  const consider = (): void => {
    if (stopped || pauses > 0 || running !== undefined || clock.monotonic() < quietUntil) return;
    running = run();
  };
  return {
    consider,
    async pause() {
      pauses += 1;
      await running;
      return () => {
        pauses -= 1;
        consider();
      };
    },
    async idle() {
      while (running !== undefined) await running;
    },
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** True when something was done, and there may be more to do. */
async function pass(deps: CompactorDeps): Promise<boolean> {
  const active = deps.active();
  const closed = [...deps.segments].filter((segment) => segment !== active && !segment.foreign);
  const empty = closed.filter(({ lines }) => lines === 0);
  if (empty.length > 0) {
    await removeSegments(deps, empty);
    return true;
  }
  const group = planCompaction(closed, deps.segmentBytes);
  if (group.length === 0) return false;
  await compact(deps, group);
  return true;
}

async function compact(deps: CompactorDeps, group: readonly Segment[]): Promise<void> {
  const path = join(deps.folder, linesName(deps.key, deps.nextNumber()));
  const temp = `${path}.tmp`;
  const file = deps.journalFiles.create(temp);
  const target = createSegment(path, 0);
  let copies: Copy[] = [];
  try {
    for (const source of group) copies = [...copies, ...(await copyLines(deps, source, file, target))];
    await file.append(Buffer.alloc(0), true);
    await file.close();
    await deps.journalFiles.rename(temp, path);
    await deps.journalFiles.syncNames(path);
  } catch (error) {
    await file.close().catch((late: unknown) => deps.log.fault("closing a half made file", late));
    await deps.files.remove(temp);
    deps.leftovers.gone(target);
    throw error;
  }
  target.size = file.size;
  moveLines(deps, target, copies);
  await removeSegments(deps, group);
}

async function copyLines(
  deps: CompactorDeps,
  source: Segment,
  file: AppendFile,
  target: Segment,
): Promise<readonly Copy[]> {
  const opened = await deps.journalFiles.open(source.path);
  const copies: Copy[] = [];
  const lines: Buffer[] = [];
  let to = file.size;
  try {
    if (opened === undefined) return [];
    await scanLines(opened, ({ head: { kind, taskId }, offset, bytes }) => {
      const marks = kind === "told" ? decodeMarks(bytes) : [];
      const wanted = kind === "told" ? markMatters(deps, marks, source) : matters(deps, kind, taskId, source, offset);
      if (!wanted) return;
      // The task may end, and be forgotten, before the copies count.
      if (kind === "event") deps.leftovers.add(taskId, target);
      const taskIds = kind === "told" ? marks.map((mark) => mark.taskId) : [taskId];
      copies.push({ kind, taskIds, source, from: offset, to, bytes: bytes.length });
      lines.push(bytes);
      to += bytes.length;
    });
  } finally {
    await opened?.close();
  }
  for (const piece of pieces(lines)) {
    await file.append(piece, false);
    await nextTurn(deps.clock);
  }
  return copies;
}

function matters(
  { find, tracks }: CompactorDeps,
  kind: LineHead["kind"],
  taskId: string,
  source: Segment,
  offset: number,
): boolean {
  if (kind !== "end") return tracks.has(kind, taskId);
  const body = find(taskId);
  return body !== undefined && isLine(body) && body.segment === source && body.offset === offset;
}

function markMatters({ find, tracks }: CompactorDeps, marks: readonly DeliveryMark[], source: Segment): boolean {
  return marks.some((mark) => goesAlong(mark, find(mark.taskId), source) || tracks.has("told", mark.taskId));
}

/** Lines joined to writes that do not block for long. */
function* pieces(lines: readonly Buffer[]): Generator<Buffer, void> {
  let joined: Buffer[] = [];
  let bytes = 0;
  for (const line of lines) {
    joined.push(line);
    bytes += line.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(joined);
    joined = [];
    bytes = 0;
  }
  if (joined.length > 0) yield Buffer.concat(joined);
}

/** In one step: whoever reads finds each line in the old file or in the new one. What ceased to matter meanwhile is not counted. */
function moveLines(
  { segments, tracks, leftovers, find }: CompactorDeps,
  target: Segment,
  copies: readonly Copy[],
): void {
  segments.add(target);
  const moved = new Map<Segment, Map<number, Copy>>();
  const tracked = { event: new Set<string>(), push: new Set<string>(), told: new Set<string>() };
  for (const copy of copies) {
    const { kind, taskIds, source, from } = copy;
    const [taskId = ""] = taskIds;
    if (kind !== "end") {
      for (const each of taskIds) tracked[kind].add(each);
      const places = moved.get(source) ?? new Map<number, Copy>();
      moved.set(source, places.set(from, copy));
      continue;
    }
    moveEnd(find(taskId), copy, target);
  }
  for (const kind of ["event", "push", "told"] as const) {
    for (const taskId of tracked[kind]) {
      tracks.move(kind, taskId, ({ segment, offset }) => {
        const copy = moved.get(segment)?.get(offset);
        return copy && { segment: target, offset: copy.to, bytes: copy.bytes };
      });
    }
  }
  for (const taskId of tracked.event) if (tracks.has("event", taskId)) leftovers.remove(taskId, target);
}

function moveEnd(body: TaskBody | undefined, { source, from, to }: Copy, target: Segment): void {
  if (body === undefined || !isLine(body) || body.segment !== source || body.offset !== from) return;
  dropLine(body);
  body.segment = target;
  body.offset = to;
  countLine(body);
}

async function removeSegments(deps: CompactorDeps, segments: readonly Segment[]): Promise<void> {
  for (const segment of segments) {
    if (segment.lines > 0) {
      deps.log.warn(`${basename(segment.path)} still holds ${segment.lines} lines that matter, and stays`);
      // Never looked at again: what cannot be explained is left as it is.
      deps.segments.delete(segment);
      continue;
    }
    deps.segments.delete(segment);
    await dropSegment(segment);
    await deps.files.remove(segment.path);
    deps.leftovers.gone(segment);
    await removeMarker(deps, segment);
  }
}

/** A dead server of which nothing is left needs no owner. */
async function removeMarker({ folder, key, files, segments }: CompactorDeps, { path }: Segment): Promise<void> {
  const owner = parseName(basename(path))?.key ?? key;
  const others = [...segments].some((segment) => parseName(basename(segment.path))?.key === owner);
  if (owner !== key && !others) await files.remove(join(folder, adoptedName(owner, key)));
}
