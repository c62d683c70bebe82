// Owns reading the two enums of A2A 1.0 §4.1, by name or by number as ProtoJSON allows, and by older names from peers.

import { describe } from "../platform/json.ts";
import { modernRole, modernState } from "./decode-legacy.ts";
import type { Rules } from "./decode-rules.ts";
import type { Role, TaskState } from "./types.ts";

/** Index = number in a2a.proto; 0 is UNSPECIFIED, which says nothing. */
const STATES: readonly (TaskState | undefined)[] = [
  undefined,
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED",
];
const ROLES: readonly (Role | undefined)[] = [undefined, "ROLE_USER", "ROLE_AGENT"];

/** A task state, or a refusal that names the unknown one. */
export function decodeState(value: unknown, path: string, rules: Rules): TaskState {
  const state = pick(STATES, rules.lenient ? modernState(value) : value);
  if (state === undefined) throw rules.refuse(path, `must be a task state, not ${describe(value)}`);
  return state;
}

/** A role, or a refusal that names the unknown one. */
export function decodeRole(value: unknown, path: string, rules: Rules): Role {
  const role = pick(ROLES, rules.lenient ? modernRole(value) : value);
  if (role === undefined) throw rules.refuse(path, `must be ROLE_USER or ROLE_AGENT, not ${describe(value)}`);
  return role;
}

function pick<T extends string>(names: readonly (T | undefined)[], value: unknown): T | undefined {
  if (typeof value === "number") return names[value];
  return names.find((name) => name !== undefined && name === value);
}
