// Owns what the client remembers of its conversations, in memory: the newest task of each context, so that a follow-up answers the
// task that waits for it (A2A 1.0 §3.4), or refers to the one before it. Bounded: the conversation used longest ago is forgotten.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { TaskState } from "../core/protocol/types.ts";
import { oneLine } from "../core/security/sanitize.ts";
import type { CallRequest, CallResult, ResolvedPeer } from "./client-types.ts";

const MAX_REMEMBERED = 500;
const TASK_NOT_FOUND = "-32001";
const UNSUPPORTED_OPERATION = "-32004";

/** What a message says of the tasks before it. */
export interface TaskLink {
  /** The message continues this task. */
  readonly taskId?: string;
  /** The message follows on these, which have ended. */
  readonly referenceTaskIds?: readonly string[];
}

export interface Conversations {
  /** An explicit task id wins. A first contact is linked to nothing. */
  linkOf(peer: ResolvedPeer, request: Pick<CallRequest, "contextId" | "taskId">): TaskLink;
  /** When the task asked the question that it waits with; undefined when that is not known. */
  askedAt(peer: ResolvedPeer, contextId: string | undefined, taskId: string): string | undefined;
  /** Remembers how the conversation stands. */
  note(result: CallResult): void;
  /** The task takes no more messages. */
  forget(peer: ResolvedPeer, contextId: string | undefined): void;
}

interface Newest {
  readonly taskId: string;
  readonly state: TaskState;
  readonly timestamp: string | undefined;
}

export function createConversations(): Conversations {
  const newest = new Map<string, Newest>();
  return {
    linkOf(peer, { contextId, taskId }) {
      if (taskId !== undefined) return { taskId };
      const known = contextId === undefined ? undefined : newest.get(keyOf(peer, contextId));
      if (known === undefined) return {};
      if (isInterrupted(known.state)) return { taskId: known.taskId };
      return isTerminal(known.state) ? { referenceTaskIds: [known.taskId] } : {};
    },
    askedAt(peer, contextId, taskId) {
      const known = contextId === undefined ? undefined : newest.get(keyOf(peer, contextId));
      return known?.taskId === taskId ? known.timestamp : undefined;
    },
    note({ peer, contextId, taskId, state, timestamp }) {
      if (contextId === undefined) return;
      const key = keyOf(peer, contextId);
      newest.delete(key);
      if (taskId === undefined) return;
      newest.set(key, { taskId, state, timestamp });
      const [oldest] = newest.keys();
      if (newest.size > MAX_REMEMBERED && oldest !== undefined) newest.delete(oldest);
    },
    forget(peer, contextId) {
      if (contextId !== undefined) newest.delete(keyOf(peer, contextId));
    },
  };
}

/** The same error with the way out, when the peer does not know the task that was answered, or it takes no more messages. */
export function refusedAnswer(error: unknown, { taskId }: TaskLink): A2aError | undefined {
  if (taskId === undefined || !isA2aError(error, "PEER_ERROR")) return undefined;
  const { rpcCode } = error.metadata;
  if (rpcCode !== TASK_NOT_FOUND && rpcCode !== UNSUPPORTED_OPERATION) return undefined;
  return new A2aError("PEER_ERROR", error.message, {
    hint: `Task ${oneLine(taskId, 80)} takes no answer any more. Call again with the context id alone to go on in a new task.`,
    cause: error,
    metadata: error.metadata,
  });
}

/** Context ids mean something only to the peer that gave them. */
function keyOf({ url }: ResolvedPeer, contextId: string): string {
  return `${url.replace(/\/+$/, "")} ${contextId}`;
}
