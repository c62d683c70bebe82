// Owns what the engine knows of one task while it is in memory. `decided` runs ahead of `visible`: an event counts for later
// decisions at once, and becomes visible when it is stored.

import type { Timer } from "../core/platform/clock.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import type { CallChain, Principal } from "../core/ports.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Message, Task } from "../core/protocol/types.ts";
import type { Conversation } from "./context-queue.ts";
import type { FirstOutput } from "./engine-types.ts";
import { createMailbox, type Mailbox } from "./mailbox.ts";
import type { Run } from "./run.ts";
import type { Feed } from "./subscriptions.ts";
import type { SubmittedEvent } from "./task-event.ts";
import { foldEvent } from "./task-fold.ts";
import type { IndexEntry } from "./task-index.ts";
import type { Ending } from "./task-machine.ts";
import type { Waiters } from "./waiters.ts";
import { createWaiters, isOver } from "./waiters.ts";

/** One message that starts a run: the first of a task, or the answer to its question. */
export interface Turn {
  readonly message: Message;
  readonly resumes: boolean;
  readonly detached: boolean;
  /** The caller as it named itself with this message. */
  readonly caller: Principal;
  readonly acceptedAt: number;
  readonly chain?: CallChain | undefined;
  /** What the caller says while it works. */
  readonly mailbox: Mailbox;
}

export interface TaskRecord {
  readonly id: string;
  readonly owner: Principal;
  readonly conversation: Conversation<TaskRecord>;
  readonly submitted: SubmittedEvent;
  /** The fold of every decided event. */
  decided: Task;
  /** Time of the last decided event. */
  decidedAt: number;
  /** The fold of every stored event; undefined until the acceptance is stored. */
  visible: Task | undefined;
  /** True once callers may see it: from the runner's first output, or from acceptance when it waits behind its context. */
  shown: boolean;
  /** Where it stands in its owner's lists; undefined until it is shown. */
  listed: IndexEntry | undefined;
  /** True once an output was decided: the answer cannot be a direct Message any more. */
  spoken: boolean;
  /** The answer was a direct Message: this is no task and never shown. */
  withdrawn: boolean;
  /** Counts the failures of the sink: commits of an older generation are dropped. */
  generation: number;
  turn: Turn;
  /** True while the acceptance of `turn` is on its way to the sink. */
  accepting: boolean;
  ending: Ending | undefined;
  run: Run | undefined;
  /** When it got its slot. */
  startedAt: number;
  /** When its last run began; undefined when none did. */
  ranAt: number | undefined;
  window: Timer | undefined;
  /** Artifacts with live text that the sink has not seen. */
  readonly unstored: Set<string>;
  /** Artifacts whose last piece has not come, by what is decided. */
  unfinished: Set<string>;
  /** The same by what is visible. */
  readonly visiblyUnfinished: Set<string>;
  readonly feeds: Set<Feed>;
  readonly waiters: Waiters;
  /** The task as A2A 1.0 writes it, once its end is decided. */
  json: string | undefined;
  /** Settles `Submission.first`; dropped once it has. */
  answerFirst: ((first: FirstOutput) => void) | undefined;
}

export function createRecord(
  submitted: SubmittedEvent,
  conversation: Conversation<TaskRecord>,
  answerFirst: (first: FirstOutput) => void,
  chain?: CallChain,
): TaskRecord {
  const { taskId, owner, message, detached, at } = submitted;
  return {
    id: taskId,
    owner,
    conversation,
    submitted,
    decided: foldEvent(undefined, submitted),
    decidedAt: at,
    visible: undefined,
    shown: false,
    listed: undefined,
    spoken: false,
    withdrawn: false,
    generation: 0,
    turn: { message, resumes: false, detached, caller: owner, acceptedAt: at, chain, mailbox: createMailbox() },
    accepting: true,
    ending: undefined,
    run: undefined,
    startedAt: at,
    ranAt: undefined,
    window: undefined,
    unstored: new Set(),
    unfinished: new Set(),
    visiblyUnfinished: new Set(),
    feeds: new Set(),
    waiters: createWaiters(taskId),
    json: undefined,
    answerFirst,
  };
}

/** The task as everybody sees it, once it has ended or asks; the signal ends the wait. */
export async function settledRecord(
  { visible, decided, waiters }: TaskRecord,
  signal: StopSignal | undefined,
): Promise<Task> {
  const task = visible ?? decided;
  return isOver("settled", task.status.state) ? task : waiters.wait("settled", signal);
}

/** Nothing more may be decided for it. */
export function hasEnded(record: TaskRecord): boolean {
  return record.withdrawn || isTerminal(record.decided.status.state);
}

/** It waits for its caller, with no run. */
export function isAsking(record: TaskRecord): boolean {
  return isInterrupted(record.decided.status.state);
}
