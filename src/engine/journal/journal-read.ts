// Owns reading all files of the servers whose tasks are taken over, and what they say together. What cannot be read is told, and is
// nobody else's harm.

import { basename, join } from "node:path";
import type { Clock } from "../../core/platform/clock.ts";
import { describeError } from "../../core/platform/errors.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { RecoveredOpen, RecoveredTasks } from "../recovered-tasks.ts";
import { sortInSlices } from "../slices.ts";
import type { TaskEvent } from "../task-event.ts";
import { createFoundMarks, type FoundMarks } from "./found-marks.ts";
import { decodeBody } from "./journal-line.ts";
import type { JournalName } from "./journal-names.ts";
import { decodePushEvent, decodeTaskEvent } from "./kept-event.ts";
import type { Leftovers } from "./leftovers.ts";
import { createMerge, type Merge, type MergedEnd, type MergedEvent } from "./merge.ts";
import { createSegment, type KeptLine, readLine, type Segment } from "./segment.ts";
import { scanLines } from "./segment-scan.ts";
import { type UnheardDeps, unheardReplies } from "./unheard-replies.ts";

type MergedLines = ReadonlyMap<string, readonly MergedEvent<KeptLine>[]>;

export interface ReadJournal {
  readonly segments: readonly Segment[];
  /** The oldest first. */
  readonly ends: readonly MergedEnd<KeptLine>[];
  readonly open: MergedLines;
  readonly push: MergedLines;
  /** No line has a greater number. */
  readonly lastN: number;
  readonly tasks: RecoveredTasks;
  /** By task, lines of marks that do not go where its end goes. */
  readonly marks: readonly (readonly [taskId: string, line: KeptLine])[];
  /** What could not be read, for people. */
  readonly problems: readonly string[];
}

export interface ReadDeps {
  readonly folder: string;
  readonly clock: Clock;
  readonly journalFiles: JournalFiles;
  readonly leftovers: Leftovers;
}

/** Of the keys in `owned` everything is taken over; of others only what has ended, to be read. */
export async function readJournal(
  { folder, clock, journalFiles, leftovers }: ReadDeps,
  names: readonly JournalName[],
  owned: ReadonlySet<string>,
): Promise<ReadJournal> {
  const merge = createMerge<KeptLine>((taskId, spare, kept) => {
    if (spare.segment !== kept.segment) leftovers.add(taskId, spare.segment);
  });
  const marks = createFoundMarks(merge);
  const segments: Segment[] = [];
  const problems: string[] = [];
  for (const { key, name } of names) {
    const path = join(folder, name);
    const foreign = !owned.has(key);
    try {
      const segment = await readSegment(journalFiles, { path, foreign }, { merge, marks }, problems);
      if (segment !== undefined) segments.push(segment);
    } catch (error) {
      problems.push(describeError(error));
    }
  }
  const { lastN, lastAt } = merge;
  const [open, push] = [merge.open(), merge.push()];
  const { marked, lines } = marks.settle(open);
  const ends = await sortInSlices(clock, [...merge.ends.values()], (a, b) => a.at - b.at || a.n - b.n);
  const whole = { ends, open, push, marked, lastAt };
  const tasks = await recovered({ ...whole, journalFiles, now: clock.now() }, problems);
  return { ...whole, segments, lastN, tasks, marks: lines, problems };
}

async function readSegment(
  journalFiles: JournalFiles,
  { path, foreign }: Pick<Segment, "path" | "foreign">,
  { merge, marks }: { readonly merge: Merge; readonly marks: FoundMarks },
  problems: string[],
): Promise<Segment | undefined> {
  const file = await journalFiles.open(path);
  if (file === undefined) return undefined;
  try {
    const segment = createSegment(path, file.size, foreign);
    const { damaged } = await scanLines(file, ({ head, offset, bytes }) => {
      const line = { segment, offset, bytes: bytes.length };
      merge.add(head, line);
      if (head.kind === "told") marks.add(bytes, line);
    });
    if (damaged > 0) problems.push(`${damaged} lines of ${basename(path)} are damaged and were passed over`);
    return segment;
  } finally {
    await file.close();
  }
}

type Read = UnheardDeps & Pick<ReadJournal, "open" | "push">;

async function recovered(read: Read, problems: string[]): Promise<RecoveredTasks> {
  const { journalFiles, marked } = read;
  const open: RecoveredOpen[] = [];
  for (const [taskId, lines] of read.open) {
    if (lines.some(({ line }) => line.segment.foreign)) continue;
    const events = await readAll(journalFiles, lines, decodeTaskEvent, problems);
    const task = openTask(events, marked.get(taskId) ?? new Set());
    if (task === undefined) problems.push(`${taskId} has no beginning, and is left out`);
    else open.push(task);
  }
  const push = [];
  for (const lines of read.push.values()) {
    push.push(...(await readAll(journalFiles, lines, decodePushEvent, problems)));
  }
  return { ended: read.ends, unheard: await unheardReplies(read, problems), open, push };
}

async function readAll<T>(
  journalFiles: JournalFiles,
  lines: readonly MergedEvent<KeptLine>[],
  decode: (body: unknown) => T,
  problems: string[],
): Promise<T[]> {
  const events: T[] = [];
  for (const { line } of lines) {
    try {
      events.push(decode(decodeBody(await readLine(journalFiles, line))));
    } catch (error) {
      problems.push(`${basename(line.segment.path)}: ${describeError(error)}`);
    }
  }
  return events;
}

function openTask(events: readonly TaskEvent[], marked: ReadonlySet<string>): RecoveredOpen | undefined {
  const [submitted, ...rest] = events;
  return submitted?.kind === "submitted" ? { submitted, events: rest, marked } : undefined;
}
