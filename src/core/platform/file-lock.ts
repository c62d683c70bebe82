// Owns the lock on a file that other programs write too: a folder `<path>.lock`, as the host's own settings lock (proper-lockfile)
// makes it, so that both sides exclude each other. It is held for one turn of the event loop only: the host waits for it with
// the whole process standing still, and would wait for us in vain. A lock untouched for 10 s belongs to nobody.

import { mkdirSync, rmdirSync, type Stats, statSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { type Clock, sleep } from "./clock.ts";
import { A2aError } from "./errors.ts";
import { attempt, codeOf } from "./files.ts";

const STALE_MS = 10_000;
const SHORTEST_PAUSE_MS = 5;
const PAUSE_SPREAD_MS = 20;
const MOST_WAIT_MS = 5000;

export interface LockOptions {
  readonly clock: Clock;
  /** Milliseconds to wait for another owner; 5000 unless given. */
  readonly waitMs?: number;
}

/** False when the process stood still for so long that somebody else took the lock over. */
export type StillHeld = () => boolean;

/**
 * Runs `work` under the lock of `path`, whose folder must exist, and gives the lock back. FILE_FAILED when the lock stays taken
 * or cannot be made.
 */
export function withFileLock<T>(path: string, options: LockOptions, work: (held: StillHeld) => T): Promise<T> {
  return untilTaken(path, options, async (folder, now) => (take(folder, now) ? runHolding(folder, work) : undefined));
}

/**
 * The same for files that no host locks: the lock is made and removed on another thread, since a busy disk can take long for that,
 * and the lock is held so much longer.
 */
export function withOwnFileLock<T>(path: string, options: LockOptions, work: (held: StillHeld) => T): Promise<T> {
  return untilTaken(path, options, async (folder, now) =>
    (await takeLater(folder, now)) ? runHolding(folder, work, rmdir) : undefined,
  );
}

type Done<T> = { readonly value: T };

async function untilTaken<T>(
  path: string,
  { clock, waitMs = MOST_WAIT_MS }: LockOptions,
  tryOnce: (folder: string, now: number) => Promise<Done<T> | undefined>,
): Promise<T> {
  const folder = `${path}.lock`;
  const endsAt = clock.monotonic() + waitMs;
  for (;;) {
    const done = await attempt("lock", path, () => tryOnce(folder, clock.now()));
    if (done !== undefined) return done.value;
    if (clock.monotonic() >= endsAt) throw stillTaken(path, folder, waitMs);
    await sleep(clock, SHORTEST_PAUSE_MS + Math.random() * PAUSE_SPREAD_MS);
  }
}

/** True when the folder was made; a stale one is removed on the way. */
function take(folder: string, now: number): boolean {
  if (make(folder)) return true;
  return removeIfStale(folder, now) && make(folder);
}

async function takeLater(folder: string, now: number): Promise<boolean> {
  if (await makeLater(folder)) return true;
  return removeIfStale(folder, now) && makeLater(folder);
}

async function makeLater(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function make(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function removeIfStale(folder: string, now: number): boolean {
  try {
    if (statSync(folder).mtimeMs >= now - STALE_MS) return false;
    rmdirSync(folder);
  } catch (error) {
    // Its owner was quicker.
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return true;
}

/** Without `remove` all of it in one turn of the event loop. */
async function runHolding<T>(
  folder: string,
  work: (held: StillHeld) => T,
  remove: (folder: string) => Promise<void> | undefined = rmdirNow,
): Promise<Done<T>> {
  const mine = statSync(folder);
  const held = (): boolean => isSame(mine, statSync(folder, { throwIfNoEntry: false }));
  try {
    return { value: work(held) };
  } finally {
    // One that was lost is left to its new owner.
    if (held()) await remove(folder);
  }
}

function rmdirNow(folder: string): undefined {
  rmdirSync(folder);
}

function isSame(mine: Stats, now: Stats | undefined): boolean {
  return now !== undefined && now.ino === mine.ino && now.mtimeMs === mine.mtimeMs;
}

function stillTaken(path: string, folder: string, waitMs: number): A2aError {
  return new A2aError("FILE_FAILED", `${path} stayed locked by another process for ${waitMs / 1000} s`, {
    hint: `Try again. If no other Pi runs, remove the folder ${folder}.`,
  });
}
