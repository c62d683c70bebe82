// Owns what Pi's own command line says about extensions; no API of the host tells it.

import { resolve } from "node:path";

export interface LaunchArgs {
  /** Values of -e/--extension: absolute paths, or package sources as they were given. */
  readonly extensionPaths: readonly string[];
  /** True unless -ne/--no-extensions was given. */
  readonly discoverExtensions: boolean;
}

/** Reads `argv` as Pi does; relative paths are resolved against `cwd`. */
export function readLaunchArgs(argv: readonly string[], cwd: string): LaunchArgs {
  const extensionPaths: string[] = [];
  let discoverExtensions = true;
  for (let index = 0; index < argv.length; index++) {
    const arg = argv[index];
    if (arg === "-ne" || arg === "--no-extensions") discoverExtensions = false;
    if (arg !== "-e" && arg !== "--extension") continue;
    const value = argv[index + 1];
    if (value === undefined) break;
    extensionPaths.push(/^(npm|git|https?|ssh):/.test(value) ? value : resolve(cwd, value));
    index++;
  }
  return { extensionPaths, discoverExtensions };
}
