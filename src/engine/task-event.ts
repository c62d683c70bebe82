// The events a task is made of. A task's state is the fold of its events (./task-fold.ts); the sink, waiters, streams and the
// host's display all read the same events. Wire shapes are made at the edge, never here.

import type { Principal } from "../core/ports.ts";
import type { Artifact, JsonObject, LegacyDialect, Message, TaskStatus } from "../core/protocol/types.ts";

interface EventBase {
  readonly taskId: string;
  readonly contextId: string;
  /** Milliseconds since the epoch, never smaller than the task's event before. */
  readonly at: number;
}

/** A task was accepted. `detached` tasks are bounded by the supervision window, all others by the reply window. */
export type SubmittedEvent = EventBase & {
  readonly kind: "submitted";
  readonly owner: Principal;
  readonly detached: boolean;
  readonly status: TaskStatus;
  readonly message: Message;
  /** The older wire in which it came; absent for A2A 1.0. */
  readonly dialect?: LegacyDialect;
};

/** A further message of the caller in the same task (the answer to a question). */
export type MessageEvent = EventBase & { readonly kind: "message"; readonly message: Message };

/** The state, or the note that goes with it, changed. */
export type StatusEvent = EventBase & { readonly kind: "status"; readonly status: TaskStatus };

/** An artifact or a piece of one. Provisional pieces are live text: published in order, not kept by the sink. */
export type ArtifactEvent = EventBase & {
  readonly kind: "artifact";
  readonly artifact: Artifact;
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly provisional: boolean;
};

/** Merged into the task's metadata. */
export type MetadataEvent = EventBase & { readonly kind: "metadata"; readonly metadata: JsonObject };

export type TaskEvent = SubmittedEvent | MessageEvent | StatusEvent | ArtifactEvent | MetadataEvent;
