// Runs the terminal tests on both hosts: the pinned Pi, then the current line in its scratch install. Exits with 0 and the reason when
// there is no tmux and none can be had, with 1 when a test fails or the second host cannot be installed.

import { installNextHost } from "./next-host/install.ts";
import { CACHE, runHere } from "./next-host/run-here.ts";
import { provideTmux } from "./tui/provide-tmux.ts";

async function main(args: readonly string[]): Promise<number> {
  const missing = provideTmux((line) => console.log(line));
  if (missing !== undefined) {
    console.log(`skipped: the terminal tests need tmux, and ${missing}`);
    return 0;
  }
  const mocha = ["--config", ".mocharc.tui.json", ...args];
  const pinned = await runHere("mocha", mocha);
  const next = await installNextHost(CACHE, (line) => console.log(line));
  return Math.max(pinned, await runHere("mocha", mocha, next));
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
