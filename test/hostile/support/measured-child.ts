// The child's side of a process that is measured from outside: answers questions of its parent, among them what it holds.

import { existsSync, readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Question, Reply } from "./measured-process.ts";

/** What the process itself holds, whatever it does. */
export interface ProcessState {
  /** Heap and buffers in use after a collection. */
  readonly heapBytes: number;
  /** Open handles and requests by kind. */
  readonly resources: Readonly<Record<string, number>>;
  /** Open files and sockets; 0 where the system does not tell. */
  readonly descriptors: number;
  /** Longest time for which the event loop did not turn since the last `calm`. */
  readonly stuckMs: number;
  /** Warnings of Node, such as leaking listeners. */
  readonly warnings: readonly string[];
}

type Answer = (payload: never) => unknown;

/** Answers the parent until it lets go. `measure` is asked along with the process's own state. */
export function answerParent(answers: Readonly<Record<string, Answer>>, measure: () => object): void {
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  const warnings: string[] = [];
  process.on("warning", ({ name, message }) => warnings.push(`${name}: ${message}`));
  const all: Readonly<Record<string, Answer>> = {
    ...answers,
    calm: () => loop.reset(),
    async measure(): Promise<ProcessState> {
      const stuckMs = Math.round(loop.max / 1e6);
      const heapBytes = await collectGarbage();
      const resources = countKinds(process.getActiveResourcesInfo());
      return { heapBytes, resources, descriptors: countDescriptors(), stuckMs, warnings, ...measure() };
    },
  };
  process.on("message", ({ id, what, payload }: Question) => {
    const reply = (rest: Omit<Reply, "id">): void => void process.send?.({ id, ...rest });
    Promise.resolve()
      .then(() => all[what]?.(payload as never))
      .then((value) => reply({ value }))
      .catch((error: unknown) => reply({ error: String(error instanceof Error ? error.stack : error) }));
  });
  process.on("disconnect", () => process.exit(0));
}

/** Some things are let go only after a turn of the event loop: collect until nothing more goes. */
async function collectGarbage(): Promise<number> {
  let bytes = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const now = heapUsed + external;
    if (round > 1 && now > bytes - 50_000) return Math.min(now, bytes);
    bytes = now;
  }
  return bytes;
}

function countKinds(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function countDescriptors(): number {
  const folder = "/proc/self/fd";
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
