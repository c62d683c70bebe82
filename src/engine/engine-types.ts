// What the engine offers to the server, the commands and the display. Types only.

import type { Clock } from "../core/platform/clock.ts";
import type { Ids } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import type { CallChain, Principal, TaskRunner } from "../core/ports.ts";
import type { LegacyDialect, Message, PushConfig, PushTarget, Task } from "../core/protocol/types.ts";
import type { LastRun } from "./context-queue.ts";
import type { EventSink, TaskStore } from "./event-sink.ts";
import type { RecoveredTasks } from "./recovered-tasks.ts";
import type { TaskEvent } from "./task-event.ts";
import type { ListQuery } from "./task-index.ts";

/** The limits in force; asked anew at each decision, so a changed setting acts at once. */
export interface EngineLimits {
  /** Runs at the same time, detached ones included. */
  readonly maxConcurrent: number;
  /** How many of these may be detached; absent: all. */
  readonly maxDetached?: number;
  /** Milliseconds from acceptance to the end of a task whose caller waits; 0 = no limit. */
  readonly replyTimeoutMs: number;
  /** Milliseconds from acceptance to the end of a detached task, and from a question to its answer; 0 = no limit. */
  readonly asyncTimeoutMs: number;
  /** Tasks that are kept; the oldest finished ones go first. 0 = no limit. */
  readonly maxTasks: number;
  /** Approximate bytes of finished tasks that are kept; 0 = no limit. */
  readonly maxTaskBytes: number;
  /** Milliseconds for which finished tasks are kept; 0 = no limit. */
  readonly retentionMs: number;
}

export interface EngineDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly runner: TaskRunner;
  readonly sink: EventSink;
  /** Reads what the sink has kept; absent when it keeps nothing, then ended tasks stay in memory. */
  readonly store?: TaskStore;
  readonly limits: () => EngineLimits;
}

/** How long the engine waits for runners that were told to stop. */
export interface EngineGraces {
  /** From the abort to the task's end, for handing over what there is (default 2000). */
  readonly settleGraceMs: number;
  /** From there until a runner that still runs loses its slot (default 10000). */
  readonly deafGraceMs: number;
  /** The same as settleGraceMs, when the whole engine stops (default 1500). */
  readonly stopGraceMs: number;
}

export interface SubmitRequest {
  readonly caller: Principal;
  readonly message: Message;
  /** True for returnImmediately: the supervision window bounds the run instead of the reply window. */
  readonly detached: boolean;
  /** A webhook for the task, stored with the message or not at all. Its URL has been checked. */
  readonly push?: PushTarget;
  /** The older wire in which the message came; a new task remembers it. Absent for A2A 1.0. */
  readonly dialect?: LegacyDialect;
  /** Handed on to the run. */
  readonly chain?: CallChain;
  /** The task of this context that ran last at another server; a new task goes on from it unless one ran here later. */
  readonly previous?: LastRun;
  /** Why no run may begin: the new task is REJECTED with this text, and takes no slot. Counts for new tasks only. */
  readonly refused?: string;
}

/** What the runner said first: a task exists from then on, or the answer is a direct Message and there is no task. */
export type FirstOutput = { readonly kind: "task" } | { readonly kind: "message"; readonly message: Message };

export interface Submission {
  readonly taskId: string;
  readonly contextId: string;
  /** Settles with the runner's first output, or at once with `task` when the message waits behind its context. */
  readonly first: Promise<FirstOutput>;
  /** Opened before the runner starts, so nothing is missed; the caller closes it. */
  readonly subscription: Subscription;
  /** As Engine.settled, without looking for the task; absent where that is the only way. */
  readonly settled?: (signal: StopSignal) => Promise<Task>;
  /** Hears how the response ended that carried the answer; until one arrived the same message leads to its task again. */
  readonly replied?: (how: Replied) => void;
}

/** What its caller got of a response: all of a reply, all of a stream, or not all of it. */
export type Replied = "reply" | "stream" | "lost";

/** The events of one task from a snapshot on, in order, without gaps. */
export interface Subscription {
  /** The task as of the moment of subscribing. */
  snapshot(): Task;
  /** The next event; undefined once the task has ended or the subscription was closed. */
  next(): Promise<TaskEvent | undefined>;
  /** Why `next` gave undefined: the task ended, the reader fell too far behind, the engine stopped, or it was closed. */
  ended(): "terminal" | "overflow" | "stopped" | "closed" | undefined;
  close(): void;
}

/** One page of a list, newest status first. */
export interface TaskPage {
  readonly tasks: readonly Task[];
  /** Matches on all pages. */
  readonly total: number;
  /** Whether matches follow behind this page. */
  readonly more: boolean;
}

export interface Untold {
  readonly task: Task;
  /** When its status came. */
  readonly at: number;
  readonly configs: readonly PushConfig[];
}

