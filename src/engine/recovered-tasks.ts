// What is taken over from servers that have ended: their tasks, as far as they were stored. Types only.

import type { Message, Task, TaskState } from "../core/protocol/types.ts";
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
  /** Its messages that were answered, as in their marks. */
  readonly marked: ReadonlySet<string>;
}

/** A task that ended, and whose caller is not known to have its reply. */
export interface RecoveredReply {
  readonly task: Task;
  readonly ownerKey: string;
  /** As in RecoveredOpen. */
  readonly marked: ReadonlySet<string>;
  /** The direct reply, where what was sent became no task. */
  readonly direct?: Message;
}

export interface RecoveredTasks {
  /** Oldest first. */
  readonly ended: readonly RecoveredEnd[];
  readonly open: readonly RecoveredOpen[];
  /** Of ended tasks above, the oldest first; not more than are kept for callers that ask again. */
  readonly unheard: readonly RecoveredReply[];
  /** Of tasks above, in their order. */
  readonly push: readonly PushEvent[];
}
