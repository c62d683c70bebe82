// The heap that a finished task takes: the growth over many, since what caches hold goes up and down by a few megabytes.

import type { Bench, Server } from "./bench.ts";
import type { Aim, Row } from "./report.ts";

const AIM: Aim = { figure: "ours", atMost: 512 };
/** Before the measurement, so that caches are full. */
const WARM_PART = 0.1;

/** Makes so many tasks, and gives the row about them. */
export async function heapRow(
  server: Server,
  { id, title }: Pick<Row, "id" | "title">,
  { count, text }: { readonly count: number; readonly text: string },
): Promise<Row> {
  const warm = Math.round(count * WARM_PART);
  await server.ask("fill", { count: warm, text });
  const before = await measure(server);
  await server.ask("fill", { count: count - warm, text });
  const after = await measure(server);
  if (after.tasks !== count) throw new Error(`${title}: there are ${after.tasks} tasks where ${count} are right`);
  return { id, title, unit: "B", ours: (after.heapBytes - before.heapBytes) / (count - warm), aim: AIM };
}

export async function measureLargeReplies(bench: Bench): Promise<readonly Row[]> {
  const row = { id: "heap-large", title: "Heap of a finished task, reply of 10 KB" };
  if (!bench.wants(row.id)) return [];
  bench.tell(row.title);
  const ours = await bench.startOurs({ maxTasks: 0 });
  const found = await heapRow(ours, row, { count: bench.plan.largeTasks, text: "large 10000" });
  await ours.stop();
  return [found];
}

function measure(server: Server): Promise<{ readonly heapBytes: number; readonly tasks: number }> {
  return server.ask("measure");
}
