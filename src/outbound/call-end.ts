// Owns what a caller is told when a call ends without a result: which task it was, whether it may still run, whether the peer
// was told to stop.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import type { Call } from "./call.ts";
import { tellCancelled } from "./cancel-remote.ts";

/** The error to throw for `error`; when this side ended the call, the remote task is canceled first. */
export async function endedCall(call: Call, error: unknown): Promise<unknown> {
  if (!isA2aError(error)) return error;
  const { taskId } = call.reply.stand();
  switch (call.limit.cause()) {
    case "signal":
    case "closed":
      return await cancelled(call, taskId, error);
    default:
      return withTask(call, error, "it may still run");
  }
}

async function cancelled(call: Call, taskId: string | undefined, error: A2aError): Promise<A2aError> {
  const { deps, endpoint } = call;
  if (taskId === undefined) {
    const text = `${error.message} before ${endpoint.peer.name} named a task; the connection was closed`;
    return new A2aError("CANCELLED", `${text}, and the peer may still work on it`, { cause: error });
  }
  const what = await tellCancelled(deps, endpoint, taskId);
  return new A2aError("CANCELLED", `${error.message}; ${taskText(call)}: ${what}`, {
    cause: error,
    metadata: ids(call),
  });
}

/** The error with the ids of the task, when the peer has named one and has not itself ended the call. */
function withTask(call: Call, error: A2aError, then: string): A2aError {
  if (call.reply.stand().taskId === undefined) return error;
  const hint =
    error.code === "PEER_TIMEOUT" ? error.hint : "Ask for the task with a2a_status before sending the message again.";
  return new A2aError(error.code, `${error.message}; ${taskText(call)}: ${then}`, {
    cause: error,
    hint,
    metadata: { ...error.metadata, ...ids(call) },
    ...(error.retryAfterSec === undefined ? {} : { retryAfterSec: error.retryAfterSec }),
  });
}

function taskText(call: Call): string {
  const { taskId, contextId } = call.reply.stand();
  return contextId === undefined ? `task ${taskId}` : `task ${taskId} in context ${contextId}`;
}

function ids(call: Call): Record<string, string> {
  const { taskId, contextId } = call.reply.stand();
  return { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
}
