// Owns the moment in which a stored event becomes visible: the task as everybody sees it, its readers, the observers, the waiters,
// all in one step, so that none of them ever sees a gap or another order.

import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Task } from "../core/protocol/types.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { KeptBodies, TaskBody } from "./event-sink.ts";
import { followPieces } from "./partial-text.ts";
import { type Feed, openFeed } from "./subscriptions.ts";
import type { TaskEvent } from "./task-event.ts";
import type { TaskRecord } from "./task-record.ts";

/** Makes `task`, the fold up to `event`, what everybody sees. `bodies` are of the batch that stored it; absent when nothing did. */
export function publish(
  parts: EngineParts,
  record: TaskRecord,
  event: TaskEvent,
  task: Task,
  bodies?: KeptBodies,
): void {
  show(parts, record);
  record.visible = task;
  followPieces(record.visiblyUnfinished, event);
  // At its end it takes its place among the ended ones instead.
  const ends = event.kind === "status" && isTerminal(event.status.state);
  if (event.kind === "status" && !ends) parts.table.list(record, event);
  else if (!ends && record.listed === undefined) parts.table.list(record, record.submitted);
  for (const feed of record.feeds) feed.push(event);
  tellObservers(parts, record, event, task);
  if (event.kind !== "status") return;
  if (ends) conclude(parts, record, bodies?.get(record.id));
  if (isInterrupted(event.status.state)) parts.onQuestion(record);
  record.waiters.tell(task);
}

/** Shows the task to its caller and to observers, as SUBMITTED. */
export function reveal(parts: EngineParts, record: TaskRecord): void {
  show(parts, record);
  if (record.listed === undefined) parts.table.list(record, record.submitted);
}

function show(parts: EngineParts, record: TaskRecord): void {
  if (record.shown) return;
  record.shown = true;
  record.spoken = true;
  tellObservers(parts, record, record.submitted, record.visible ?? record.decided);
  record.answerFirst?.({ kind: "task" });
  record.answerFirst = undefined;
}

/** Snapshot and following events; `task` is what is visible now. */
export function openSubscription(record: TaskRecord, task: Task): Feed {
  const feed = openFeed(task, (ended) => record.feeds.delete(ended));
  record.feeds.add(feed);
  return feed;
}

function conclude(parts: EngineParts, record: TaskRecord, body: TaskBody | undefined): void {
  record.window?.stop();
  record.window = undefined;
  for (const feed of record.feeds) feed.end("terminal");
  const { state } = record.decided.status;
  if (state === "TASK_STATE_COMPLETED") parts.counts.completed += 1;
  if (state === "TASK_STATE_FAILED" || state === "TASK_STATE_REJECTED") parts.counts.failed += 1;
  parts.table.finish(record, body);
}

function tellObservers({ observers, log }: EngineParts, { owner }: TaskRecord, event: TaskEvent, task: Task): void {
  for (const observer of observers) {
    try {
      observer(event, task, owner);
    } catch (error) {
      log.fault("engine observer", error);
    }
  }
}
