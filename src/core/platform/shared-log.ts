// Owns a log file that several processes add lines to: whole lines at its end, and a new file when it has grown too large. Every
// addition is made under the file's lock, so that no line is torn, glued to another one or lost in a rotation.

import * as fs from "node:fs";
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Clock } from "./clock.ts";
import { A2aError, describeError, isA2aError } from "./errors.ts";
import { type StillHeld, withOwnFileLock } from "./file-lock.ts";
import { targetOf } from "./file-replacement.ts";
import { attempt, createFilesPort } from "./files.ts";

const MODE = 0o600;
const MODE_BITS = 0o7777;
const NEWLINE = 0x0a;
/** Opens a named pipe without waiting for its reader; it is refused then, as everything that is no regular file. */
const FLAGS = fs.constants.O_RDWR | fs.constants.O_APPEND | fs.constants.O_CREAT | fs.constants.O_NONBLOCK;
/** As many as systems follow. */
const MOST_LINKS = 40;
/** A file that cannot be put aside now may grow to so many times its size. */
const MOST_GROWTH = 2;

export interface SharedLog {
  readonly path: string;
  /**
   * Adds lines, of which each ends with a newline, and waits `waitMs` for other writers. Throws FILE_FAILED; then nothing was
   * added.
   */
  append(lines: string, waitMs: number): Promise<void>;
}

export interface SharedLogOptions {
  readonly path: string;
  /** A file that would grow larger becomes `<path>.1`, in place of the one that was put there before. */
  readonly maxBytes: number;
}

/** The calls that a test replaces to see how refusals of the operating system are met. */
export type LogFileParts = Pick<typeof fs, "writeSync" | "renameSync">;

/** Opens nothing between two additions, so there is nothing to close. The file is 0600 and may be a link to another one. */
export function createSharedLog(clock: Clock, options: SharedLogOptions, parts: Partial<LogFileParts> = {}): SharedLog {
  const { path, maxBytes } = options;
  const files = createFilesPort();
  const makePlace = async (): Promise<string> => {
    const target = await attempt("write", path, () => findTarget(path));
    await files.ensureDir(dirname(target));
    return target;
  };
  const calls = { writeSync: fs.writeSync, renameSync: fs.renameSync, ...parts };
  return {
    path,
    async append(lines, waitMs) {
      const bytes = Buffer.from(lines);
      const target = isPlainFile(path) ? path : await makePlace();
      const add = (held: StillHeld): boolean => held() && addNow(target, bytes, maxBytes, calls);
      while (!(await withOwnFileLock(target, { clock, waitMs }, add)));
    },
  };
}

/** Then nothing has to be looked for, nor made. */
function isPlainFile(path: string): boolean {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // Whoever looks for its place tells what is the matter.
    return false;
  }
}

/** A link leads nowhere for the moment in which another writer puts the file behind it aside: then that one lies beside. */
async function findTarget(path: string): Promise<string> {
  try {
    return await targetOf(path);
  } catch (error) {
    if (!isA2aError(error)) throw error;
    const end = await endOfLinks(path);
    if (fs.existsSync(`${end}.1`)) return end;
    throw error;
  }
}

async function endOfLinks(path: string): Promise<string> {
  let end = path;
  for (let links = 0; links < MOST_LINKS; links++) {
    const folder = await realpath(dirname(end)).catch(() => dirname(end));
    end = join(folder, basename(end));
    const next = await readlink(end).catch(() => undefined);
    if (next === undefined) break;
    end = resolve(folder, next);
  }
  return end;
}

/** Runs under the lock, within one turn of the event loop. */
function addNow(target: string, bytes: Buffer, maxBytes: number, calls: LogFileParts): true {
  try {
    const size = withLog(target, (fd) => fs.fstatSync(fd).size);
    if (size > 0 && size + bytes.length > maxBytes)
      putAside(target, size + bytes.length <= MOST_GROWTH * maxBytes, calls);
    withLog(target, (fd) => writeWhole(fd, bytes, calls));
    return true;
  } catch (error) {
    if (error instanceof A2aError) throw error;
    const reason = describeError(error).split(", ")[0];
    throw new A2aError("FILE_FAILED", `cannot write ${target}: ${reason}`, { cause: error });
  }
}

function withLog<T>(target: string, work: (fd: number) => T): T {
  const fd = openLog(target);
  try {
    return work(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function openLog(target: string): number {
  const fd = fs.openSync(target, FLAGS, MODE);
  const { mode } = fs.fstatSync(fd);
  if ((mode & fs.constants.S_IFMT) === fs.constants.S_IFREG) {
    // What others made for everybody to read is for its owner from here on.
    if ((mode & MODE_BITS) !== MODE && process.platform !== "win32") fs.fchmodSync(fd, MODE);
    return fd;
  }
  fs.closeSync(fd);
  throw new A2aError("FILE_FAILED", `cannot write ${target}: it is not a regular file`);
}

/** A file that another program has open cannot be renamed everywhere: while it `mayGrow`, that is no failure. */
function putAside(target: string, mayGrow: boolean, { renameSync }: LogFileParts): void {
  try {
    renameSync(target, `${target}.1`);
  } catch (error) {
    if (!mayGrow) throw error;
  }
}

/** All or nothing: what a full disk took of it is cut off again. */
function writeWhole(fd: number, bytes: Buffer, { writeSync }: LogFileParts): void {
  const { size } = fs.fstatSync(fd);
  const whole = endsInLine(fd, size) ? bytes : Buffer.concat([Buffer.of(NEWLINE), bytes]);
  try {
    for (let at = 0; at < whole.length; ) at += writeSync(fd, whole, at);
  } catch (error) {
    fs.ftruncateSync(fd, size);
    throw error;
  }
}

/** False when a process without our care, or a machine that went down, left half a line. */
function endsInLine(fd: number, size: number): boolean {
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  return fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE;
}
