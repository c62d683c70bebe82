// Owns the lock on a file that other programs write too: a folder `<path>.lock`, as the host's own settings lock (proper-lockfile)
// makes it, so that both sides exclude each other. It is held for one turn of the event loop only: the host waits for it with
// the whole process standing still, and would wait for us in vain. A lock untouched for 10 s belongs to nobody.

import { mkdirSync, rmdirSync, type Stats, statSync } from "node:fs";
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
export async function withFileLock<T>(path: string, options: LockOptions, work: (held: StillHeld) => T): Promise<T> {
  const { clock, waitMs = MOST_WAIT_MS } = options;
  const folder = `${path}.lock`;
  const endsAt = clock.monotonic() + waitMs;
  for (;;) {
    const done = await attempt("lock", path, async () =>
      take(folder, clock.now()) ? runHolding(folder, work) : undefined,
    );
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

function runHolding<T>(folder: string, work: (held: StillHeld) => T): { readonly value: T } {
  const mine = statSync(folder);
  const held = (): boolean => isSame(mine, statSync(folder, { throwIfNoEntry: false }));
  try {
    return { value: work(held) };
  } finally {
    // One that was lost is left to its new owner.
    if (held()) rmdirSync(folder);
  }
}

function isSame(mine: Stats, now: Stats | undefined): boolean {
  return now !== undefined && now.ino === mine.ino && now.mtimeMs === mine.mtimeMs;
}

function stillTaken(path: string, folder: string, waitMs: number): A2aError {
  return new A2aError("FILE_FAILED", `${path} stayed locked by another process for ${waitMs / 1000} s`, {
    hint: `Try again. If no other Pi runs, remove the folder ${folder}.`,
  });
}
