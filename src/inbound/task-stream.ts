// Turns one subscription of the engine into the frames of an A2A stream: the task first, then updates, or the single message
// (A2A 1.0 §3.1.2, §3.5.2). Knows neither HTTP nor a dialect.

import { A2aError } from "../core/platform/errors.ts";
import { isTerminal } from "../core/protocol/task-state.ts";
import type { JsonObject, StreamResponse, TaskStatus } from "../core/protocol/types.ts";
import type { FirstOutput, Subscription } from "../engine/engine-types.ts";
import type { TaskEvent } from "../engine/task-event.ts";

export interface TaskStream {
  /** The next frame; undefined after the last one. Throws when the stream ended before its task did. */
  next(): Promise<StreamResponse | undefined>;
  /** Ends the stream, never the task; may be called at any time. */
  close(): void;
}

export interface TaskStreamOptions {
  readonly subscription: Subscription;
  /** Settles with the runner's first output; absent for a task that exists already. */
  readonly first?: Promise<FirstOutput>;
  /** True ends the stream when the task asks its caller for input. */
  readonly endsAtQuestion: boolean;
  readonly onClose: () => void;
}

export function createTaskStream(options: TaskStreamOptions): TaskStream {
  const { subscription } = options;
  const updates = createUpdates();
  let stage: "opening" | "running" | "resting" | "over" = "opening";

  const close = (): void => {
    stage = "over";
    subscription.close();
    options.onClose();
  };
  const open = async (): Promise<StreamResponse> => {
    const first = await options.first;
    if (first?.kind === "message") {
      close();
      return { message: first.message };
    }
    const task = subscription.snapshot();
    if (stage === "opening") stage = options.endsAtQuestion && restsAt(task.status) ? "resting" : "running";
    return { task };
  };
  /** Readers look for the end in a status, so the one that the task has is said once more. */
  const repeatStatus = (): StreamResponse => {
    const { id: taskId, contextId, status } = subscription.snapshot();
    return { statusUpdate: { taskId, contextId, status } };
  };
  const advance = async (): Promise<StreamResponse | undefined> => {
    for (;;) {
      const event = await subscription.next();
      if (event === undefined) return endOf(subscription, close);
      const frame = updates(event);
      if (frame !== undefined) return frame;
    }
  };
  return {
    async next() {
      if (stage === "over") return undefined;
      const frame = stage === "opening" ? await open() : stage === "resting" ? repeatStatus() : await advance();
      if (frame !== undefined && isLast(frame, options.endsAtQuestion)) close();
      return frame;
    },
    close,
  };
}

/** True for the frame after which an A2A stream ends. A snapshot never ends a subscription: what it shows may be about to change. */
export function isLast(frame: StreamResponse, endsAtQuestion: boolean): boolean {
  if (!("statusUpdate" in frame)) return false;
  const { status } = frame.statusUpdate;
  return endsAtQuestion ? restsAt(status) : isTerminal(status.state);
}

/** Where a stream of a send ends, also one that was opened by a message that came again. */
function restsAt({ state }: TaskStatus): boolean {
  return isTerminal(state) || state === "TASK_STATE_INPUT_REQUIRED";
}

function endOf(subscription: Subscription, close: () => void): undefined {
  const why = subscription.ended();
  close();
  if (why === "overflow") {
    throw new A2aError("BUSY", "the stream was read too slowly and has lost its place", {
      hint: "Subscribe to the task again.",
    });
  }
  if (why === "stopped") throw new A2aError("SHUTTING_DOWN", "the server stopped while the stream was open");
  return undefined;
}

/** Task metadata has no frame of its own: it travels with the status that follows it. */
function createUpdates(): (event: TaskEvent) => StreamResponse | undefined {
  let metadata: JsonObject | undefined;
  return (event) => {
    switch (event.kind) {
      case "status": {
        const frame = statusFrame(event, event.status, metadata);
        metadata = undefined;
        return frame;
      }
      case "artifact": {
        const { taskId, contextId, artifact, append, lastChunk } = event;
        return { artifactUpdate: { taskId, contextId, artifact, append, lastChunk } };
      }
      case "metadata":
        metadata = { ...metadata, ...event.metadata };
        return undefined;
      case "submitted":
      case "message":
        return undefined;
      default:
        return event satisfies never;
    }
  };
}

function statusFrame(event: TaskEvent, status: TaskStatus, metadata: JsonObject | undefined): StreamResponse {
  const { taskId, contextId } = event;
  return { statusUpdate: { taskId, contextId, status, ...(metadata === undefined ? {} : { metadata }) } };
}
