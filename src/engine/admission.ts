// Owns what happens before a message is acknowledged: the checks of A2A 1.0 §3.4.2 in their order and before any side effect, the
// slot or place in line, and the wait for the sink.

import { changed } from "../core/platform/changed.ts";
import { A2aError } from "../core/platform/errors.ts";
import { stateLabel } from "../core/protocol/task-state.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { FirstOutput, Submission, SubmitRequest } from "./engine-types.ts";
import { nextTime, placeOf, statusAt } from "./event-stamp.ts";
import { isKept, type KeptTask } from "./kept-task.ts";
import { goOnFrom, lastRunOf } from "./last-run.ts";
import { advance, commit, rollBack } from "./ledger.ts";
import { createMailbox } from "./mailbox.ts";
import { openSubscription, publish, reveal } from "./publish.ts";
import { attachWebhook, checkWebhook } from "./push-configs.ts";
import { steerTask } from "./steering.ts";
import type { MessageEvent, StatusEvent, SubmittedEvent } from "./task-event.ts";
import { beginRun, endIdle, openRunWindow, releasePlace } from "./task-life.ts";
import { createRecord, hasEnded, isAsking, settledRecord, type TaskRecord } from "./task-record.ts";

/** Accepts a message or throws; see Engine.submit. */
export async function submit(parts: EngineParts, request: SubmitRequest): Promise<Submission> {
  if (parts.stopReason !== undefined) throw new A2aError("SHUTTING_DOWN", `no new work: ${parts.stopReason}`);
  const { taskId } = request.message;
  return taskId === undefined ? openTask(parts, request) : continueTask(parts, request, taskId);
}

function openTask(parts: EngineParts, request: SubmitRequest): Promise<Submission> {
  parts.table.assertRoom();
  checkWebhook(parts, undefined, request);
  const { promise: first, resolve } = firstOutput();
  const conversation = parts.contexts.open(request.caller.key, request.message.contextId ?? parts.ids.context());
  goOnFrom(parts, conversation, request.previous);
  const submitted = submittedEvent(parts, request, conversation);
  const record = createRecord(submitted, conversation, resolve, request.chain);
  if (request.refused !== undefined) record.ending = { state: "TASK_STATE_REJECTED", text: request.refused };
  try {
    if (record.ending === undefined) parts.places.enter(record, request.detached);
  } catch (error) {
    parts.contexts.tidy(conversation);
    throw error;
  }
  parts.table.add(record);
  attachWebhook(parts, record, request);
  return new Promise((acknowledge, refuse) => {
    const failed = (): void => {
      record.accepting = false;
      parts.table.remove(record);
      releasePlace(parts, record);
      refuse(notStored());
    };
    const done = (): void => {
      record.visible = record.decided;
      acknowledge(accepted(parts, record, first));
    };
    commit(parts, record, submitted, { done, failed, dropped: failed });
  });
}

async function continueTask(parts: EngineParts, request: SubmitRequest, taskId: string): Promise<Submission> {
  const record = unfinished(parts.table.find(request.caller, taskId), request);
  return isAsking(record) ? answerTask(parts, request, record) : steerTask(parts, request, record);
}

function answerTask(parts: EngineParts, request: SubmitRequest, record: TaskRecord): Promise<Submission> {
  checkWebhook(parts, record.id, request);
  parts.places.enter(record, request.detached);
  const { caller, message, detached, chain } = request;
  const at = nextTime(parts.clock, record);
  record.turn = {
    message: inPlace(record, message),
    resumes: true,
    detached,
    caller,
    acceptedAt: parts.clock.now(),
    chain,
    mailbox: createMailbox(),
  };
  record.accepting = true;
  const answer: MessageEvent = { kind: "message", ...placeOf(record), at, message: record.turn.message };
  const working: StatusEvent = {
    kind: "status",
    ...placeOf(record),
    at,
    status: statusAt(parts, at, "TASK_STATE_WORKING"),
  };
  const answered = advance(record, answer);
  const resumed = advance(record, working);
  attachWebhook(parts, record, request);
  return new Promise((acknowledge, refuse) => {
    const failed = (): void => {
      rollBack(record);
      record.accepting = false;
      releasePlace(parts, record);
      if (record.ending !== undefined) endIdle(parts, record);
      refuse(notStored());
    };
    const done = (): void => {
      publish(parts, record, working, resumed);
      acknowledge(accepted(parts, record, Promise.resolve({ kind: "task" })));
    };
    commit(parts, record, answer, { done: () => publish(parts, record, answer, answered), failed, dropped: failed });
    // Of one turn with the answer: stored with it, or dropped with it.
    commit(parts, record, working, { done, failed });
  });
}

/** The acceptance is stored: the run begins, or the message waits behind its context where everybody may see it. */
function accepted(parts: EngineParts, record: TaskRecord, first: Promise<FirstOutput>): Submission {
  record.accepting = false;
  const { taskId, contextId } = placeOf(record);
  const subscription = openSubscription(record, record.visible ?? record.decided);
  openRunWindow(parts, record);
  if (record.ending !== undefined) endIdle(parts, record);
  else if (parts.places.holdsSlot(record)) beginRun(parts, record);
  else reveal(parts, record);
  return { taskId, contextId, first, subscription, settled: (signal) => settledRecord(record, signal) };
}

/** The task that the message is for; throws when it has ended, or when the message names another context. */
function unfinished(found: TaskRecord | KeptTask, { message }: SubmitRequest): TaskRecord {
  const contextId = isKept(found) ? found.contextId : found.conversation.contextId;
  if (message.contextId !== undefined && message.contextId !== contextId) {
    throw new A2aError("INVALID_PARAMS", `task ${found.id} belongs to another context`, {
      hint: "Leave contextId out, or send the one of the task.",
      violations: [{ field: "message.contextId", description: "is not the context of message.taskId" }],
    });
  }
  const label = stateLabel(isKept(found) ? found.state : found.decided.status.state);
  if (isKept(found) || hasEnded(found)) {
    throw new A2aError("UNSUPPORTED_OPERATION", `task ${found.id} has ended (${label}) and takes no more messages`, {
      hint: `Send a new message with contextId ${contextId} to go on in the same conversation.`,
    });
  }
  return found;
}

/** Its time is not before the last run of its context, also when the clock was set back: the order of both is told by it. */
function submittedEvent(
  parts: EngineParts,
  { caller, message, detached, dialect }: SubmitRequest,
  conversation: TaskRecord["conversation"],
): SubmittedEvent {
  const at = Math.max(parts.clock.now(), lastRunOf(parts, conversation)?.ranAt ?? 0);
  const taskId = parts.ids.task();
  const { contextId } = conversation;
  const status = statusAt(parts, at, "TASK_STATE_SUBMITTED");
  const own = changed(message, { taskId, contextId });
  const event = { kind: "submitted", taskId, contextId, at, owner: caller, detached, status, message: own } as const;
  return dialect === undefined ? event : { ...event, dialect };
}

/** Ids that the caller left out are filled in, so history reads the same for every message. */
function inPlace(record: TaskRecord, message: SubmitRequest["message"]): SubmitRequest["message"] {
  return { ...message, ...placeOf(record) };
}

function firstOutput(): { promise: Promise<FirstOutput>; resolve: (first: FirstOutput) => void } {
  let resolve: (first: FirstOutput) => void = () => undefined;
  const promise = new Promise<FirstOutput>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function notStored(): A2aError {
  return new A2aError("NOT_STORED", "the message could not be stored; nothing was started");
}
