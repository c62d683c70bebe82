// The flags of `npm run bench`, and how much is measured with them.

import { parseArgs } from "node:util";

export const USAGE = `Usage: npm run bench -- [options]

Measures the server beside a bare node:http server and @a2a-js/sdk with express, and what the extension costs in real Pi.
docs/performance.md says how to read the table.

  --quick           in about a minute: short runs, one concurrency, no starts of Pi with
                    the server on or of the published package
  --json            print one JSON object instead of the table
  --only <text>     only rows whose id begins with this text
  --profile <folder>  write CPU profiles of the measured servers there
  --help            show this text`;

export interface BenchOptions {
  readonly quick: boolean;
  readonly json: boolean;
  readonly only: string;
  readonly profile?: string;
}

/** How much is measured. */
export interface Plan {
  readonly concurrencies: readonly number[];
  /** Measurements of each server in turn; the figures are their medians. Of the SDK perhaps fewer: no ratio is made of it. */
  readonly rounds: number;
  readonly sdkRounds: number;
  /** Requests to each server before a row, so that its code is compiled, and how long they may take: of ours, of the others. */
  readonly warmRequests: number;
  readonly warmMs: number;
  readonly warmOthersMs: number;
  readonly measureMs: number;
  /** Pieces of live text in one measurement, all streams together. */
  readonly pieces: number;
  /** Finished tasks with large replies, over which the heap is measured. */
  readonly largeTasks: number;
  /** Tasks of the long list and in the journal of a start, over which the heap is measured, too. */
  readonly manyTasks: number;
  readonly journalStarts: number;
  /** Pairs of starts of Pi, with and without the extension: cold, warm. */
  readonly coldPairs: number;
  readonly warmPairs: number;
  /** Also starts with the server on, and of the published package. */
  readonly allStarts: boolean;
  /** Requests to a session of Pi. */
  readonly prompts: number;
}

/** undefined when help was asked for. Throws for a flag that is not known. */
export function readOptions(args: readonly string[]): BenchOptions | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      profile: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const { quick, json, only, profile } = values;
  return { quick, json, only, ...(profile === undefined ? {} : { profile }) };
}

export function planOf({ quick }: Pick<BenchOptions, "quick">): Plan {
  return quick ? QUICK : FULL;
}

const QUICK: Plan = {
  concurrencies: [16],
  rounds: 3,
  sdkRounds: 1,
  warmRequests: 5_000,
  warmMs: 800,
  warmOthersMs: 250,
  measureMs: 200,
  pieces: 8_000,
  largeTasks: 10_000,
  manyTasks: 100_000,
  journalStarts: 1,
  coldPairs: 1,
  warmPairs: 2,
  allStarts: false,
  prompts: 10,
};

const FULL: Plan = {
  concurrencies: [1, 16, 64],
  rounds: 7,
  sdkRounds: 7,
  warmRequests: 60_000,
  warmMs: 10_000,
  warmOthersMs: 10_000,
  measureMs: 1_000,
  pieces: 40_000,
  largeTasks: 40_000,
  manyTasks: 100_000,
  journalStarts: 5,
  coldPairs: 4,
  warmPairs: 7,
  allStarts: true,
  prompts: 100,
};
