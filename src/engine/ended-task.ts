// Owns what callers are told who ask for something that only a task in work has.

import { A2aError } from "../core/platform/errors.ts";
import { stateLabel } from "../core/protocol/task-state.ts";
import type { TaskState } from "../core/protocol/types.ts";

export function notCancelable(taskId: string, state: TaskState): A2aError {
  return new A2aError("TASK_NOT_CANCELABLE", `task ${taskId} has ended: ${stateLabel(state)}`);
}

export function notFollowed(taskId: string, state: TaskState): A2aError {
  return new A2aError("UNSUPPORTED_OPERATION", `task ${taskId} has ended: ${stateLabel(state)}`, {
    hint: "Read it with GetTask.",
  });
}
