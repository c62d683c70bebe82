// A folder of its own for one test, removed afterwards.

import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir {
  /** Absolute, symbolic links resolved. */
  readonly path: string;
  /** Removes the folder and everything in it. */
  remove(): Promise<void>;
}

export async function createTempDir(): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "pi-a2a-test-")));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
