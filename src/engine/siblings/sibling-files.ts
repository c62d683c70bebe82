// Owns reading the files of other servers of the same agent folder from where they were left, when somebody asks. Half a line at the
// end of a file is read when it is whole. Changes nothing in the folder.

import { join } from "node:path";
import { describeError } from "../../core/platform/errors.ts";
import type { FilesPort } from "../../core/platform/files.ts";
import type { JournalFiles } from "../../core/platform/journal-files.ts";
import type { Log } from "../../core/platform/log.ts";
import { namesIn } from "../journal/adoption.ts";
import type { JournalName } from "../journal/journal-names.ts";
import { createSegment, dropSegment } from "../journal/segment.ts";
import { type ScannedLine, scanLines } from "../journal/segment-scan.ts";
import type { SiblingBook, SiblingFile } from "./sibling-book.ts";

export interface SiblingFiles {
  /** Takes into the book what is new in files of servers that are not `ours`, and out of it what is gone. Gives all names there are. */
  read(ours: ReadonlySet<string>): Promise<readonly JournalName[]>;
  close(): Promise<void>;
}

export interface SiblingFilesDeps {
  readonly folder: string;
  readonly files: FilesPort;
  readonly journalFiles: JournalFiles;
  readonly log: Log;
}

/** Listings are repeated while files come, which takes little: what a file held that is gone may stand in one that came later. */
const MOST_LISTINGS = 100;

interface Reading extends SiblingFilesDeps {
  readonly book: SiblingBook;
  /** By name. */
  readonly known: Map<string, SiblingFile>;
  /** What could not be read, so that it is told once. */
  readonly refused: Set<string>;
}

export function createSiblingFiles(deps: SiblingFilesDeps, book: SiblingBook): SiblingFiles {
  const reading: Reading = { ...deps, book, known: new Map(), refused: new Set() };
  return {
    read: (ours) => readAll(reading, ours),
    async close() {
      await Promise.all([...reading.known.values()].map(dropSegment));
    },
  };
}

async function readAll(reading: Reading, ours: ReadonlySet<string>): Promise<readonly JournalName[]> {
  const tried = new Set<string>();
  const present = new Set<string>();
  const isNew = ({ kind, key, name }: JournalName): boolean => kind === "lines" && !ours.has(key) && !tried.has(name);
  let names = await namesIn(reading);
  for (let listing = 1; listing <= MOST_LISTINGS && names.some(isNew); listing++) {
    for (const name of names.filter(isNew)) {
      tried.add(name.name);
      if (await readNew(reading, name)) present.add(name.name);
    }
    // Compaction gives the new file its name before the old one goes, which may have been before it was read here.
    names = await namesIn(reading);
  }
  const gone = [...reading.known].filter(([name]) => !present.has(name));
  for (const [name] of gone) reading.known.delete(name);
  const files = gone.map(([, file]) => file);
  if (files.length > 0) reading.book.drop(new Set(files));
  await Promise.all(files.map(dropSegment));
  return names;
}

/** False when the file is not there (any more). */
async function readNew(reading: Reading, { name, key }: JournalName): Promise<boolean> {
  const path = join(reading.folder, name);
  try {
    const info = await reading.files.stat(path);
    if (info === undefined) return false;
    const file = reading.known.get(name) ?? { ...createSegment(path, 0, true), key, end: 0 };
    if (info.size === file.size) return true;
    return await readFrom(reading, name, file);
  } catch (error) {
    if (!reading.refused.has(name)) reading.log.warn(`tasks of other sessions: ${describeError(error)}`);
    reading.refused.add(name);
    return reading.known.has(name);
  }
}

async function readFrom(reading: Reading, name: string, file: SiblingFile): Promise<boolean> {
  const opened = await reading.journalFiles.open(file.path);
  if (opened === undefined) return false;
  const take = (line: ScannedLine): void => reading.book.add(file, line);
  try {
    reading.known.set(name, file);
    // A write that failed was taken back after it was seen here.
    if (opened.size < file.end) startAgain(reading, file);
    const from = file.end;
    const scan = await scanLines(opened, take, from);
    file.end = scan.end;
    file.size = opened.size;
    if (scan.damaged === 0 || from === 0) return true;
    // The same, and other lines have taken its place.
    startAgain(reading, file);
    file.end = (await scanLines(opened, take)).end;
    return true;
  } finally {
    await opened.close();
  }
}

function startAgain(reading: Reading, file: SiblingFile): void {
  reading.book.drop(new Set([file]));
  file.end = 0;
}
