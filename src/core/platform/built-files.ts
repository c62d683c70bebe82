// Owns the check of a folder of built files against the list that was written with it. Knows no other file of ours: whoever asks
// waits for the answer at the start of every session.

import { readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** The list, in the folder itself: `{"entry": path, "files": {path: bytes}}`, with paths in the folder. */
export const BUILT_FILES = "files.json";

/** The absolute path of the entry, or undefined unless every file of the list is there with its size. Never throws. */
export function builtEntry(folder: string): string | undefined {
  try {
    const { entry, files }: { entry?: unknown; files?: unknown } = JSON.parse(
      readFileSync(join(folder, BUILT_FILES), "utf8"),
    );
    if (typeof entry !== "string" || typeof files !== "object" || files === null) return undefined;
    const sizes: [string, unknown][] = Object.entries(files);
    const whole = sizes.every(([path, bytes]) => statSync(join(folder, path)).size === bytes);
    return whole && Object.hasOwn(files, entry) ? join(folder, entry) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the folder, which must be there, lies in one that a package manager fills, symbolic links resolved. */
export function isInstalled(folder: string): boolean {
  return realpathSync(folder).split(/[\\/]/).includes("node_modules");
}
