// Owns what Pi's own command line says about extensions and tools; no API of the host tells it.

import { resolve } from "node:path";

/** Which tools the host was started with; absent fields limit nothing. */
export interface ToolLimits {
  /** -t/--tools: the only tools there are, or, on the current Pi line, `+name` and `-name` changes to the usual ones. */
  readonly only?: readonly string[];
  /** -nt/--no-tools: none at all; -nbt/--no-builtin-tools: none of Pi's own. `only` wins over it. */
  readonly none?: "all" | "builtin";
  /** -xt/--exclude-tools. */
  readonly without?: readonly string[];
}

export interface LaunchArgs {
  /** Values of -e/--extension: absolute paths, or package sources as they were given. */
  readonly extensionPaths: readonly string[];
  /** True unless -ne/--no-extensions was given. */
  readonly discoverExtensions: boolean;
  readonly tools: ToolLimits;
}

interface Reading {
  readonly extensionPaths: string[];
  discoverExtensions: boolean;
  only?: string[];
  noTools: boolean;
  noBuiltin: boolean;
  without?: string[];
}

/** Reads `argv` as Pi does: the last of equal flags counts, relative paths are resolved against `cwd`. */
export function readLaunchArgs(argv: readonly string[], cwd: string): LaunchArgs {
  const reading: Reading = { extensionPaths: [], discoverExtensions: true, noTools: false, noBuiltin: false };
  for (let index = 0; index < argv.length; index++) {
    const value = argv[index + 1];
    readSwitch(reading, argv[index]);
    // A flag with a value takes the next argument, whatever that looks like.
    if (value !== undefined && readValue(reading, argv[index], value, cwd)) index++;
  }
  const { extensionPaths, discoverExtensions } = reading;
  return { extensionPaths, discoverExtensions, tools: limitsOf(reading) };
}

function readSwitch(reading: Reading, flag: string | undefined): void {
  if (flag === "-ne" || flag === "--no-extensions") reading.discoverExtensions = false;
  if (flag === "-nt" || flag === "--no-tools") reading.noTools = true;
  if (flag === "-nbt" || flag === "--no-builtin-tools") reading.noBuiltin = true;
}

/** False when the flag is none of those that take a value here. */
function readValue(reading: Reading, flag: string | undefined, value: string, cwd: string): boolean {
  switch (flag) {
    case "-e":
    case "--extension":
      reading.extensionPaths.push(/^(npm|git|https?|ssh):/.test(value) ? value : resolve(cwd, value));
      return true;
    case "-t":
    case "--tools":
      reading.only = names(value);
      return true;
    case "-xt":
    case "--exclude-tools":
      reading.without = names(value);
      return true;
    default:
      return false;
  }
}

function limitsOf({ only, noTools, noBuiltin, without }: Reading): ToolLimits {
  return {
    ...(only === undefined ? {} : { only }),
    ...(noTools ? { none: "all" } : noBuiltin ? { none: "builtin" } : {}),
    ...(without === undefined ? {} : { without }),
  };
}

function names(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
