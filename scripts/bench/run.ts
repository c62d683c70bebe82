// `npm run bench`: how fast the server is beside others, and what the extension costs. Reads the flags, prints the table, sets the
// exit code: an aim that is missed is told and is no failure.

import { firstSignal } from "../support/first-signal.ts";
import { type Bench, openBench } from "./bench.ts";
import { measurePlainRows, measureTokenRow } from "./http-rows.ts";
import { startWarmBare } from "./measure-http.ts";
import { measureLargeReplies } from "./measure-memory.ts";
import { measurePi, readPi } from "./measure-pi.ts";
import { makeManyTasks, measureManyTasks } from "./measure-start.ts";
import { measureStreams } from "./measure-streams.ts";
import { planOf, readOptions, USAGE } from "./plan.ts";
import { type Row, reportOf } from "./report.ts";
import { tableOf } from "./table.ts";

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return console.log(USAGE);
  const began = performance.now();
  const stopped = firstSignal();
  // On stderr, so that the JSON stands alone.
  const bench = await openBench(options, planOf(options), (text) => console.error(text));
  try {
    const measuring = measureAll(bench);
    const how = await Promise.race([measuring, stopped]);
    if (typeof how === "string") {
      await bench.close();
      await measuring.catch(() => undefined);
      throw new Error(how);
    }
    const report = reportOf(how, { quick: options.quick, seconds: (performance.now() - began) / 1000 });
    console.log(options.json ? JSON.stringify(report, undefined, 2) : tableOf(report));
  } finally {
    await bench.close();
  }
}

/** What takes no times shares the machine; from then on one thing runs at a time. */
async function prepare(bench: Bench) {
  const all = [startWarmBare(bench), makeManyTasks(bench), measureLargeReplies(bench), readPi(bench)] as const;
  try {
    return await Promise.all(all);
  } catch (error) {
    // What is still starting would write into a folder that has gone.
    await bench.close();
    await Promise.allSettled(all);
    throw error;
  }
}

async function measureAll(bench: Bench): Promise<readonly Row[]> {
  const [bare, many, large] = await prepare(bench);
  return [
    ...(await measurePlainRows(bench, bare)),
    ...(await measureTokenRow(bench, bare)),
    ...(await measureStreams(bench, bare)),
    ...(many === undefined ? [] : await measureManyTasks(bench, bare, many)),
    ...large,
    ...(await measurePi(bench)),
  ];
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
