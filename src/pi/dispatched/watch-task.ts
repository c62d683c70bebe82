// Owns staying with one dispatched task until it has ended or asks something: subscribed where the peer streams, else asking with
// growing pauses. A peer that is away is tried again, more and more seldom, for some days.

import { type Clock, sleep } from "../../core/platform/clock.ts";
import { describeError, isA2aError } from "../../core/platform/errors.ts";
import type { Log } from "../../core/platform/log.ts";
import { isInterrupted, isTerminal } from "../../core/protocol/task-state.ts";
import type { A2aClient, CallResult } from "../../outbound/client-types.ts";
import type { DispatchedTask } from "./dispatched-task.ts";

const FIRST_PAUSE_MS = 1000;
const GROWTH = 1.7;
/** Between two tries at a peer that is away. */
const LONGEST_AWAY_MS = 5 * 60_000;
/** How long one request may stay subscribed. */
const FOLLOW_SEC = 600;
/** A peer that is away is given up when the task is this old, and the peer has been away for this long. */
const TASK_DAYS_MS = 7 * 86_400_000;
const AWAY_MS = 60 * 60_000;
const TASK_NOT_FOUND = "-32001";

/** How the watch of a task ended: its state says, or its peer does not know it (any more), or was away for too long. */
export type Ending =
  | { readonly kind: "settled"; readonly result: CallResult }
  | { readonly kind: "lost" }
  | { readonly kind: "away"; readonly reason: string };

export interface WatchDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly client: Pick<A2aClient, "status">;
  /** Longest pause between two questions to a peer that answers; asked anew each time. */
  readonly longestPauseMs: () => number;
}

/** Undefined when the signal ended the watch. Never throws for what a peer does. */
export async function watchTask(
  deps: WatchDeps,
  task: Pick<DispatchedTask, "agent" | "taskId" | "at">,
  signal: AbortSignal,
): Promise<Ending | undefined> {
  const { clock, log } = deps;
  let pause = FIRST_PAUSE_MS;
  let awaySince: number | undefined;
  while (!signal.aborted) {
    const asked = await ask(deps, task, signal);
    if (signal.aborted) break;
    if ("ending" in asked) return asked.ending;
    const { failure } = asked;
    if (failure === undefined) {
      if (awaySince !== undefined) pause = FIRST_PAUSE_MS;
      awaySince = undefined;
    } else {
      awaySince ??= clock.monotonic();
      if (isGivenUp(clock, task.at, awaySince)) return { kind: "away", reason: failure };
      log.info(`a dispatched task: its peer gave no answer, next try in ${Math.round(pause)} ms (${failure})`);
    }
    await sleep(clock, pause, signal);
    pause = Math.min(pause * GROWTH, failure === undefined ? longestPauseMs(deps) : LONGEST_AWAY_MS);
  }
  return undefined;
}

function isGivenUp(clock: Clock, at: number, awaySince: number): boolean {
  return clock.now() - at > TASK_DAYS_MS && clock.monotonic() - awaySince > AWAY_MS;
}

function longestPauseMs(deps: WatchDeps): number {
  return Math.max(deps.longestPauseMs(), FIRST_PAUSE_MS);
}

export function isSettled({ state }: Pick<CallResult, "state">): boolean {
  return isTerminal(state) || isInterrupted(state);
}

type Asked = { readonly ending: Ending } | { readonly failure: string | undefined };

async function ask(
  { client }: WatchDeps,
  { agent, taskId }: Pick<DispatchedTask, "agent" | "taskId">,
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const result = await client.status({ agent, taskId, waitSec: FOLLOW_SEC, follow: true, typed: false, signal });
    return isSettled(result) ? { ending: { kind: "settled", result } } : { failure: undefined };
  } catch (error) {
    if (isA2aError(error, "PEER_ERROR") && error.metadata.rpcCode === TASK_NOT_FOUND)
      return { ending: { kind: "lost" } };
    return { failure: describeError(error) };
  }
}
