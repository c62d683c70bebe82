// Owns how a scratch install comes to be: a folder under its final name is always complete, since it is made under another name and
// renamed. A killed install leaves nothing to trip over.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const HOUR_MS = 60 * 60 * 1000;

/** Makes `folder` unless it is complete. Throws what `make` throws, and when it made something that is not complete. */
export async function makeOnce(
  folder: string,
  isComplete: (folder: string) => boolean,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  if (isComplete(folder)) return;
  const cache = dirname(folder);
  mkdirSync(cache, { recursive: true });
  removeLeftovers(cache);
  const making = mkdtempSync(join(cache, "making-"));
  try {
    await make(making);
    if (!isComplete(making)) throw new Error(`what was installed for ${folder} is not complete`);
    moveInto(making, folder, isComplete);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/** Another process may have been faster; an incomplete folder under that name cannot come from us. */
function moveInto(made: string, folder: string, isComplete: (folder: string) => boolean): void {
  if (isComplete(folder)) return;
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!isComplete(folder)) throw error;
  }
}

function removeLeftovers(cache: string): void {
  for (const name of readdirSync(cache)) {
    if (!name.startsWith("making-")) continue;
    const path = join(cache, name);
    const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
}
