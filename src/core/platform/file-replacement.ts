// Owns replacing a file that a person and other programs own too: links followed, mode and owner kept, the new content on the
// disk before it takes the old one's place. Whoever looks, also after a crash, finds the old content or the new one.

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import * as fs from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { A2aError } from "./errors.ts";
import { attempt, orMissing } from "./files.ts";

const MODE_OF_NEW = 0o600;
const MODE_BITS = 0o7777;
const WRITE_BITS = 0o222;
/** No write takes as long: what is older was left by a process that was killed. */
const LEFTOVER_MS = 60_000;
const LEFTOVER = /^\.\d+-[0-9a-f]{12}\.tmp$/;

/** New content in a file of its own. */
export interface Replacement {
  readonly temp: string;
  /** The file whose place it is to take. */
  readonly target: string;
}

/** Writes the content beside the file that `path` leads to. Throws FILE_FAILED, also when that file may not be written. */
export function prepareReplacement(path: string, content: Uint8Array): Promise<Replacement> {
  return attempt("write", path, async () => {
    const target = await targetOf(path);
    const temp = `${target}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`;
    try {
      await writeBeside(temp, content, target);
    } catch (error) {
      // The first failure is the one to tell; a temporary file that cannot be removed either changes nothing.
      await fs.rm(temp, { force: true }).catch(() => undefined);
      throw error;
    }
    return { temp, target };
  });
}

/** Makes sure that a rename in the folder of `path` outlives a power failure. */
export function syncFolderOf(path: string): Promise<void> {
  return attempt("write", path, async () => {
    // Windows opens no folders, and keeps the order of renames by itself.
    if (process.platform === "win32") return;
    const handle = await fs.open(dirname(path), constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Removes what killed processes left beside the file. */
export function removeLeftovers(path: string, now: number): Promise<void> {
  return attempt("tidy up beside", path, async () => {
    const target = await targetOf(path);
    const [folder, name] = [dirname(target), basename(target)];
    for (const entry of await fs.readdir(folder)) {
      if (!entry.startsWith(name) || !LEFTOVER.test(entry.slice(name.length))) continue;
      const leftover = join(folder, entry);
      const info = await orMissing(fs.stat(leftover));
      if (info !== undefined && info.mtimeMs < now - LEFTOVER_MS) await fs.rm(leftover, { force: true });
    }
  });
}

/** Where the links lead. A link that leads nowhere is refused: nobody can say what was meant to be there. */
export async function targetOf(path: string): Promise<string> {
  const real = await orMissing(fs.realpath(path));
  if (real !== undefined) return real;
  const there = await orMissing(fs.lstat(path));
  // A file may have come since.
  if (there === undefined || !there.isSymbolicLink()) return path;
  throw new A2aError("FILE_FAILED", `cannot write ${path}: it is a link that leads nowhere`, {
    hint: "Make the file that it leads to, or remove the link.",
  });
}

async function writeBeside(temp: string, content: Uint8Array, target: string): Promise<void> {
  const old = await orMissing(fs.stat(target));
  if (old !== undefined) await needWritable(target, old);
  const handle = await fs.open(temp, "wx", MODE_OF_NEW);
  try {
    await handle.writeFile(content);
    if (old !== undefined) await giveMode(handle, old);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename would replace a file that its owner made read-only. */
async function needWritable(target: string, { mode }: Stats): Promise<void> {
  if ((mode & WRITE_BITS) === 0) throw new A2aError("FILE_FAILED", `cannot write ${target}: it is read-only`);
  await fs.access(target, constants.W_OK);
}

async function giveMode(handle: fs.FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  // Only root may give a file away; for all others it stays theirs, as every new file does.
  if (uid !== old.uid || gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => undefined);
  await handle.chmod(old.mode & MODE_BITS);
}
