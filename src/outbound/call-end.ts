// Owns what a caller is told when a call ends without a result: which task it was, whether it may still run, whether the peer
// was told to stop.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import { abortError } from "../core/platform/http-errors.ts";
import { isTerminal, stateLabel } from "../core/protocol/task-state.ts";
import type { Call } from "./call.ts";
import { tellCancelled } from "./cancel-remote.ts";
import { isLostTask, lostTask } from "./lost-task.ts";

const STATUS_FIRST = "Ask for the task with a2a_status before sending the message again.";

/** The error to throw for `error`; when this side ended the call, the remote task is canceled first. */
export async function endedCall(call: Call, error: unknown): Promise<unknown> {
  if (!isA2aError(error)) return error;
  switch (call.limit.cause()) {
    case "signal":
    case "closed":
      return await cancelled(call, error);
    default:
      return call.reply.stand().taskId === undefined ? withoutTask(error) : withTask(call, error);
  }
}

async function cancelled(call: Call, cause: A2aError): Promise<A2aError> {
  const { deps, endpoint, limit } = call;
  const { name } = endpoint.peer;
  const { taskId, state } = call.reply.stand();
  const { message } = abortError(limit.signal);
  const metadata = ids(call);
  if (state !== undefined && isTerminal(state)) {
    const ended = taskId === undefined ? `${name} had already answered` : `${taskText(call)} had already ended`;
    return new A2aError("CANCELLED", `${message}; ${ended} (${stateLabel(state)})`, { cause, metadata });
  }
  if (taskId === undefined) {
    const text = `${message} before ${name} named a task; the connection was closed, and the peer may still work on it`;
    return new A2aError("CANCELLED", text, { cause, hint: "Look there before sending the message again." });
  }
  const what = await tellCancelled(deps, endpoint, taskId, limit.endedForMs());
  return new A2aError("CANCELLED", `${message}; ${taskText(call)}: ${what}`, { cause, metadata, hint: STATUS_FIRST });
}

/** After silence nobody knows whether the message was taken, and there is no id to ask with. */
function withoutTask(error: A2aError): A2aError {
  if (error.code !== "PEER_TIMEOUT") return error;
  const hint = "The peer may work on the message but has named no task; look there before sending it again.";
  return new A2aError("PEER_TIMEOUT", error.message, { cause: error, hint, metadata: error.metadata });
}

/** The error with the ids of the task and what may have become of it. */
function withTask(call: Call, error: A2aError): A2aError {
  if (isLostTask(error)) return lostTask(error, taskText(call), ids(call));
  const hint = error.code === "PEER_TIMEOUT" ? "Ask for the task with a2a_status, or raise the timeout." : STATUS_FIRST;
  return new A2aError(error.code, `${error.message}; ${taskText(call)}: it may still run`, {
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
