// Owns asking after a task that was handed over earlier: once, or for some seconds. The end of the wait is a result like any
// other, and ending the wait never ends the task.

import { A2aError, isA2aError } from "../core/platform/errors.ts";
import { type Call, resultOfCall } from "./call.ts";
import type { CallResult } from "./client-types.ts";
import { askForTask, pollTask } from "./poll.ts";

/** Asks once; its errors are the caller's. */
export async function taskNow(call: Call, taskId: string): Promise<CallResult> {
  await askForTask(call, taskId);
  return resultOfCall(call, true);
}

/** Asks until the task settles or the call's limit, which here is the wait, is over. */
export async function waitForTask(call: Call, taskId: string): Promise<CallResult> {
  try {
    const maxPauseMs = call.deps.settings().timeouts.async;
    await pollTask(call, { taskId, maxPauseMs, maxFailures: Number.POSITIVE_INFINITY });
    return resultOfCall(call, true);
  } catch (error) {
    if (call.limit.cause() === "timeout") return whenWaitEnds(call, taskId);
    if (call.limit.cause() !== "signal" || !isA2aError(error)) throw error;
    throw new A2aError("CANCELLED", `the wait for task ${taskId} was ended from this side`, {
      cause: error,
      hint: "The task goes on; ask again with a2a_status.",
      metadata: { taskId },
    });
  }
}

function whenWaitEnds(call: Call, taskId: string): CallResult {
  const result = resultOfCall(call, true);
  if (call.reply.stand().state !== undefined) return result;
  const text = `${call.endpoint.peer.name} has not answered yet; how the task stands is not known.`;
  return { ...result, taskId, text };
}
