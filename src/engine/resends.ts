// Owns which messages are known again when they come a second time (DESIGN: Resends): those whose task is at work, and those whose
// reply never reached their caller. Only remembers, in memory; ./attach.ts leads a message to the task of the first.

import { changed } from "../core/platform/changed.ts";
import type { Clock } from "../core/platform/clock.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Message, Task, TaskState } from "../core/protocol/types.ts";
import { type DeliveryMark, isMarked, markOf } from "./delivery-mark.ts";
import type { FirstOutput, Replied, Submission, SubmitRequest } from "./engine-types.ts";
import { messageKey } from "./message-key.ts";
import { recalledMessages } from "./recalled-messages.ts";
import { createRetention, type Retained, type Retention } from "./retention.ts";
import type { TaskEvent } from "./task-event.ts";
import { partsBytes } from "./task-size.ts";

/**
 * Messages of ended tasks whose reply was lost are kept for callers that ask again: so many of all callers together (the oldest of the
 * caller with most go first), with so many bytes of direct replies, and for an hour. No caller that still wants its reply waits longer.
 */
export const MAX_LOST = 1_000;
const MAX_LOST_BYTES = 4 * 1024 * 1024;
export const LOST_MS = 60 * 60 * 1000;
/** Messages to one task; of more the oldest are new ones when they come again. */
export const MAX_PER_TASK = 64;

/** Where a message has led. */
export type Place = Pick<Submission, "taskId" | "contextId" | "first">;

/** A message that is known. */
export interface Sent extends Retained {
  readonly keys: readonly string[];
  place: Promise<Place>;
  /** Once it was accepted. */
  taskId: string | undefined;
  state: "working" | "asking" | "ended";
  /** What became of the last response that carried its answer; undefined while none has ended. */
  replied: Replied | undefined;
  /** When it was counted among the lost ones. */
  at: number;
  body: { readonly bytes: number };
  isLost: boolean;
}

/** A task from before, and what is known of its messages. */
export interface Recalled {
  readonly task: Task;
  readonly ownerKey: string;
  /** The message that began it; undefined when that is not known. */
  readonly first: Message | undefined;
  /** Messages whose reply has arrived, as in their marks. */
  readonly marked: ReadonlySet<string>;
  /** Absent: the task itself. */
  readonly output?: FirstOutput;
}

export interface Resends {
  /** Remembers a message that is on its way in, and gives back its submission, which can now hear of the reply. */
  note(request: SubmitRequest, submitting: Promise<Submission>): Promise<Submission>;
  /** Remembers what led to a task from before this engine, where no reply is known to have arrived. */
  recall(recalled: Recalled): void;
  /** What is known of this very message. */
  find(request: SubmitRequest): Sent | undefined;
  /** Tells how a response with its answer has ended. */
  report(sent: Sent, how: Replied): void;
  forget(sent: Sent): void;
  /** Hears every published event. */
  hear(event: TaskEvent): void;
  /** Messages that are known. */
  readonly size: number;
}

interface Memory {
  readonly clock: Clock;
  /** The key of the message that was looked for last: if it is new, it is noted next, and that of a large one takes a while. */
  latest: { readonly message: Message; readonly key: string } | undefined;
  readonly byKey: Map<string, Sent>;
  /** By task, oldest first. */
  readonly byTask: Map<string, Sent[]>;
  readonly lost: Retention<Sent>;
  readonly onDelivered: (mark: DeliveryMark) => void;
}

/** `onDelivered` hears of each reply after which a message is a new one when it comes again. */
export function createResends(clock: Clock, onDelivered: Memory["onDelivered"] = () => undefined): Resends {
  const known = { byKey: new Map(), byTask: new Map(), lost: createRetention<Sent>() };
  const memory: Memory = { clock, latest: undefined, ...known, onDelivered };
  return {
    note: (request, submitting) => note(memory, request, submitting),
    recall: (recalled) => recall(memory, recalled),
    find({ caller, message }) {
      forgetOld(memory);
      memory.latest = { message, key: messageKey(message) };
      return memory.byKey.get(ownKey(caller.key, memory.latest.key));
    },
    report: (sent, how) => report(memory, sent, how),
    forget: (sent) => forget(memory, sent),
    hear: (event) => hear(memory, event),
    get size() {
      return memory.byKey.size;
    },
  };
}

async function note(
  memory: Memory,
  { caller, message }: SubmitRequest,
  submitting: Promise<Submission>,
): Promise<Submission> {
  const key = memory.latest?.message === message ? memory.latest.key : messageKey(message);
  memory.latest = undefined;
  const sent = createSent(caller.key, [ownKey(caller.key, key)], submitting);
  remember(memory, sent);
  // From now on: the task may end in the moment in which it takes the message.
  if (message.taskId !== undefined) join(memory, message.taskId, sent);
  try {
    const submission = await submitting;
    const { taskId, contextId, first } = submission;
    // No more than this: a message whose reply is lost is kept long, and the rest of the submission holds on to the whole task.
    sent.place = Promise.resolve({ taskId, contextId, first });
    sent.taskId = taskId;
    if (message.taskId === undefined) join(memory, taskId, sent);
    void first.then((output) => {
      if (output.kind === "message") end(memory, sent, partsBytes(output.message.parts));
    });
    return changed(submission, { replied: (how: Replied) => report(memory, sent, how) });
  } catch (error) {
    if (message.taskId !== undefined) leave(memory, message.taskId, sent);
    forget(memory, sent);
    throw error;
  }
}

