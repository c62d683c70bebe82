// `npm run test:interop:python`: the Python SDKs, as people install them, as clients of our server and as servers for our client.
// Exits with 0 and the reason where there is no Python or no PyPI, with 1 when a cell fails that no limit of its peer explains.

import { conclude } from "./interop/table.ts";
import { CACHE } from "./interop-python/cache.ts";
import { applyLimits } from "./interop-python/limits.ts";
import { PEERS, type Peer, requirementsOf } from "./interop-python/peers.ts";
import { findPython } from "./interop-python/python.ts";
import { runPeer } from "./interop-python/run.ts";
import { PypiAway, provideVenv } from "./interop-python/venv.ts";

async function main(): Promise<number> {
  const found = findPython();
  if ("missing" in found) return skip(`there is no Python to run them with: ${found.missing}`);
  const say = (line: string): void => console.log(line);
  const lists = [...new Set(PEERS.map(requirementsOf))];
  const venvs = new Map(
    await Promise.all(lists.map(async (list) => [list, await provideVenv(CACHE, found, list, say)] as const)),
  );
  const start = Date.now();
  const pythonOf = (peer: Peer): string => venvs.get(requirementsOf(peer)) ?? found.python;
  const cells = applyLimits((await Promise.all(PEERS.map((peer) => runPeer(peer, pythonOf(peer))))).flat());
  return conclude(cells, Date.now() - start);
}

function skip(why: string): number {
  console.log(`skipped: the Python peers were not run: ${why}`);
  return 0;
}

// Every child program has one, so that none outlives this process.
process.setMaxListeners(0);
try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof PypiAway) {
    process.exitCode = skip(`PyPI cannot be reached: ${error.message}`);
  } else {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
