// Owns one file of a journal: which of its lines still matter, and reading them. A file that is dropped is closed when nobody reads
// in it any more.

import type { AppendFile } from "../../core/platform/append-file.ts";
import { A2aError } from "../../core/platform/errors.ts";
import type { JournalFiles, PlacedFile } from "../../core/platform/journal-files.ts";
import type { TaskBody } from "../event-sink.ts";

/** A line that matters. An ended task's is its body, and goes where compaction puts it. */
export interface KeptLine extends TaskBody {
  segment: Segment;
  offset: number;
  readonly bytes: number;
}

type LineReader = Pick<PlacedFile, "read" | "close"> | Pick<AppendFile, "read" | "close">;

export interface Segment {
  readonly path: string;
  /** Bytes of all lines. */
  size: number;
  /** Lines that matter, and their bytes. */
  lines: number;
  keptBytes: number;
  reader: Promise<LineReader> | undefined;
  reading: number;
  dropped: boolean;
  /** Its tasks belong to another server, or to none yet: it is read, and left as it is. */
  readonly foreign: boolean;
}

/** Of an existing file. */
export function createSegment(path: string, size: number, foreign = false): Segment {
  return { path, size, lines: 0, keptBytes: 0, reader: undefined, reading: 0, dropped: false, foreign };
}

/** Of a file that is being written. */
export function growingSegment(file: AppendFile): Segment {
  return { ...createSegment(file.path, file.size), reader: Promise.resolve(file) };
}

export function isLine(body: TaskBody): body is KeptLine {
  return "segment" in body;
}

export function countLine({ segment, bytes }: KeptLine): void {
  segment.lines += 1;
  segment.keptBytes += bytes;
}

export function dropLine({ segment, bytes }: KeptLine): void {
  segment.lines -= 1;
  segment.keptBytes -= bytes;
}

/** The bytes of the line; FILE_FAILED when they cannot be read. */
export async function readLine(files: JournalFiles, { segment, offset, bytes }: KeptLine): Promise<Uint8Array> {
  segment.reading += 1;
  try {
    segment.reader ??= openReader(files, segment);
    const line = await (await segment.reader).read(offset, bytes);
    if (line.length === bytes) return line;
    throw new A2aError("FILE_FAILED", `cannot read ${segment.path}: it is shorter than it was`);
  } finally {
    segment.reading -= 1;
    await closeUnused(segment);
  }
}

/** Nothing in it matters any more. */
export function dropSegment(segment: Segment): Promise<void> {
  segment.dropped = true;
  return closeUnused(segment);
}

async function openReader(files: JournalFiles, segment: Segment): Promise<PlacedFile> {
  try {
    const opened = await files.open(segment.path);
    if (opened !== undefined) return opened;
    throw new A2aError("FILE_FAILED", `cannot read ${segment.path}: it is gone`);
  } catch (error) {
    // The next one tries again.
    segment.reader = undefined;
    throw error;
  }
}

async function closeUnused(segment: Segment): Promise<void> {
  if (!segment.dropped || segment.reading > 0) return;
  const { reader } = segment;
  segment.reader = undefined;
  await (await reader)?.close();
}
