// The start of a server that finds many tasks in its journal, and the list of so many.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Server } from "./bench.ts";
import { median } from "./figures.ts";
import { MANY_ID, measureManyRow } from "./http-rows.ts";
import { heapRow } from "./measure-memory.ts";
import type { Row } from "./report.ts";

const HEAP = { id: "heap-small", title: "Heap of a finished task, short reply" };
const START_ID = "start-many";

export async function measureManyTasks(bench: Bench, bare: Server): Promise<readonly Row[]> {
  if (!bench.wants(START_ID, MANY_ID, HEAP.id)) return [];
  const { manyTasks, journalStarts } = bench.plan;
  const tasks = manyTasks.toLocaleString("en-US");
  bench.tell(`${tasks} tasks: heap, start`);
  const settings = { maxTasks: 0, folder: join(bench.folder, "many") };
  mkdirSync(settings.folder);
  let ours = await bench.startOurs(settings);
  const heap = await heapRow(ours, HEAP, { count: manyTasks, text: "hello" });
  const starts: number[] = [];
  for (let n = 0; n < journalStarts; n++) {
    await ours.stop();
    ours = await bench.startOurs(settings);
    await checkTasks(ours, manyTasks);
    starts.push(await ours.ask<number>("startMs"));
  }
  const start: Row = {
    id: START_ID,
    title: `Start with ${tasks} tasks`,
    unit: "ms",
    ours: median(starts),
  };
  const list = await measureManyRow(bench, { ours, bare });
  await ours.stop();
  return [...list, ...[start, heap].filter(({ id }) => bench.wants(id))];
}

async function checkTasks(server: Server, wanted: number): Promise<void> {
  const { tasks } = await server.ask<{ tasks: number }>("measure");
  if (tasks !== wanted) throw new Error(`a server found ${tasks} tasks in its journal where ${wanted} are right`);
}
