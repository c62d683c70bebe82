// Runs things against the second host, the current Pi line on a current Node, which is installed outside the checkout's dependencies:
//
//   tsx scripts/next-host.ts e2e [mocha arguments]   the whole end-to-end suite
//   tsx scripts/next-host.ts types                   the sources against that line's type declarations
//
// Exits with the code of what it ran, with 1 when the host cannot be installed, with 2 on a wrong argument.

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installNextHost, type NextHost } from "./next-host/install.ts";
import { writeTypesConfig } from "./next-host/types-config.ts";

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), "..");
const CACHE = join(REPOSITORY, ".cache", "next-host");
const USAGE = "Usage: npm run test:e2e:next [-- mocha arguments] | npm run typecheck:next";

const runs: Readonly<Record<string, (host: NextHost, args: readonly string[]) => Promise<number>>> = {
  e2e: runE2e,
  types: runTypes,
};

async function main([what = "", ...args]: readonly string[]): Promise<number> {
  const run = runs[what];
  if (run === undefined) {
    console.error(USAGE);
    return 2;
  }
  return run(await installNextHost(CACHE, (line) => console.log(line)), args);
}

function runE2e(host: NextHost, args: readonly string[]): Promise<number> {
  return runHere("mocha", "bin/mocha.js", ["--config", ".mocharc.e2e.json", ...args], {
    PI_A2A_E2E_NODE: host.node,
    PI_A2A_E2E_CLI: host.cli,
  });
}

async function runTypes(host: NextHost): Promise<number> {
  const code = await runHere("typescript", "bin/tsc", ["--project", writeTypesConfig(host, REPOSITORY)]);
  if (code === 0) console.log(`covered: the types of src against Pi ${host.piVersion}`);
  return code;
}

/** Runs a program of a devDependency in the checkout; its exit code. */
function runHere(
  name: string,
  bin: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<number> {
  const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  const child = spawn(process.execPath, [join(folder, bin), ...args], {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