function recall(memory: Memory, { task, ownerKey, first, marked, output = { kind: "task" } }: Recalled): void {
  const { id: taskId, contextId } = task;
  const place = Promise.resolve({ taskId, contextId, first: Promise.resolve(output) });
  const bytes = output.kind === "message" ? partsBytes(output.message.parts) : 0;
  for (const keys of recalledMessages(task, first)) {
    if (isMarked(keys, marked)) continue;
    const ownKeys = keys.map((key) => ownKey(ownerKey, key));
    // What came here since goes before what was left elsewhere.
    if (ownKeys.some((key) => memory.byKey.get(key)?.isLost === false)) continue;
    const sent = createSent(ownerKey, ownKeys, place);
    Object.assign(sent, { taskId, replied: "lost", state: stateOf(task.status.state), body: { bytes } });
    if (output.kind === "message") sent.state = "ended";
    remember(memory, sent);
    join(memory, taskId, sent);
    settle(memory, sent);
  }
}

/** What one caller sent never leads another one anywhere: where the key of a message ends is certain, whatever the owner is called. */
function ownKey(ownerKey: string, key: string): string {
  return `${key} ${ownerKey}`;
}

/** The first key without its owner. */
function messageKeyOf({ keys: [key = ""], ownerKey }: Sent): string {
  return key.slice(0, -1 - ownerKey.length);
}

function createSent(ownerKey: string, keys: readonly string[], place: Promise<Place>): Sent {
  return {
    ownerKey,
    keys,
    place,
    taskId: undefined,
    state: "working",
    replied: undefined,
    at: 0,
    body: { bytes: 0 },
    isLost: false,
  };
}

function remember({ byKey }: Memory, sent: Sent): void {
  for (const key of sent.keys) byKey.set(key, sent);
}

function isKnown({ byKey }: Memory, sent: Sent): boolean {
  return sent.keys.some((key) => byKey.get(key) === sent);
}

function forget(memory: Memory, sent: Sent): void {
  for (const key of sent.keys) if (memory.byKey.get(key) === sent) memory.byKey.delete(key);
  if (sent.taskId !== undefined) leave(memory, sent.taskId, sent);
}

function join(memory: Memory, taskId: string, sent: Sent): void {
  const sents = memory.byTask.get(taskId);
  if (sents === undefined) {
    memory.byTask.set(taskId, [sent]);
    return;
  }
  sents.push(sent);
  const oldest = sents.length > MAX_PER_TASK ? sents.shift() : undefined;
  if (oldest !== undefined) forget(memory, oldest);
}

function leave({ byTask }: Memory, taskId: string, sent: Sent): void {
  const sents = byTask.get(taskId);
  const at = sents?.indexOf(sent) ?? -1;
  if (sents === undefined || at < 0) return;
  if (sents.length === 1) byTask.delete(taskId);
  else sents.splice(at, 1);
}

function hear(memory: Memory, event: TaskEvent): void {
  if (event.kind !== "status") return;
  const sents = memory.byTask.get(event.taskId);
  if (sents === undefined) return;
  const state = stateOf(event.status.state);
  for (const sent of [...sents]) {
    sent.state = state;
    settle(memory, sent);
  }
}

function end(memory: Memory, sent: Sent, bytes: number): void {
  sent.state = "ended";
  sent.body = { bytes };
  settle(memory, sent);
}

function report(memory: Memory, sent: Sent, how: Replied): void {
  if (!isKnown(memory, sent)) return;
  sent.replied = how;
  settle(memory, sent);
}

/** Decides, when something has changed, whether the message is worth knowing any longer. */
function settle(memory: Memory, sent: Sent): void {
  const { state, replied } = sent;
  if (state === "working" || replied === undefined) return;
  if (replied === "lost") {
    if (state === "ended") keepLost(memory, sent);
    return;
  }
  // A stream that ends at a question looks like one that broke.
  if (state === "ended" || replied === "reply") deliver(memory, sent);
}

function deliver(memory: Memory, sent: Sent): void {
  forget(memory, sent);
  const { taskId, state } = sent;
  if (taskId === undefined) return;
  const isLast = state === "ended" && !memory.byTask.has(taskId);
  memory.onDelivered(markOf(taskId, isLast ? undefined : messageKeyOf(sent)));
}

function keepLost(memory: Memory, sent: Sent): void {
  if (sent.isLost || !isKnown(memory, sent)) return;
  sent.isLost = true;
  sent.at = memory.clock.now();
  const limits = { maxItems: MAX_LOST, maxBytes: MAX_LOST_BYTES };
  for (const old of memory.lost.add(sent, limits)) forget(memory, old);
  forgetOld(memory);
}

function forgetOld(memory: Memory): void {
  for (const old of memory.lost.takeOlder(memory.clock.now() - LOST_MS)) forget(memory, old);
}

function stateOf(state: TaskState): Sent["state"] {
  if (isTerminal(state)) return "ended";
  return isInterrupted(state) ? "asking" : "working";
}
