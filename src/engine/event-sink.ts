// Owns the port behind which events are kept: nobody hears of an event before `write` has resolved. Provisional artifact
// pieces never come here.

import type { Principal } from "../core/ports.ts";
import type { Message, Task } from "../core/protocol/types.ts";
import type { DeliveryMark } from "./delivery-mark.ts";
import type { PushEvent } from "./push-event.ts";
import type { TaskEvent } from "./task-event.ts";

/** The run answered with a direct Message: what was submitted never becomes a task, and nothing of it was shown. */
export interface DirectReplyEvent {
  readonly kind: "direct-reply";
  readonly taskId: string;
  readonly contextId: string;
  readonly at: number;
  readonly owner: Principal;
  readonly message: Message;
}

export type StoredEvent = TaskEvent | DirectReplyEvent | PushEvent;

/** What is kept with an event that ends its task, so that the task can be read without its other events. */
export interface EndOfTask {
  readonly task: Task;
  readonly owner: Principal;
  /** When its last run began; absent when none did. */
  readonly ranAt?: number | undefined;
  /** The task as A2A 1.0 writes it, where that is made anyway: it is what the sink keeps, so that nobody makes it twice. */
  readonly json?: string | undefined;
}

export interface StoredEntry {
  readonly event: StoredEvent;
  /** With a terminal status, and with a direct reply. */
  readonly end?: EndOfTask;
}

/** Where an ended task is kept; whoever gave it knows more. */
export interface TaskBody {
  /** What it takes. */
  readonly bytes: number;
}

/** By task, of those that ended with the entries that were written. */
export type KeptBodies = ReadonlyMap<string, TaskBody>;

export interface EventSink {
  /** Resolves when all of `entries` are kept; rejects when none may be relied on. */
  write(entries: readonly StoredEntry[]): Promise<KeptBodies>;
}

/** Reads again what a sink has kept, also after a restart. */
export interface TaskStore {
  /** The ended task; FILE_FAILED when it cannot be read any more. */
  read(taskId: string, body: TaskBody): Promise<Task>;
  /** The task is kept no longer; `body` is absent when it never ended here. */
  forget(taskId: string, body: TaskBody | undefined): void;
  /** A reply has arrived: kept with what is written next, or soon. */
  mark(mark: DeliveryMark): void;
  /** Tells how to ask where a task is kept now; undefined for one that has not ended or is kept no longer. */
  locate(find: (taskId: string) => TaskBody | undefined): void;
  /** All that was kept before has been taken in: what nobody asks for any more may go. */
  tidy(): void;
}

export function noBodies(): KeptBodies {
  return new Map();
}

/** A sink that forgets: for servers that keep nothing beyond the engine's own memory. */
export function createNullSink(): EventSink {
  return { write: async () => noBodies() };
}
