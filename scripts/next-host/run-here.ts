// Runs a program of a devDependency in the checkout, with its output on ours.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NextHost } from "./install.ts";

export const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const CACHE = join(REPOSITORY, ".cache", "next-host");

/** The exit code of the program; `host` is the Pi that tests start, the pinned one without it. */
export function runHere(name: "mocha" | "typescript", args: readonly string[], host?: NextHost): Promise<number> {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const program = join(folder, "bin", name === "mocha" ? "mocha.js" : "tsc");
  const env = host === undefined ? {} : { PI_A2A_E2E_NODE: host.node, PI_A2A_E2E_CLI: host.cli };
  const child = spawn(process.execPath, [program, ...args], {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
