// Owns the end of an engine: no new work, every task settled, every runner told to stop and waited for at most a grace, and not one
// timer left. What asks its caller and is kept elsewhere goes on waiting there: whoever takes the tasks over takes its answer.

import { within } from "../core/platform/clock.ts";
import type { EngineParts } from "./engine-parts.ts";
import { endTask } from "./task-life.ts";
import { isAsking, type TaskRecord } from "./task-record.ts";

export async function stopEngine(parts: EngineParts, reason: string): Promise<void> {
  const { clock, graces, table, places, commits } = parts;
  parts.stopReason = reason;
  const live = table.live();
  const outlives = (record: TaskRecord): boolean =>
    parts.store !== undefined && isAsking(record) && record.run === undefined;
  for (const record of live)
    if (!outlives(record)) endTask(parts, record, { state: "TASK_STATE_FAILED", text: reason }, graces.stopGraceMs);
  const runs = places.holders().flatMap(({ run }) => (run === undefined ? [] : [run]));
  await within(clock, graces.stopGraceMs, Promise.all(runs.map(({ over }) => over)));
  for (const run of runs) run.abandon();
  await within(clock, graces.stopGraceMs, commits.idle());
  commits.close();
  for (const record of live) {
    record.window?.stop();
    for (const feed of record.feeds) feed.end("stopped");
  }
}
