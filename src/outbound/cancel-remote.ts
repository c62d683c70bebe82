// Owns telling a peer that its task is no longer wanted, within the moment that a person who pressed Esc has to wait.

import { within } from "../core/platform/clock.ts";
import { describeError, isA2aError } from "../core/platform/errors.ts";
import { decodeTask } from "../core/protocol/decode-task.ts";
import { isTerminal, stateLabel } from "../core/protocol/task-state.ts";
import type { Task } from "../core/protocol/types.ts";
import { type CallLimit, startCallLimit } from "./call-limit.ts";
import type { Endpoint, OutboundDeps } from "./outbound-deps.ts";
import { callRpc } from "./rpc.ts";

/** How long the request may take in all. */
const TELL_MS = 2000;
/** How much of that the caller waits for, and how long after the stop of its call at most. */
const WAIT_MS = 800;
const STOPPED_MS = 900;

/** Sends CancelTask and gives the task as the peer then has it. */
export async function cancelTask(
  deps: OutboundDeps,
  endpoint: Endpoint,
  taskId: string,
  limit: CallLimit,
): Promise<Task> {
  const rpc = { request: { method: "CancelTask", taskId }, limit } as const;
  return await callRpc(deps, endpoint, rpc, (result) => decodeTask(result, "result"));
}

/**
 * What became of the remote task of a call that was stopped `stoppedForMs` ago, as a clause for a message. That takes less than a
 * second since the stop; the request goes on for two at most.
 */
export async function tellCancelled(
  deps: OutboundDeps,
  endpoint: Endpoint,
  taskId: string,
  stoppedForMs: number,
): Promise<string> {
  const { name } = endpoint.peer;
  const limit = startCallLimit(deps.clock, { timeoutMs: TELL_MS, timeoutText: "no answer to CancelTask" });
  const told = cancelTask(deps, endpoint, taskId, limit).then(
    (task) => toldText(name, task),
    (error: unknown) => notToldText(name, error),
  );
  const done = told.finally(() => limit.stop());
  const waitMs = Math.min(WAIT_MS, STOPPED_MS - stoppedForMs);
  if (await within(deps.clock, waitMs, done)) return await done;
  return `${name} was told to cancel it and has not confirmed yet`;
}

function toldText(name: string, task: Task): string {
  const { state } = task.status;
  return isTerminal(state)
    ? `${name} was told, and the task is ${stateLabel(state)}`
    : `${name} was told to cancel it; the task is still ${stateLabel(state)}`;
}

function notToldText(name: string, error: unknown): string {
  if (isA2aError(error, "PEER_ERROR") && error.metadata.rpcCode === "-32002") {
    return `${name} was told, but the task had already ended`;
  }
  return `${name} could not be told, and the task may still run (${describeError(error)})`;
}