/** The webhooks of tasks. They are kept as long as their task. */
export interface PushConfigs {
  /**
   * Gives the task a webhook, or replaces the one with its id; an ended task takes some too. Resolves when it is stored. Throws
   * TASK_NOT_FOUND, INVALID_PARAMS (the task has ten), BUSY (all tasks together have too many), NOT_STORED.
   */
  set(owner: Principal, taskId: string, target: PushTarget): Promise<PushConfig>;
  /** Throws TASK_NOT_FOUND for an unknown task, a foreign one, and an unknown webhook. */
  get(owner: Principal, taskId: string, id: string): Promise<PushConfig>;
  /** All of the task, in the order of their ids; throws TASK_NOT_FOUND. */
  list(owner: Principal, taskId: string): Promise<readonly PushConfig[]>;
  /** Resolves also when the task has no such webhook; throws TASK_NOT_FOUND, NOT_STORED. */
  delete(owner: Principal, taskId: string, id: string): Promise<void>;
  /** For delivery, whoever owns the task; undefined when it never had a webhook or is no longer kept. */
  of(taskId: string): readonly PushConfig[] | undefined;
  /** The webhook has heard of the end or the question that came `at` (milliseconds since the epoch), or never will. */
  told(config: PushConfig, at: number): void;
  /** Ends and questions from before this engine that webhooks have not heard of. */
  untold(): Promise<readonly Untold[]>;
}

export interface EngineStats {
  readonly running: number;
  readonly waiting: number;
  readonly maxConcurrent: number;
  readonly tasks: number;
  readonly completed: number;
  readonly failed: number;
}

export type Observer = (event: TaskEvent, task: Task, owner: Principal) => void;

/** One task in work, for the footer and for the text of a busy error. */
export interface RunningTask {
  readonly taskId: string;
  readonly contextId: string;
  readonly owner: Principal;
  readonly detached: boolean;
  readonly startedAt: number;
}

export interface Engine {
  /**
   * Accepts a message: a new task, the answer to a task that waits for input, or more for a task that works or waits for its turn.
   * Resolves when the acceptance is stored. Throws BUSY, TASK_NOT_FOUND, UNSUPPORTED_OPERATION (the task has ended or is about to, or
   * its runner takes nothing while it works), INVALID_PARAMS (context mismatch, an eleventh webhook), NOT_STORED.
   */
  submit(request: SubmitRequest): Promise<Submission>;
  /**
   * The task of the same message of the same caller, as it is now, when that message is known: its task is at work, or its reply was
   * lost. Undefined for a new message, which is then submitted. A webhook that came along is set; rejects as `submit` did for the
   * first, and as `push.set`.
   */
  resend(request: SubmitRequest): Promise<Submission> | undefined;
  /** The task as everybody may see it, or TASK_NOT_FOUND for unknown and foreign ids alike. */
  get(owner: Principal, taskId: string): Promise<Task>;
  /** The task that `get` would give as A2A 1.0 writes it, when it has ended and that is at hand. */
  json(owner: Principal, taskId: string): string | undefined;
  /** Whether `get` would give a task. */
  has(owner: Principal, taskId: string): boolean;
  /** The owner's tasks as everybody may see them, newest status first, then by id, greatest first. */
  list(owner: Principal, query: ListQuery): Promise<TaskPage>;
  /** Ends a task and resolves with it. A canceled task is returned again; other ended ones throw TASK_NOT_CANCELABLE. */
  cancel(owner: Principal, taskId: string): Promise<Task>;
  /** Snapshot and events without a gap between them; throws TASK_NOT_FOUND, or UNSUPPORTED_OPERATION for an ended task. */
  subscribe(owner: Principal, taskId: string): Promise<Subscription>;
  /** Resolves when the task has ended or waits for its caller; the signal ends the wait, never the task. */
  settled(owner: Principal, taskId: string, signal?: StopSignal): Promise<Task>;
  /**
   * Takes in tasks from before this engine; resolves when they can be asked for, and those that were interrupted have failed. `trace`
   * names what is left of the run of an interrupted one.
   */
  recover(tasks: RecoveredTasks, trace: (taskId: string) => string | undefined): Promise<void>;
  readonly push: PushConfigs;
  /** Hears every published event, with the task after it; returns the way to stop hearing. Listeners must not throw. */
  observe(listener: Observer): () => void;
  running(): readonly RunningTask[];
  stats(): EngineStats;
  /** Nothing runs, waits for its turn or is being stored, and nobody follows a task. Tasks that ask may be there. */
  isQuiet(): boolean;
  /** Refuses new work, aborts every run, fails unfinished tasks with `reason`, waits for the runners at most a grace. */
  stop(reason: string): Promise<void>;
}
