// `npm run fuzz`: bad bytes for server, client and settings, for as long as asked. Reads the flags, prints the counts, sets the
// exit code.

import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.ts";
import { KINDS, repeatCase, runRound, type Tally } from "./round.ts";

const USAGE = `Usage: npm run fuzz -- [options]

Sends mutated HTTP and JSON-RPC to a running server, gives mutated cards, replies and event streams to a running client, and lets the
settings be read from mutated files. Nothing may crash, hang for a second, leak, or answer with a fault.

  --seconds <number>  how long (default 60)
  --seed <number>     the same inputs again (default: another each time)
  --case <number>     one case of the seed, three times
  --help              show this text`;

const ROUND_MS = 20_000;
const MOST_FINDINGS = 20;

interface Options {
  readonly seconds: number;
  readonly seed: number;
  readonly only: number | undefined;
}

/** undefined when help was asked for. */
function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      seed: { type: "string" },
      case: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const seed = values.seed ?? String(Date.now() % 1_000_000);
  const only = values.case === undefined ? undefined : wholeNumber("--case", values.case);
  return { seconds: wholeNumber("--seconds", values.seconds), seed: wholeNumber("--seed", seed), only };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return console.log(USAGE);
  const { seconds, seed, only } = options;
  const tally: Tally = { counts: new Map(), findings: [] };
  console.log(`fuzz: seed ${seed}, ${only === undefined ? `${seconds} s` : `case ${only}`}`);
  if (only !== undefined) await repeatCase(seed, only, tally);
  else await runRounds(seed, seconds * 1000, tally);
  report(tally);
  if (tally.findings.length > 0) process.exitCode = 1;
}

async function runRounds(seed: number, totalMs: number, tally: Tally): Promise<void> {
  const rounds = Math.max(2, Math.round(totalMs / ROUND_MS));
  for (let round = 0; round < rounds; round++) {
    await runRound(seed, round, totalMs / rounds, tally);
    if (tally.findings.length > 0) return;
  }
}

function report({ counts, findings }: Tally): void {
  for (const kind of KINDS) {
    const ends = [...counts].filter(([label]) => label.startsWith(`${kind}: `)).sort(([, a], [, b]) => b - a);
    const total = ends.reduce((sum, [, count]) => sum + count, 0);
    console.log(
      `${kind}: ${total} cases (${ends.map(([label, n]) => `${n} x ${label.slice(kind.length + 2)}`).join(", ")})`,
    );
  }
  for (const finding of findings.slice(0, MOST_FINDINGS)) console.log(`\nFOUND ${finding}`);
  console.log(findings.length === 0 ? "\nnothing found" : `\n${findings.length} found`);
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
}
