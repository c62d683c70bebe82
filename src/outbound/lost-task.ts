// Owns what it means that a peer does not know a task that it has named itself (A2A 1.0 §3.3.2, TaskNotFoundError).

import { A2aError } from "../core/platform/errors.ts";

const TASK_NOT_FOUND = "-32001";

export function isLostTask(error: A2aError): boolean {
  return error.code === "PEER_ERROR" && error.metadata.rpcCode === TASK_NOT_FOUND;
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
