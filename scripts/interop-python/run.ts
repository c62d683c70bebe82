// Runs the peers both ways, all at once, and gathers their cells.

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cell, type Column, readCell } from "../interop/cell.ts";
import { type Program, startProgram } from "../interop/program.ts";
import { CACHE } from "./cache.ts";
import { clientCells } from "./client-cells.ts";
import { startCutProxy } from "./cut-proxy.ts";
import type { Peer } from "./peers.ts";

const HERE = dirname(fileURLToPath(import.meta.url));
const TOKEN = "the-token-of-the-python-peers";

/** `python` is the one that has the peer's packages. */
export async function runPeer(peer: Peer, python: string): Promise<readonly Cell[]> {
  const [calls, serves] = await Promise.all([callsOf(peer, python), servesOf(peer, python)]);
  return [...calls, ...serves];
}

/** The peer's client against our server, each a process of its own. */
async function callsOf({ name: peer, client }: Peer, python: string): Promise<readonly Cell[]> {
  const column: Column = { peer, direction: "calls" };
  const server = startProgram(process.execPath, ["--import", "tsx", join(HERE, "words-server.ts"), TOKEN]);
  try {
    const origin = await server.ready;
    const cells: Cell[] = [];
    const [name, ...args] = client;
    const program = startPython(python, [name, origin, TOKEN, ...args], (line) => {
      const cell = readCell(column, line);
      if (cell !== undefined) cells.push(cell);
    });
    const code = await program.ended;
    if (code === 0) return cells;
    return [
      ...cells,
      { ...column, operation: "all", verdict: "failed", why: `ended with ${code}: ${program.complaints()}` },
    ];
  } finally {
    await server.stop();
  }
}

/** Our client against the peer's server, through a proxy that can break connections. */
async function servesOf({ name, server }: Peer, python: string): Promise<readonly Cell[]> {
  if (server === undefined) return [];
  const proxy = await startCutProxy();
  const program = startPython(python, [server.program, proxy.origin]);
  try {
    proxy.leadTo(await program.ready);
    return await clientCells({ peer: name, name: server.name, origin: proxy.origin, cut: proxy.cut });
  } finally {
    await program.stop();
    await proxy.stop();
  }
}

function startPython(
  python: string,
  [name = "", ...args]: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Program {
  // Bytecode not beside the programs, which are in the repository.
  const env = { PYTHONPYCACHEPREFIX: join(CACHE, "bytecode"), PYTHONUNBUFFERED: "1" };
  return startProgram(python, [join(HERE, "python", name), ...args], { onLine, env });
}
