// Owns what it means that a peer does not know a task that it has named itself (A2A 1.0 §3.3.2, TaskNotFoundError), or is not there
// any more when somebody asks for the task.

import { A2aError } from "../core/platform/errors.ts";

const TASK_NOT_FOUND = "-32001";

export function isLostTask(error: A2aError): boolean {
  return error.code === "PEER_ERROR" && error.metadata.rpcCode === TASK_NOT_FOUND;
}

/** `error` of a question for a task, with what it means for the task. */
export function aboutTask(error: A2aError, taskId: string): A2aError {
  if (isLostTask(error)) return lostTask(error, `task ${taskId}`, { taskId });
  if (error.code !== "PEER_UNREACHABLE" || error.metadata.sent !== "no") return error;
  return new A2aError("PEER_UNREACHABLE", `${error.message}; task ${taskId} may still be kept there`, {
    cause: error,
    hint:
      "A session that was started again may listen on another port: /a2a-server status there says which. " +
      "Ask that address for the same task id; every session of its agent folder answers for it.",
    metadata: { ...error.metadata, taskId },
  });
}

/** `error` with its meaning; `task` names the task, `ids` go into the metadata. */
export function lostTask(error: A2aError, task: string, ids: Readonly<Record<string, string>>): A2aError {
  const meaning = `the peer does not know ${task} any more: it has restarted, or the task has expired`;
  return new A2aError("PEER_ERROR", `${error.message}; ${meaning}`, {
    cause: error,
    hint: "Asking for it again does not help. The work may be done in part; look there before sending the message again.",
    metadata: { ...error.metadata, ...ids },
  });
}
