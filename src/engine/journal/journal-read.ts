// Owns reading all files of the servers whose tasks are taken over, and what they say together. What cannot be read is told, and is
// nobody else's harm.

import { basename, join } from "node:path";
import { describeError } from "../../core/platform/errors.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { RecoveredEnd, RecoveredOpen, RecoveredTasks } from "../recovered-tasks.ts";
import type { TaskEvent } from "../task-event.ts";
import { decodeBody } from "./journal-line.ts";
import type { JournalName } from "./journal-names.ts";
import { decodePushEvent, decodeTaskEvent } from "./kept-event.ts";
import type { Leftovers } from "./leftovers.ts";
import { createMerge, type Merge, type MergedEvent } from "./merge.ts";
import { createSegment, type KeptLine, readLine, type Segment } from "./segment.ts";
import { scanLines } from "./segment-scan.ts";

export interface ReadJournal {
  readonly segments: readonly Segment[];
  readonly merge: Merge;
  readonly tasks: RecoveredTasks;
  /** What could not be read, for people. */
  readonly problems: readonly string[];
}

/** Of the keys in `owned` everything is taken over; of others only what has ended, to be read. */
export async function readJournal(
  journalFiles: JournalFiles,
  folder: string,
  names: readonly JournalName[],
  owned: ReadonlySet<string>,
  leftovers: Leftovers,
): Promise<ReadJournal> {
  const merge = createMerge<KeptLine>((taskId, spare, kept) => {
    if (spare.segment !== kept.segment) leftovers.add(taskId, spare.segment);
  });
  const segments: Segment[] = [];
  const problems: string[] = [];
  for (const { key, name } of names) {
    const path = join(folder, name);
    const foreign = !owned.has(key);
    try {
      const segment = await readSegment(journalFiles, { path, foreign }, merge, problems);
      if (segment !== undefined) segments.push(segment);
    } catch (error) {
      problems.push(describeError(error));
    }
  }
  const tasks = await recovered(journalFiles, merge, problems);
  return { segments, merge, tasks, problems };
}

async function readSegment(
  journalFiles: JournalFiles,
  { path, foreign }: Pick<Segment, "path" | "foreign">,
  merge: Merge,
  problems: string[],
): Promise<Segment | undefined> {
  const file = await journalFiles.open(path);
  if (file === undefined) return undefined;
  try {
    const segment = createSegment(path, file.size, foreign);
    const { damaged } = await scanLines(file, ({ head, offset, bytes }) =>
      merge.add(head, { segment, offset, bytes: bytes.length }),
    );
    if (damaged > 0) problems.push(`${damaged} lines of ${basename(path)} are damaged and were passed over`);
    return segment;
  } finally {
    await file.close();
  }
}

async function recovered(journalFiles: JournalFiles, merge: Merge, problems: string[]): Promise<RecoveredTasks> {
  const open: RecoveredOpen[] = [];
  for (const [taskId, lines] of merge.open()) {
    if (lines.some(({ line }) => line.segment.foreign)) continue;
    const events = await readAll(journalFiles, lines, decodeTaskEvent, problems);
    const task = openTask(events);
    if (task === undefined) problems.push(`${taskId} has no beginning, and is left out`);
    else open.push(task);
  }
  const push = [];
  for (const lines of merge.push().values()) {
    push.push(...(await readAll(journalFiles, lines, decodePushEvent, problems)));
  }
  return { ended: endedTasks(merge), open, push };
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

function openTask(events: readonly TaskEvent[]): RecoveredOpen | undefined {
  const [submitted, ...rest] = events;
  return submitted?.kind === "submitted" ? { submitted, events: rest } : undefined;
}

function endedTasks(merge: Merge): readonly RecoveredEnd[] {
  const ended: RecoveredEnd[] = [];
  const inOrder = [...merge.ends.values()].sort((a, b) => a.head.at - b.head.at || a.head.n - b.head.n);
  for (const { head, line: body } of inOrder) {
    const { taskId, contextId, ownerKey, state, at, ranAt } = head;
    ended.push({ taskId, contextId, ownerKey, state, at, ranAt, body });
  }
  return ended;
}
