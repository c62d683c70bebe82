// The heap that a finished task takes: the growth over many, since what caches hold goes up and down by a few megabytes. No time is
// measured here, so both kinds of task are made at once.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Server } from "./bench.ts";
import type { Aim, Row } from "./report.ts";

const AIM: Aim = { figure: "ours", atMost: 512 };
/** Before the measurement, so that caches are full. */
const WARM_PART = 0.1;

export const SMALL_ID = "heap-small";
const LARGE_ID = "heap-large";

interface Tasks {
  readonly count: number;
  readonly text: string;
}

/** Makes the many tasks, whose journal stays in the folder, and gives the row about their heap. */
export async function fillFolder(bench: Bench): Promise<{ readonly folder: string; readonly heap: Row }> {
  const { manyTasks } = bench.plan;
  bench.tell(`Heap of finished tasks, ${manyTasks.toLocaleString("en-US")} with short replies`);
  const folder = join(bench.folder, "many");
  mkdirSync(folder);
  const row = { id: SMALL_ID, title: "Heap of a finished task, short reply" };
  const heap = await heapRow(bench, folder, row, { count: manyTasks, text: "hello" });
  return { folder, heap };
}

export async function measureLargeReplies(bench: Bench): Promise<readonly Row[]> {
  const row = { id: LARGE_ID, title: "Heap of a finished task, reply of 10 KB" };
  if (!bench.wants(row.id)) return [];
  bench.tell(row.title);
  const tasks = { count: bench.plan.largeTasks, text: "large 10000" };
  return [await heapRow(bench, undefined, row, tasks)];
}

async function heapRow(
  bench: Bench,
  folder: string | undefined,
  { id, title }: Pick<Row, "id" | "title">,
  { count, text }: Tasks,
): Promise<Row> {
  const server = await bench.startOurs({ maxTasks: 0, ...(folder === undefined ? {} : { folder }) });
  const warm = Math.round(count * WARM_PART);
  await server.ask("fill", { count: warm, text });
  const before = await measure(server);
  await server.ask("fill", { count: count - warm, text });
  const after = await measure(server);
  await server.stop();
  if (after.tasks !== count) throw new Error(`${title}: there are ${after.tasks} tasks where ${count} are right`);
  return { id, title, unit: "B", ours: (after.heapBytes - before.heapBytes) / (count - warm), aim: AIM };
}

function measure(server: Server): Promise<{ readonly heapBytes: number; readonly tasks: number }> {
  return server.ask("measure");
}
