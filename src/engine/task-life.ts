// Owns the life of an accepted task: its run begins, speaks and ends; its time runs out; it is ended from outside. Each task settles
// exactly once, and each slot is given back exactly once.

import type { Writable } from "../core/platform/changed.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import type { RunOutcome, RunOutput, RunRequest } from "../core/ports.ts";
import { earlierTasks } from "./earlier-tasks.ts";
import type { EngineParts } from "./engine-parts.ts";
import { nextTime } from "./event-stamp.ts";
import { replyDirectly, say, sayAnyway } from "./ledger.ts";
import { type RunResult, startRun } from "./run.ts";
import { draftEnding, draftOutcome, draftOutput, type Ending, failureText } from "./task-machine.ts";
import { hasEnded, type TaskRecord } from "./task-record.ts";
import { openWindow, questionLimit, runLimit, type TimeLimit } from "./windows.ts";

/** Begins the run of the record's turn. The record holds a slot. */
export function beginRun(parts: EngineParts, record: TaskRecord): void {
  let late = false;
  record.run = startRun(parts.clock, parts.runner, {
    request: (signal) => {
      record.ranAt = nextTime(parts.clock, record);
      return runRequest(parts, record, signal);
    },
    output: (output) => hear(parts, record, output),
    ended: (result) => runEnded(parts, record, result),
    overdue: () => finish(parts, record),
    abandoned: () => runAbandoned(parts, record),
    late(what) {
      // A runner that talks on for ever must not fill the log.
      if (!late) parts.log.info(`${record.id}: late ${what} of its run dropped`);
      late = true;
    },
  });
}

/** Gives up the record's slot or place; the next message of its context runs. */
export function releasePlace(parts: EngineParts, record: TaskRecord): void {
  const next = parts.places.leave(record);
  if (next !== undefined && !next.accepting) beginRun(parts, next);
  parts.contexts.tidy(record.conversation);
}

/** Ends the task as `ending` says: at once, or when its run has handed over what it has, at most after the grace. */
export function endTask(
  parts: EngineParts,
  record: TaskRecord,
  ending: Ending,
  settleGraceMs = parts.graces.settleGraceMs,
): void {
  if (hasEnded(record) || record.ending !== undefined) return;
  record.ending = ending;
  if (record.run !== undefined) record.run.abort(settleGraceMs, parts.graces.deafGraceMs);
  // An acceptance on its way to the sink comes first; ./admission.ts looks at `ending` then.
  else if (!record.accepting) endIdle(parts, record);
}

/** Ends a task that was asked to end and has no run. */
export function endIdle(parts: EngineParts, record: TaskRecord): void {
  finish(parts, record);
  releasePlace(parts, record);
}

/** Says the end that was asked for, unless the task has ended. */
function finish(parts: EngineParts, record: TaskRecord, outcome?: RunOutcome): void {
  if (record.ending !== undefined) say(parts, record, draftEnding(record.ending, outcome));
}

/** Fails an acknowledged task whose events could not be stored, and stops its run. */
export function failUnstored(parts: EngineParts, record: TaskRecord): void {
  record.ending ??= { state: "TASK_STATE_FAILED" };
  const text = "the task could not be stored; check the disk of the answering session";
  sayAnyway(parts, record, { kind: "status", state: "TASK_STATE_FAILED", parts: [{ text }] });
  if (record.run === undefined) releasePlace(parts, record);
  else record.run.abort(parts.graces.settleGraceMs, parts.graces.deafGraceMs);
}

/** The time from acceptance to the end. */
export function openRunWindow(parts: EngineParts, record: TaskRecord): void {
  const { detached, acceptedAt } = record.turn;
  openWindowOf(parts, record, runLimit(parts.limits(), detached), acceptedAt);
}

/** The time from a question to its answer. */
export function openQuestionWindow(parts: EngineParts, record: TaskRecord): void {
  openWindowOf(parts, record, questionLimit(parts.limits()), record.decidedAt);
}

function openWindowOf(parts: EngineParts, record: TaskRecord, limit: TimeLimit | undefined, since: number): void {
  record.window?.stop();
  record.window =
    limit &&
    openWindow(parts.clock, limit, since, (text) => endTask(parts, record, { state: "TASK_STATE_FAILED", text }));
}

function runRequest(parts: EngineParts, record: TaskRecord, signal: StopSignal): RunRequest {
  const { id: taskId, conversation, turn, visible } = record;
  const { contextId, lastRanTaskId } = conversation;
  conversation.lastRanTaskId = taskId;
  const { message, resumes, caller, chain, mailbox } = turn;
  // What came while the turn waited follows behind its message: that goes the way of steering.
  const said = visible?.history ?? [];
  const history = said.slice(0, Math.max(0, said.lastIndexOf(message)));
  const request: Writable<RunRequest> = { taskId, contextId, caller, message, history, resumes, signal };
  if (chain !== undefined) request.chain = chain;
  if (visible?.metadata !== undefined) request.metadata = visible.metadata;
  if (parts.runner.steerable === true) request.steering = mailbox.steering;
  if (lastRanTaskId !== undefined) request.earlier = () => earlierTasks(parts, record);
  if (lastRanTaskId !== undefined && !resumes) request.previousTaskId = lastRanTaskId;
  return request;
}

function hear(parts: EngineParts, record: TaskRecord, output: RunOutput): void {
  if (hasEnded(record)) return;
  const draft = draftOutput(record.decided, output);
  if (draft !== undefined) say(parts, record, [draft]);
}

function runEnded(parts: EngineParts, record: TaskRecord, result: RunResult): void {
  const outcome = outcomeOf(parts, record, result);
  const drafts = draftOutcome(outcome);
  record.run = undefined;
  record.window?.stop();
  if (hasEnded(record) || record.ending !== undefined) {
    if (outcome.kind !== "canceled") parts.log.info(`${record.id}: late ${outcome.kind} dropped`);
    finish(parts, record, outcome);
  } else if (outcome.kind === "message" && !record.spoken && outcome.parts.length > 0) {
    replyDirectly(parts, record, outcome.parts);
  } else {
    say(parts, record, drafts);
  }
  releasePlace(parts, record);
}

function runAbandoned(parts: EngineParts, record: TaskRecord): void {
  record.run = undefined;
  parts.log.warn(`${record.id}: its runner does not stop; its slot is given back`);
  finish(parts, record);
  releasePlace(parts, record);
}

function outcomeOf(parts: EngineParts, record: TaskRecord, result: RunResult): RunOutcome {
  if (result.kind === "returned") return result.outcome;
  return {
    kind: "failed",
    reason: failureText(result.error, (error) => parts.log.fault(`run of ${record.id}`, error)),
  };
}
