// Owns taking in tasks from before: those that ended are read as before, questions stay answerable, and what ran or waited when its
// session ended is FAILED, with what was stored of it so far.

import { A2aError } from "../core/platform/errors.ts";
import { isInterrupted } from "../core/protocol/task-state.ts";
import type { Task } from "../core/protocol/types.ts";
import type { LastRun } from "./context-queue.ts";
import type { EngineParts } from "./engine-parts.ts";
import { boundsOf } from "./kept-tasks.ts";
import { goOnFrom, lastRunOf } from "./last-run.ts";
import { say } from "./ledger.ts";
import { followPieces } from "./partial-text.ts";
import type { RecoveredEnd, RecoveredOpen, RecoveredReply, RecoveredTasks } from "./recovered-tasks.ts";
import { createRetention } from "./retention.ts";
import { eachInSlices } from "./slices.ts";
import type { StatusEvent, TaskEvent } from "./task-event.ts";
import { foldEvent, HISTORY_CAP } from "./task-fold.ts";
import { openQuestionWindow } from "./task-life.ts";
import { createRecord, isAsking, type TaskRecord } from "./task-record.ts";

/** Resolves when all of them can be asked for and the interrupted ones have their end. `trace` names what is left of a run. */
export async function recoverTasks(
  parts: EngineParts,
  tasks: RecoveredTasks,
  trace: (taskId: string) => string | undefined,
): Promise<void> {
  if (parts.stopReason !== undefined)
    throw new A2aError("SHUTTING_DOWN", `no tasks are taken over: ${parts.stopReason}`);
  const runs = createLastRuns(parts);
  await eachInSlices(parts.clock, await staying(parts, tasks.ended), (end) => {
    const conversation = parts.contexts.open(end.ownerKey, end.contextId);
    runs.known(conversation);
    takeEnded(parts, end, conversation);
    runs.ran(conversation, end.taskId, end.ranAt);
  });
  for (const reply of tasks.unheard) recallReply(parts, reply);
  for (const { submitted } of tasks.open) runs.known(parts.contexts.open(submitted.owner.key, submitted.contextId));
  const taken = tasks.open.map((open) => takeOpen(parts, open));
  for (const { conversation, id, ranAt } of taken) runs.ran(conversation, id, ranAt);
  // What is kept no longer has no webhooks.
  for (const event of tasks.push) if (parts.table.get(event.taskId) !== undefined) parts.book.plan(event).done();
  await runs.apply();
  const ends: Promise<unknown>[] = [];
  for (const record of taken) {
    if (isAsking(record)) {
      openQuestionWindow(parts, record);
      continue;
    }
    ends.push(record.waiters.wait("ended"));
    interrupt(parts, record, trace(record.id));
  }
  parts.table.expire(parts.clock.now());
  await Promise.all(ends);
  parts.store?.tidy();
}

/** At a start there may be many more than are kept: nothing is built for those. An engine that has tasks decides among all. */
async function staying(parts: EngineParts, ended: readonly RecoveredEnd[]): Promise<readonly RecoveredEnd[]> {
  const { clock, limits, table, store } = parts;
  if (table.size > 0) return ended;
  const { retentionMs } = limits();
  const since = retentionMs > 0 ? clock.now() - retentionMs : 0;
  const bounds = boundsOf(limits(), 0);
  const retention = createRetention<RecoveredEnd>();
  await eachInSlices(clock, ended, (end) => {
    const gone = end.at < since ? [end] : retention.add(end, bounds);
    for (const { taskId, body } of gone) store?.forget(taskId, body);
  });
  return retention.takeOlder(Number.POSITIVE_INFINITY);
}

function takeEnded({ table }: EngineParts, end: RecoveredEnd, conversation: TaskRecord["conversation"]): void {
  const { taskId, contextId, ownerKey, state, at, body } = end;
  const hidden = state === undefined;
  table.keep(
    { at, id: taskId, ownerKey, contextId, state: state ?? "TASK_STATE_COMPLETED", body, hidden },
    conversation,
  );
}

function recallReply({ resends }: EngineParts, { task, ownerKey, marked, direct }: RecoveredReply): void {
  const { history = [] } = task;
  // A full history may have lost it.
  const first = history.length < HISTORY_CAP ? history[0] : undefined;
  const output = direct === undefined ? {} : { output: { kind: "message", message: direct } as const };
  resends.recall({ task, ownerKey, first, marked, ...output });
}

function takeOpen(parts: EngineParts, { submitted, events, marked }: RecoveredOpen): TaskRecord {
  const conversation = parts.contexts.open(submitted.owner.key, submitted.contextId);
  const record = createRecord(submitted, conversation, () => undefined);
  const task = events.reduce<Task>(foldEvent, record.decided);
  const last = events.at(-1) ?? submitted;
  for (const event of events) {
    followPieces(record.unfinished, event);
    followPieces(record.visiblyUnfinished, event);
  }
  record.decided = task;
  record.visible = task;
  record.decidedAt = Math.max(last.at, submitted.at);
  record.accepting = false;
  record.ranAt = events.findLast(isWork)?.at;
  record.turn = { ...record.turn, message: task.history?.findLast(isCallers) ?? submitted.message };
  // Everybody was told of it when it happened.
  record.shown = true;
  record.spoken = true;
  record.answerFirst = undefined;
  parts.table.add(record);
  parts.resends.recall({ task, ownerKey: record.owner.key, first: submitted.message, marked });
  parts.table.list(record, events.findLast((event) => event.kind === "status") ?? submitted);
  return record;
}

function isWork(event: TaskEvent): event is StatusEvent {
  return event.kind === "status" && !isInterrupted(event.status.state);
}

function isCallers({ role }: { readonly role: string }): boolean {
  return role === "ROLE_USER";
}

function interrupt(parts: EngineParts, record: TaskRecord, trace: string | undefined): void {
  const steps = trace === undefined ? "" : `; its steps are in ${trace} of that session's agent folder`;
  const text = `interrupted by the end of the session that ran it${steps}`;
  record.ending = { state: "TASK_STATE_FAILED", text };
  say(parts, record, [{ kind: "status", state: "TASK_STATE_FAILED", parts: [{ text }] }]);
}

/** By context, the task whose run began last: there the next one goes on. */
function createLastRuns(parts: EngineParts) {
  const { clock, contexts } = parts;
  const last = new Map<TaskRecord["conversation"], LastRun>();
  return {
    /** To be called before anything of the context is taken in: an engine that works already may know a later run. */
    known(conversation: TaskRecord["conversation"]): void {
      const known = last.has(conversation) ? undefined : lastRunOf(parts, conversation);
      if (known !== undefined) last.set(conversation, known);
    },
    ran(conversation: TaskRecord["conversation"], taskId: string, ranAt: number | undefined): void {
      if (ranAt !== undefined && ranAt >= (last.get(conversation)?.ranAt ?? 0))
        last.set(conversation, { taskId, ranAt });
    },
    apply(): Promise<void> {
      return eachInSlices(clock, last, ([conversation, run]) => {
        goOnFrom(parts, conversation, run);
        contexts.tidy(conversation);
      });
    },
  };
}
