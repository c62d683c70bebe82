// Owns adding lines: one write for each batch, into a file that only this server writes; the next file when one is full, was deleted
// by somebody, or was left unusable by a failure.

import { join } from "node:path";
import type { AppendFile } from "../../core/platform/append-file.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { Line } from "./journal-line.ts";
import { linesName } from "./journal-names.ts";
import { growingSegment, type KeptLine, type Segment } from "./segment.ts";

/** What is read again at a start comes in files of this size. */
export const SEGMENT_BYTES = 8 * 1024 * 1024;

export interface WriterDeps {
  readonly folder: string;
  readonly key: string;
  readonly journalFiles: JournalFiles;
  /** Whether each batch is to outlive a power failure. */
  readonly sync: () => boolean;
  /** A file that has grown so far is followed by the next. */
  readonly segmentBytes: number;
  /** Makes the folder, and tells others whose files these are; `again` where somebody has deleted them. Throws FILE_FAILED. */
  readonly prepare: (again: boolean) => Promise<void>;
}

export interface JournalWriter {
  /** Where each line is now. Throws FILE_FAILED, and then none of them is there. */
  add(lines: readonly Line[]): Promise<readonly KeptLine[]>;
  /** The file that grows; undefined before the first line. */
  readonly active: Segment | undefined;
  /** A number for a new file. */
  nextNumber(): number;
}

interface Active {
  readonly file: AppendFile;
  readonly segment: Segment;
}

/** `onSegment` hears of each new file once it is the one that grows. */
export function createJournalWriter(deps: WriterDeps, onSegment: (segment: Segment) => void): JournalWriter {
  let active: Active | undefined;
  let numbers = 0;

  const open = async (again: boolean): Promise<Active> => {
    await deps.prepare(again);
    const file = deps.journalFiles.create(join(deps.folder, linesName(deps.key, numbers++)));
    if (deps.sync()) await deps.journalFiles.syncNames(file.path);
    return { file, segment: growingSegment(file) };
  };
  const current = async (): Promise<Active> => {
    const isGone = active !== undefined && !active.file.isThere();
    const usable = active?.file.usable === true && !isGone ? active : undefined;
    if (usable !== undefined && usable.file.size < deps.segmentBytes) return usable;
    const next = await open(isGone).catch((error: unknown) => {
      // A full file serves on where no other can be made.
      if (usable !== undefined) return usable;
      throw error;
    });
    active = next;
    // Not before: a file without lines that nobody writes to is removed.
    if (next !== usable) onSegment(next.segment);
    return next;
  };

  return {
    async add(lines) {
      const { file, segment } = await current();
      const from = file.size;
      await file.append(Buffer.from(lines.map(({ text }) => text).join("")), deps.sync());
      segment.size = file.size;
      let offset = from;
      return lines.map(({ bytes }) => {
        offset += bytes;
        return { segment, offset: offset - bytes, bytes };
      });
    },
    get active() {
      return active?.segment;
    },
    nextNumber: () => numbers++,
  };
}
