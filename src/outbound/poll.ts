// Owns asking for a task until it has ended or waits for its caller: quick at first, then slower, and not put off by a request
// that fails in passing.

import { sleep } from "../core/platform/clock.ts";
import { type A2aError, isA2aError } from "../core/platform/errors.ts";
import { abortError } from "../core/platform/http-errors.ts";
import { decodeTask } from "../core/protocol/decode-task.ts";
import { type Call, receive } from "./call.ts";
import { withinLimit } from "./call-limit.ts";
import { isPassingStatus } from "./http-status.ts";
import { callRpc } from "./rpc.ts";

const FIRST_PAUSE_MS = 250;
const GROWTH = 1.7;
const ONE_POLL_MS = 30_000;

export interface PollOptions {
  readonly taskId: string;
  /** Longest pause between two questions. */
  readonly maxPauseMs: number;
  /** Failed questions in a row after which the last error is thrown; Infinity waits for the limit. */
  readonly maxFailures: number;
  /** Hears of each question and what became of it; the end of the limit is neither answer nor failure. */
  readonly onQuestion?: (event: "asked" | "answered" | "failed") => void;
}

/** Returns when the reply is settled; throws the limit's reason when that ends first, or an error that asking again cannot mend. */
export async function pollTask(call: Call, options: PollOptions): Promise<void> {
  const { clock } = call.deps;
  let failures = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * GROWTH, Math.max(options.maxPauseMs, FIRST_PAUSE_MS))) {
    let wait = pause;
    try {
      options.onQuestion?.("asked");
      await askForTask(call, options.taskId);
      options.onQuestion?.("answered");
      failures = 0;
    } catch (error) {
      if (call.limit.signal.aborted) throw abortError(call.limit.signal);
      options.onQuestion?.("failed");
      failures += 1;
      if (!isA2aError(error) || !isPassing(error) || failures >= options.maxFailures) throw error;
      wait = Math.max(wait, (error.retryAfterSec ?? 0) * 1000);
      call.deps.log.info(`${call.endpoint.peer.name}: asking for a task failed (${error.code}), next in ${wait} ms`);
    }
    if (call.reply.settled()) return;
    await sleep(clock, wait, call.limit.signal);
    if (call.limit.signal.aborted) throw abortError(call.limit.signal);
  }
}

/** One GetTask, of at most 30 s. */
export async function askForTask(call: Call, taskId: string): Promise<void> {
  const { deps, endpoint } = call;
  const text = `${endpoint.peer.name} did not answer a question for a task within ${ONE_POLL_MS / 1000} s`;
  const limit = withinLimit(deps.clock, call.limit, ONE_POLL_MS, text);
  try {
    const rpc = { request: { method: "GetTask", taskId }, limit } as const;
    const task = await callRpc(deps, endpoint, rpc, (result) => decodeTask(result, "result"));
    receive(call, { task });
  } finally {
    limit.stop();
  }
}

function isPassing(error: A2aError): boolean {
  if (error.code === "PEER_UNREACHABLE" || error.code === "PEER_TIMEOUT") return true;
  return isPassingStatus(Number(error.metadata.httpStatus ?? 0));
}
