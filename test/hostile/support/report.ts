// What a hostile run covered, as lines for its reader.

import { SEED } from "./random.ts";

export interface Report {
  add(what: string, clients: number, outcome: string): void;
  /** Writes all lines. */
  print(): void;
}

/** Clients that attack at the same time; PI_A2A_HOSTILE_CLIENTS makes a shorter round. */
export const CLIENTS = Number(process.env.PI_A2A_HOSTILE_CLIENTS ?? 200);

export function createReport(title: string): Report {
  const lines: string[] = [];
  return {
    add: (what, clients, outcome) => void lines.push(`  ${what}: ${clients} at once; ${outcome}`),
    print: () => void process.stdout.write(`\n${title}, seed ${SEED}\n${lines.join("\n")}\n\n`),
  };
}

export function inMb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
