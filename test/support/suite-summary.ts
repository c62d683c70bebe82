// Printed at the end of a suite that runs real Pi: on which host, and what was covered.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Runner, Test } from "mocha";
import { piHost } from "./e2e-host.ts";

/** Mocha calls it with the runner as `this`, after everything has run. */
export function mochaGlobalTeardown(this: Runner): void {
  const passed = tests(this.suite).filter((test) => test.state === "passed");
  const files = new Map<string, number>();
  for (const { file = "" } of passed) {
    const name = basename(file, ".test.ts");
    files.set(name, (files.get(name) ?? 0) + 1);
  }
  const areas = [...files].map(([name, count]) => `${name} ${count}`).join(", ");
  process.stdout.write(`covered on ${describeHost()}: ${passed.length} tests (${areas || "none"})\n`);
}

/** `Pi 0.73.1, Node v20.20.2`. */
export function describeHost({ node, cli } = piHost()): string {
  return `Pi ${packageVersion(dirname(cli))}, Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`;
}

function packageVersion(folder: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version?: string };
    if (version !== undefined) return version;
  } catch {
    // Not the package's folder yet.
  }
  return dirname(folder) === folder ? "of unknown version" : packageVersion(dirname(folder));
}

function tests(suite: Mocha.Suite): Test[] {
  return [...suite.tests, ...suite.suites.flatMap(tests)];
}
