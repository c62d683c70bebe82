// The start of a server that finds many tasks in its journal, and the list of so many.

import type { Bench, Server } from "./bench.ts";
import { median } from "./figures.ts";
import { MANY_ID, measureManyRow } from "./http-rows.ts";
import { fillFolder, SMALL_ID } from "./measure-memory.ts";
import type { Row } from "./report.ts";

const START_ID = "start-many";

/** Many finished tasks in a folder. */
export interface ManyTasks {
  readonly folder: string;
  /** What their server found while it made them. */
  readonly rows: readonly Row[];
}

/** undefined when no row needs them. */
export async function makeManyTasks(bench: Bench): Promise<ManyTasks | undefined> {
  if (!bench.wants(START_ID, MANY_ID, SMALL_ID)) return undefined;
  const { folder, heap } = await fillFolder(bench);
  return { folder, rows: bench.wants(SMALL_ID) ? [heap] : [] };
}

export async function measureManyTasks(
  bench: Bench,
  bare: Server,
  { folder, rows }: ManyTasks,
): Promise<readonly Row[]> {
  if (!bench.wants(START_ID, MANY_ID)) return rows;
  const { ours, start } = await measureStarts(bench, folder);
  const list = await measureManyRow(bench, { ours, bare });
  await ours.stop();
  return [...list, ...(bench.wants(START_ID) ? [start] : []), ...rows];
}

/** The last of the servers goes on. */
async function measureStarts(bench: Bench, folder: string): Promise<{ readonly ours: Server; readonly start: Row }> {
  const { manyTasks, journalStarts } = bench.plan;
  const title = `Start with ${manyTasks.toLocaleString("en-US")} tasks`;
  bench.tell(title);
  const times: number[] = [];
  for (let n = 1; ; n++) {
    const ours = await bench.startOurs({ maxTasks: 0, folder });
    await checkTasks(ours, manyTasks);
    times.push(await ours.ask<number>("startMs"));
    if (n >= journalStarts) return { ours, start: { id: START_ID, title, unit: "ms", ours: median(times) } };
    await ours.stop();
  }
}

async function checkTasks(server: Server, wanted: number): Promise<void> {
  const { tasks } = await server.ask<{ tasks: number }>("measure");
  if (tasks !== wanted) throw new Error(`a server found ${tasks} tasks in its journal where ${wanted} are right`);
}
