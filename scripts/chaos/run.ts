// `npm run test:chaos`: servers that are killed at any moment under load, again and again on one folder; no task that was acknowledged is
// lost, runs twice or is settled twice. Reads the flags, prints the counts, sets the exit code.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { wholeNumber } from "../support/whole-number.ts";
import { type Book, count, createBook } from "./book.ts";
import { lastRound, type Run, runRound } from "./round.ts";
import { startServerProcess } from "./server-process.ts";

const USAGE = `Usage: npm run test:chaos -- [options]

Kills servers at random moments under load and starts the next ones on the same folder. Every acknowledged task answers, none runs
twice, none is settled twice.

  --rounds <number>  how many (default 200)
  --seed <number>    the same choices again (default: others each time); the moments stay chance
  --keep             leave the last folder where it is
  --help             show this text`;

/** Then comes a new folder. */
const ROUNDS_PER_FOLDER = 25;

interface Options {
  readonly rounds: number;
  readonly seed: number;
  readonly keep: boolean;
}

/** undefined when help was asked for. */
function readOptions(): Options | undefined {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "200" },
      seed: { type: "string" },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return undefined;
  const seed = wholeNumber("--seed", values.seed ?? String(Date.now() % 1_000_000));
  return { rounds: wholeNumber("--rounds", values.rounds), seed, keep: values.keep };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options === undefined) return console.log(USAGE);
  const { rounds, seed } = options;
  console.log(`chaos: seed ${seed}, ${rounds} rounds`);
  const total = new Map<string, number>();
  for (let from = 0; from < rounds; from += ROUNDS_PER_FOLDER) {
    const book = await runFolder(options, from, Math.min(rounds, from + ROUNDS_PER_FOLDER));
    for (const [what, n] of book.counts) total.set(what, (total.get(what) ?? 0) + n);
    if (book.findings.length > 0) process.exitCode = 1;
    for (const finding of book.findings.slice(0, 20)) console.log(`\nFOUND ${finding}`);
    if (process.exitCode === 1) break;
  }
  report(total);
  console.log(
    process.exitCode === 1 ? `\nfound something; again: --seed ${seed} --rounds ${rounds}` : "\nnothing found",
  );
}

async function runFolder({ seed, keep }: Options, from: number, to: number): Promise<Book> {
  const root = mkdtempSync(join(tmpdir(), "pi-a2a-chaos-"));
  const run: Run = {
    ...{ seed, book: createBook(), folder: join(root, "a2a_tasks"), runsPath: join(root, "runs") },
    ...{ notesPath: join(root, "notes"), notes: 0, lives: 0, messages: 0 },
    spare: [startServerProcess()],
  };
  const { book } = run;
  for (let round = from; round < to && book.findings.length === 0; round++) {
    await runRound(run, round);
    count(book, "rounds");
    if ((round + 1) % ROUNDS_PER_FOLDER === 0) console.log(`${round + 1} rounds`);
    if (book.findings.length > 0) book.findings.unshift(`in round ${round} of seed ${seed}, folder ${root}`);
  }
  if (book.findings.length === 0) await lastRound(run);
  await Promise.all(run.spare.map((process) => process.kill()));
  if (book.findings.length === 0 && !keep) rmSync(root, { recursive: true });
  return book;
}

function report(total: ReadonlyMap<string, number>): void {
  for (const [what, n] of [...total].sort(([a], [b]) => a.localeCompare(b))) console.log(`${what}: ${n}`);
}

try {
  await main();
} catch (error) {
  console.error(`${error instanceof Error ? error.stack : String(error)}\n\n${USAGE}`);
  process.exit(1);
}
