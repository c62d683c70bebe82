// Owns staying with a task whose stream ends too early (A2A 1.0 §3.5.2): subscribe again, then ask. A message is never sent
// again, and a stream that merely ended is never taken for success.

import { sleep } from "../core/platform/clock.ts";
import { A2aError, isA2aError } from "../core/platform/errors.ts";
import { abortError } from "../core/platform/http-errors.ts";
import type { StreamResponse } from "../core/protocol/types.ts";
import { type Call, receive } from "./call.ts";
import { isLostTask } from "./lost-task.ts";
import { askForTask, pollTask } from "./poll.ts";
import { streamRpc } from "./stream.ts";

const SUBSCRIPTIONS = 3;
const FIRST_PAUSE_MS = 500;
const FAILED_QUESTIONS = 5;

/** Reads the stream of a send and whatever must follow it, until the reply is settled. */
export async function followStream(call: Call, stream: AsyncIterable<StreamResponse>): Promise<void> {
  const first = await read(call, stream);
  if (call.reply.settled()) return;
  const { taskId } = call.reply.stand();
  if (taskId === undefined || !mayContinue(first.error)) throw first.error ?? endedWithoutTask(call);
  try {
    await resume(call, taskId);
  } catch (error) {
    if (isA2aError(error) && isLostTask(error) && first.error !== undefined) throw lostOnTheWay(first.error, error);
    // The first fault says more than "no such task" or an unknown method on the way back.
    throw isA2aError(error, "PEER_ERROR") ? (first.error ?? error) : error;
  }
}

/**
 * Asks for the task; where it still runs and the peer streams, stays subscribed until the reply is settled or the stream is over,
 * whatever ended it. Throws what the question throws, or the limit's reason.
 */
export async function followTask(call: Call, taskId: string): Promise<void> {
  await askForTask(call, taskId);
  if (call.reply.settled() || !call.endpoint.streaming) return;
  try {
    await read(call, subscribe(call, taskId));
  } catch (error) {
    // Silence is no fault of a task that takes long.
    if (call.limit.signal.aborted || !isA2aError(error, "PEER_TIMEOUT")) throw error;
  }
}

/** What broke the stream explains why the task was asked for. */
function lostOnTheWay(first: A2aError, error: A2aError): A2aError {
  const { metadata } = error;
  return new A2aError("PEER_ERROR", `${first.message}; then ${error.message}`, { cause: error, metadata });
}

/** Subscribes a few times, with growing pauses, then asks until the task settles. */
async function resume(call: Call, taskId: string): Promise<void> {
  const { clock, settings } = call.deps;
  let pause = FIRST_PAUSE_MS;
  for (let left = SUBSCRIPTIONS; left > 0; left--) {
    await sleep(clock, pause, call.limit.signal);
    if (call.limit.signal.aborted) throw abortError(call.limit.signal);
    const { error, events } = await read(call, subscribe(call, taskId));
    if (call.reply.settled()) return;
    if (error !== undefined && !isLost(error)) break;
    // The first event only repeats where the task stands; more than that means that the stream works.
    if (events > 1) left = SUBSCRIPTIONS + 1;
    pause = events > 1 ? FIRST_PAUSE_MS : pause * 2;
  }
  await pollTask(call, { taskId, maxPauseMs: settings().timeouts.async, maxFailures: FAILED_QUESTIONS });
}

function subscribe(call: Call, taskId: string): AsyncIterable<StreamResponse> {
  const { deps, endpoint, limit } = call;
  const silenceMs = deps.settings().timeouts.stream;
  return streamRpc(deps, endpoint, { request: { method: "SubscribeToTask", taskId }, limit, silenceMs });
}

interface Reading {
  readonly events: number;
  readonly error: A2aError | undefined;
}

/** Reads until the reply is settled or the stream is over; throws what ends the call itself. */
async function read(call: Call, stream: AsyncIterable<StreamResponse>): Promise<Reading> {
  let events = 0;
  try {
    for await (const response of stream) {
      events += 1;
      receive(call, response);
      // After a stop only the name of the task was waited for.
      if (call.limit.signal.aborted && call.reply.stand().taskId !== undefined) break;
      if (call.reply.settled()) break;
    }
    if (call.limit.signal.aborted) throw abortError(call.limit.signal);
    return { events, error: undefined };
  } catch (error) {
    if (call.limit.signal.aborted) throw abortError(call.limit.signal);
    if (!isA2aError(error) || error.code === "PEER_TIMEOUT") throw error;
    return { events, error };
  }
}

/** After a lost connection or an error event the task may go on; frames that make no sense cannot be trusted further. */
function mayContinue(error: A2aError | undefined): boolean {
  return error === undefined || isLost(error) || error.code === "PEER_ERROR";
}

function isLost(error: A2aError): boolean {
  return error.code === "PEER_UNREACHABLE";
}

function endedWithoutTask(call: Call): A2aError {
  return new A2aError("PEER_BAD_REPLY", `${call.endpoint.peer.name} ended its stream before it named a task`, {
    hint: "The peer may have taken the message; check there before sending it again.",
  });
}
