// Owns the file system: the one port over node:fs that everything else takes from its deps. New files are 0600, new folders
// 0700. A missing file is a value, never an error; every other failure is a FILE_FAILED that names the path.

import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { A2aError, describeError } from "./errors.ts";

/** Enough for settings, owner files and transcripts; larger files are read by a cap that their reader names. */
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Others empty a file and then write it; on a loaded machine the gap was seen to last 50 ms. */
const REREAD_MS = [5, 15, 30, 60, 90];

/** Virus scanners and indexers hold a file for a moment; Windows then refuses to replace it. */
export const RENAME_RETRY_MS: readonly number[] = [10, 20, 50, 100, 200];
const RETRIED = new Set(["EPERM", "EBUSY", "EACCES"]);

const MISSING = new Set(["ENOENT"]);
/** A file in the place of a folder leads nowhere too. */
const NOWHERE = new Set(["ENOENT", "ENOTDIR"]);
/** The codes of systems for a folder that is not empty, no folder, or not there. */
const KEPT = new Set(["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"]);

export interface FileInfo {
  readonly kind: "file" | "folder" | "other";
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

export interface ReadOptions {
  /** The file may not be larger. */
  readonly maxBytes?: number;
  /** Says whether a text is complete. While it is not, the file is read again for a fifth of a second; then it counts as it is. */
  readonly isWhole?: (text: string) => boolean;
}

export interface FilesPort {
  /** The file as UTF-8, its byte-order mark included; undefined when there is none. Throws when it is no regular file. */
  readText(path: string, options?: ReadOptions): Promise<string | undefined>;
  /** The bytes of the file; undefined when there is none. Throws when it is no regular file. */
  readBytes(path: string, options?: Pick<ReadOptions, "maxBytes">): Promise<Uint8Array | undefined>;
  /** Replaces the file as a whole: readers see the old content or the new one, never a mix. Its folder must exist. */
  writeAtomic(path: string, content: string | Uint8Array): Promise<void>;
  /** Makes the folder and its parents; a folder that exists keeps its mode. */
  ensureDir(path: string): Promise<void>;
  /** Sorted names in the folder; none when it is missing. */
  list(path: string): Promise<readonly string[]>;
  /** Removes a file; a missing one is no error. Never removes folders. */
  remove(path: string): Promise<void>;
  /** Removes a folder with all that is in it; links in it are removed, not followed. A missing one is no error. */
  removeTree(path: string): Promise<void>;
  /** Removes the folder if it is there and empty. */
  removeIfEmpty(path: string): Promise<void>;
  /** Follows symbolic links; undefined when there is nothing. */
  stat(path: string): Promise<FileInfo | undefined>;
  /** The absolute path without symbolic links; undefined when it leads nowhere. */
  realPath(path: string): Promise<string | undefined>;
}

/** The parts a test replaces to see how refusals of the operating system are met. */
export interface FileParts {
  rename(from: string, to: string): Promise<void>;
  wait(ms: number): Promise<unknown>;
}

/** The port over the real file system; it holds no state and needs no closing. */
export function createFilesPort(parts: Partial<FileParts> = {}): FilesPort {
  const { rename = fs.rename, wait = pause } = parts;
  return {
    readText: (path, { maxBytes = DEFAULT_MAX_BYTES, isWhole = () => true } = {}) =>
      attempt("read", path, () => readPatiently(() => readText(path, maxBytes), isWhole, wait)),
    readBytes: (path, { maxBytes = DEFAULT_MAX_BYTES } = {}) => attempt("read", path, () => readBytes(path, maxBytes)),
    writeAtomic: (path, content) => attempt("write", path, () => replaceFile(path, content, { rename, wait })),
    ensureDir: (path) =>
      attempt("make the folder", path, async () => {
        await fs.mkdir(path, { recursive: true, mode: 0o700 });
      }),
    list: (path) => attempt("list", path, async () => ((await orMissing(fs.readdir(path))) ?? []).sort()),
    remove: (path) => attempt("remove", path, () => fs.rm(path, { force: true, maxRetries: 3 })),
    removeTree: (path) => attempt("remove", path, () => fs.rm(path, { recursive: true, force: true, maxRetries: 3 })),
    removeIfEmpty: (path) => attempt("remove", path, () => orMissing(fs.rmdir(path), KEPT)),
    stat: (path) => attempt("look at", path, () => stat(path)),
    realPath: (path) => attempt("look at", path, () => orMissing(fs.realpath(path), NOWHERE)),
  };
}

async function readPatiently(
  read: () => Promise<string | undefined>,
  isWhole: (text: string) => boolean,
  wait: FileParts["wait"],
): Promise<string | undefined> {
  let text = await read();
  for (const ms of REREAD_MS) {
    if (text === undefined || isWhole(text)) break;
    await wait(ms);
    text = await read();
  }
  return text;
}

async function readText(path: string, maxBytes: number): Promise<string | undefined> {
  return (await readBytes(path, maxBytes))?.toString("utf8");
}

async function readBytes(path: string, maxBytes: number): Promise<Buffer | undefined> {
  // Without O_NONBLOCK the open of a named pipe would wait for a writer for ever.
  const handle = await orMissing(fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (handle === undefined) return undefined;
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new A2aError("FILE_FAILED", `cannot read ${path}: it is not a regular file`);
    if (info.size > maxBytes) throw tooLarge(path, maxBytes);
    const content = await handle.readFile();
    // The file may have grown between the two calls.
    if (content.byteLength > maxBytes) throw tooLarge(path, maxBytes);
    return content;
  } finally {
    await handle.close();
  }
}

async function stat(path: string): Promise<FileInfo | undefined> {
  const info = await orMissing(fs.stat(path));
  if (info === undefined) return undefined;
  const kind = info.isFile() ? "file" : info.isDirectory() ? "folder" : "other";
  return { kind, size: info.size, modifiedAt: info.mtimeMs };
}

/** Makes a file beside the target under a name no other process uses, then puts it in the target's place. */
async function replaceFile(path: string, content: string | Uint8Array, parts: FileParts): Promise<void> {
  const temp = `${path}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
  try {
    await fs.writeFile(temp, content, { flag: "wx", mode: 0o600 });
    await renamePatiently(temp, path, parts);
  } catch (error) {
    // The first failure is the one to tell; a temporary file that cannot be removed either changes nothing.
    await fs.rm(temp, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function renamePatiently(from: string, to: string, { rename, wait }: FileParts): Promise<void> {
  for (const ms of RENAME_RETRY_MS) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (!isPassingRefusal(error)) throw error;
      await wait(ms);
    }
  }
  await rename(from, to);
}

/** Whether a rename may succeed a moment later. */
export function isPassingRefusal(error: unknown): boolean {
  return RETRIED.has(codeOf(error));
}

/** The value, or undefined when the operating system answers with one of the codes `missing`. */
export async function orMissing<T>(work: Promise<T>, missing: ReadonlySet<string> = MISSING): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (missing.has(codeOf(error))) return undefined;
    throw error;
  }
}

/** The result, or a FILE_FAILED that says what could not be done to which path. */
export async function attempt<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof A2aError) throw error;
    // Node's text goes on with the system call and the path, which stands here already.
    const reason = describeError(error).split(", ")[0];
    throw new A2aError("FILE_FAILED", `cannot ${verb} ${path}: ${reason}`, { cause: error });
  }
}

function tooLarge(path: string, maxBytes: number): A2aError {
  return new A2aError("FILE_FAILED", `cannot read ${path}: it is larger than ${maxBytes} bytes`, {
    hint: "Make the file smaller, or remove it.",
  });
}

/** The code of an error of the operating system, such as ENOENT; "" for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
