// Owns asking after a task that was handed over earlier: once, or for some seconds. The end of the wait is a result like any
// other, and ending the wait never ends the task.

import type { Clock } from "../core/platform/clock.ts";
import { A2aError, isA2aError } from "../core/platform/errors.ts";
import { type Call, resultOfCall } from "./call.ts";
import type { CallResult } from "./client-types.ts";
import { followTask } from "./follow.ts";
import { askForTask, type PollOptions, pollTask } from "./poll.ts";

/** A peer that takes longer for one answer counts as away. */
const LONG_ANSWER_MS = 1000;

/** Asks once; its errors are the caller's. */
export async function taskNow(call: Call, taskId: string): Promise<CallResult> {
  await askForTask(call, taskId);
  return resultOfCall(call, true);
}

/** Asks until the task settles or the call's limit, which here is the wait, is over. `follow`: by one subscription instead. */
export async function waitForTask(call: Call, taskId: string, follow: boolean): Promise<CallResult> {
  const answers = watchAnswers(call.deps.clock);
  const { onQuestion } = answers;
  try {
    const maxPauseMs = call.deps.settings().timeouts.async;
    if (follow) await followTask(call, taskId);
    else await pollTask(call, { taskId, maxPauseMs, maxFailures: Number.POSITIVE_INFINITY, onQuestion });
    return resultOfCall(call, true);
  } catch (error) {
    if (call.limit.cause() === "timeout") return whenWaitEnds(call, taskId, answers);
    if (call.limit.cause() !== "signal" || !isA2aError(error)) throw error;
    throw new A2aError("CANCELLED", `the wait for task ${taskId} was ended from this side`, {
      cause: error,
      hint: "The task goes on; ask again with a2a_status.",
      metadata: { taskId },
    });
  }
}

interface Answers {
  readonly onQuestion: NonNullable<PollOptions["onQuestion"]>;
  /** Milliseconds since the first question without an answer; undefined while the last one was answered. */
  unansweredMs(): number | undefined;
  /** True when a question failed since the last answer. */
  failed(): boolean;
}

function watchAnswers(clock: Clock): Answers {
  let since: number | undefined;
  let failed = false;
  return {
    onQuestion(event) {
      if (event === "asked") since ??= clock.monotonic();
      if (event === "answered") since = undefined;
      failed = event === "failed" || (failed && event === "asked");
    },
    unansweredMs: () => (since === undefined ? undefined : clock.monotonic() - since),
    failed: () => failed,
  };
}

/** A question that is merely under way when the wait ends says nothing against the peer. */
function whenWaitEnds(call: Call, taskId: string, answers: Answers): CallResult {
  const result = { ...resultOfCall(call, true), taskId };
  const stateKnown = call.reply.stand().state !== undefined;
  const forMs = answers.unansweredMs() ?? 0;
  const away = !stateKnown || answers.failed() || forMs >= LONG_ANSWER_MS;
  return away ? { ...result, unanswered: { forMs, stateKnown } } : result;
}
