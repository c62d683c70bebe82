// Owns changing a small file that other processes change too, so that no change is lost: what was read is still there when the
// new content takes its place, which is made sure of under the file's lock. All that takes long is done before that, and done
// again when somebody else was quicker: the lock is held for a moment only.

import { readFileSync, renameSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "./clock.ts";
import { A2aError, describeError } from "./errors.ts";
import { type StillHeld, withFileLock } from "./file-lock.ts";
import { prepareReplacement, type Replacement, removeLeftovers, syncFolderOf } from "./file-replacement.ts";
import { codeOf, createFilesPort, isPassingRefusal, RENAME_RETRY_MS } from "./files.ts";

/** Milliseconds in which a change must get its turn between those of other processes. */
const MOST_MS = 10_000;
/** A text that cannot be read may be half of what another process writes just now. */
const REFUSED_MS = 250;
const PAUSE_MS = 10;

/** The new content, or undefined for no change; a missing file is undefined. Refuses by throwing. */
export type Change = (content: Uint8Array | undefined) => Uint8Array | undefined;

export interface SharedFiles {
  /**
   * Replaces the content by what `change` makes of it, which is asked again when the file changed meanwhile. False when nothing
   * had to be changed. Throws what `change` throws, or FILE_FAILED; then the file is as it was.
   */
  update(path: string, maxBytes: number, change: Change): Promise<boolean>;
}

/** The parts a test replaces to see how refusals of the operating system are met. */
export interface SharedFileParts {
  rename(from: string, to: string): void;
  wait(ms: number): Promise<unknown>;
}

interface Draft {
  readonly before: Uint8Array | undefined;
  readonly replacement: Replacement;
}

type Outcome = "done" | "overtaken" | { readonly refused: unknown };

export function createSharedFiles(clock: Clock, parts: Partial<SharedFileParts> = {}): SharedFiles {
  const { rename = renameSync, wait = pause } = parts;
  const files = createFilesPort();
  const prepare = async (path: string, maxBytes: number, change: Change): Promise<Draft | undefined> => {
    const before = await files.readBytes(path, { maxBytes });
    const after = change(before);
    return after && { before, replacement: await prepareReplacement(path, after) };
  };
  return {
    async update(path, maxBytes, change) {
      await files.ensureDir(dirname(path));
      await removeLeftovers(path, clock.now());
      const patience = createPatience(clock, path, wait);
      for (;;) {
        const draft = await prepare(path, maxBytes, change).catch(patience.afterRefusal);
        if (draft === undefined) return false;
        if (draft === "again") continue;
        if (await put(clock, path, draft, rename, patience)) return true;
      }
    },
  };
}

interface Patience {
  /** Waits, or throws the error once it has lasted. */
  afterRefusal(error: unknown): Promise<"again">;
  /** Waits, or throws once too many were quicker. */
  afterOvertaken(): Promise<void>;
  /** Waits a little longer each time, or throws the error. */
  afterRename(error: unknown): Promise<void>;
}

function createPatience(clock: Clock, path: string, wait: SharedFileParts["wait"]): Patience {
  const startedAt = clock.monotonic();
  const renamePauses = [...RENAME_RETRY_MS];
  const waited = (): number => clock.monotonic() - startedAt;
  return {
    async afterRefusal(error) {
      if (waited() >= REFUSED_MS) throw error;
      await wait(PAUSE_MS);
      return "again";
    },
    async afterOvertaken() {
      if (waited() >= MOST_MS) throw failed(path, `other processes changed it all the time for ${MOST_MS / 1000} s`);
      await wait(Math.random() * PAUSE_MS);
    },
    async afterRename(error) {
      const ms = isPassingRefusal(error) ? renamePauses.shift() : undefined;
      if (ms === undefined) throw failed(path, describeError(error).split(", ")[0] ?? "", error);
      await wait(ms);
    },
  };
}

/** True when the draft took the file's place; else it is gone, and another one has to be made. */
async function put(
  clock: Clock,
  path: string,
  draft: Draft,
  rename: SharedFileParts["rename"],
  patience: Patience,
): Promise<boolean> {
  const { replacement } = draft;
  let outcome: Outcome = "overtaken";
  try {
    outcome = await withFileLock(path, { clock }, (held) => swap(draft, held, rename));
  } finally {
    if (outcome !== "done") await fs.rm(replacement.temp, { force: true });
  }
  if (outcome === "done") {
    await syncFolderOf(replacement.target);
    return true;
  }
  if (outcome === "overtaken") await patience.afterOvertaken();
  else await patience.afterRename(outcome.refused);
  return false;
}

/** Runs under the lock, within one turn of the event loop. */
function swap({ before, replacement }: Draft, held: StillHeld, rename: SharedFileParts["rename"]): Outcome {
  if (!isSame(before, readNow(replacement.target)) || !held()) return "overtaken";
  try {
    rename(replacement.temp, replacement.target);
    return "done";
  } catch (error) {
    return { refused: error };
  }
}

function readNow(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function isSame(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0;
}

function failed(path: string, problem: string, cause?: unknown): A2aError {
  return new A2aError("FILE_FAILED", `cannot write ${path}: ${problem}`, cause === undefined ? {} : { cause });
}
