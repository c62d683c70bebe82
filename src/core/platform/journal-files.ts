// Owns what a journal needs of the file system beyond ./files.ts: files that only grow, reading at a place, and renames that only
// one of many processes can do. Never follows a link and never opens what another user owns.

import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import { type AppendFile, type AppendParts, createAppendFile } from "./append-file.ts";
import type { Clock } from "./clock.ts";
import { A2aError } from "./errors.ts";
import { syncFolderOf } from "./file-replacement.ts";
import { attempt, orMissing } from "./files.ts";

export interface PlacedFile {
  /** Bytes when it was opened. */
  readonly size: number;
  /** What is at `offset`, at most `length` bytes; fewer only where the file ends. */
  read(offset: number, length: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface JournalFiles {
  /** Makes the folder 0700, and closes an existing one to others. */
  makeFolder(path: string): Promise<void>;
  /** A new file, 0600; FILE_FAILED when it exists. */
  create(path: string): AppendFile;
  /** undefined when there is none; FILE_FAILED for links, folders, and files of other users. */
  open(path: string): Promise<PlacedFile | undefined>;
  /** False when `from` is not there (any more): of many that try, one gets true. An existing `to` is replaced. */
  rename(from: string, to: string): Promise<boolean>;
  /** Marks the file as in use now; false when it is not there. */
  touch(path: string): Promise<boolean>;
  /** Makes sure that names in the folder of `path` outlive a power failure. */
  syncNames(path: string): Promise<void>;
}

export function createJournalFiles(clock: Clock, parts: Partial<AppendParts> = {}): JournalFiles {
  return {
    makeFolder: (path) =>
      attempt("make the folder", path, async () => {
        await fs.mkdir(path, { recursive: true, mode: 0o700 });
        const { mode, uid } = await fs.stat(path);
        if ((mode & 0o077) !== 0 && isOurs(uid)) await fs.chmod(path, 0o700);
      }),
    create: (path) => createAppendFile(path, clock, parts),
    open: (path) => attempt("read", path, () => openPlaced(path)),
    rename: (from, to) =>
      attempt("rename", from, async () => (await orMissing(fs.rename(from, to).then(() => true))) ?? false),
    touch: (path) =>
      attempt("touch", path, async () => {
        const now = clock.now() / 1000;
        return (await orMissing(fs.utimes(path, now, now).then(() => true))) ?? false;
      }),
    syncNames: syncFolderOf,
  };
}

async function openPlaced(path: string): Promise<PlacedFile | undefined> {
  // Without O_NONBLOCK the open of a named pipe would wait for a writer for ever.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0);
  const handle = await orMissing(fs.open(path, flags));
  if (handle === undefined) return undefined;
  try {
    const info = await handle.stat();
    if (!info.isFile()) throw new A2aError("FILE_FAILED", `cannot read ${path}: it is not a regular file`);
    if (!isOurs(info.uid)) throw new A2aError("FILE_FAILED", `cannot read ${path}: it belongs to another user`);
    return {
      size: info.size,
      read: (offset, length) => readSome(handle, path, offset, length),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readSome(handle: fs.FileHandle, path: string, offset: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  await attempt("read", path, async () => {
    while (done < length) {
      const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
      if (bytesRead === 0) return;
      done += bytesRead;
    }
  });
  return bytes.subarray(0, done);
}

/** Windows tells no owners. */
function isOurs(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
