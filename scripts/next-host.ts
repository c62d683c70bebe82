// Runs things against the second host, the current Pi line on a current Node, which is installed outside the checkout's dependencies:
//
//   tsx scripts/next-host.ts e2e [mocha arguments]   the whole end-to-end suite
//   tsx scripts/next-host.ts types                   the sources against that line's type declarations
//
// Exits with the code of what it ran, with 1 when the host cannot be installed, with 2 on a wrong argument.

import { installNextHost, type NextHost } from "./next-host/install.ts";
import { CACHE, REPOSITORY, runHere } from "./next-host/run-here.ts";
import { writeTypesConfig } from "./next-host/types-config.ts";

const USAGE = "Usage: npm run test:e2e:next [-- mocha arguments] | npm run typecheck:next";

const runs: Readonly<Record<string, (host: NextHost, args: readonly string[]) => Promise<number>>> = {
  e2e: (host, args) => runHere("mocha", ["--config", ".mocharc.e2e.json", ...args], host),
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

async function runTypes(host: NextHost): Promise<number> {
  const code = await runHere("typescript", ["--project", writeTypesConfig(host, REPOSITORY)]);
  if (code === 0) console.log(`covered: the types of src against Pi ${host.piVersion}`);
  return code;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
