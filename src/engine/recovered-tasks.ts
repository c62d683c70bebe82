// What is taken over from servers that have ended: their tasks, as far as they were stored. Types only.

import type { TaskState } from "../core/protocol/types.ts";
import type { TaskBody } from "./event-sink.ts";
import type { PushEvent } from "./push-event.ts";
import type { SubmittedEvent, TaskEvent } from "./task-event.ts";

/** A task that ended. */
export interface RecoveredEnd {
  readonly taskId: string;
  readonly contextId: string;
  readonly ownerKey: string;
  /** undefined for a direct reply, which is no task. */
  readonly state: TaskState | undefined;
  readonly at: number;
  readonly ranAt: number | undefined;
  readonly body: TaskBody;
}

/** A task that did not end; its events in their order, the first of them its acceptance. */
export interface RecoveredOpen {
  readonly submitted: SubmittedEvent;
  readonly events: readonly TaskEvent[];
}

export interface RecoveredTasks {
  /** Oldest first. */
  readonly ended: readonly RecoveredEnd[];
  readonly open: readonly RecoveredOpen[];
  /** Of tasks above, in their order. */
  readonly push: readonly PushEvent[];
}
