// Owns what the task states of A2A 1.0 §4.1.3 mean: which end a task, which wait for the caller, which may follow which.

import type { TaskState } from "./types.ts";

export const TERMINAL_STATES: readonly TaskState[] = [
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
];

/** True when the task has ended and no later event may change it. */
export function isTerminal(state: TaskState): boolean {
  return TERMINAL_STATES.includes(state);
}

/** True when the task waits for its caller: input or a login is needed. */
export function isInterrupted(state: TaskState): boolean {
  return state === "TASK_STATE_INPUT_REQUIRED" || state === "TASK_STATE_AUTH_REQUIRED";
}

/** True when a task in `from` may take `to`; a terminal state takes nothing, and nothing goes back to SUBMITTED. */
export function mayFollow(from: TaskState, to: TaskState): boolean {
  return !isTerminal(from) && to !== "TASK_STATE_SUBMITTED";
}

/** `TASK_STATE_INPUT_REQUIRED` -> `input-required`, for people and models. */
export function stateLabel(state: TaskState): string {
  return state.slice("TASK_STATE_".length).toLowerCase().replaceAll("_", "-");
}

const STATES: ReadonlySet<unknown> = new Set<TaskState>([
  ...TERMINAL_STATES,
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_AUTH_REQUIRED",
]);

export function isTaskState(value: unknown): value is TaskState {
  return STATES.has(value);
}
