// Owns the port behind which events are kept: nobody hears of an event before `write` has resolved. Provisional artifact
// pieces never come here.

import type { Principal } from "../core/ports.ts";
import type { Message } from "../core/protocol/types.ts";
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

export interface EventSink {
  /** Resolves when all of `events` are kept; rejects when none may be relied on. Called with one batch at a time. */
  write(events: readonly StoredEvent[]): Promise<void>;
}

/** A sink that forgets: for sessions that keep nothing beyond the engine's own memory. */
export function createNullSink(): EventSink {
  return { write: () => Promise.resolve() };
}
