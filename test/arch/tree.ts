// The repository as the architecture tests see it: where it is and which files a folder holds.

import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository's root. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every TypeScript file below `folder` of `base`, relative to `base`, with forward slashes, sorted. */
export function typescriptFiles(folder: string, base = ROOT): string[] {
  return readdirSync(join(base, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name).slice(base.length).split(sep).join("/").replace(/^\//, ""))
    .sort();
}

export function readText(path: string, base = ROOT): string {
  return readFileSync(join(base, path), "utf8");
}

/** A JSON file of the repository as an open record; the tests check what they read from it. */
export function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readText(path));
}
