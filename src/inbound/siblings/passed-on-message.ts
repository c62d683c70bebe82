// Owns messages for tasks that another session of the agent folder has: an answer to its question, or word to one at work. They are
// handed on once; when the other session is lost meanwhile, its files tell whether it had taken the message.

import { abortSignalOf, type StopSignal } from "../../core/platform/stop-signal.ts";
import type { Principal } from "../../core/ports.ts";
import { decodeSendResult } from "../../core/protocol/decode-task.ts";
import type { SendMessageParams, SendResult } from "../../core/protocol/types.ts";
import type { Arrival } from "../audit-trail.ts";
import type { Operations } from "../operations.ts";
import type { StreamSlots } from "../stream-slots.ts";
import type { TaskStream } from "../task-stream.ts";
import { type FollowOptions, followTask } from "./followed-task.ts";
import type { SharedDeps } from "./shared-deps.ts";
import { isLost, type SiblingCall } from "./sibling-client.ts";
import type { Elsewhere } from "./task-places.ts";

interface Send {
  readonly caller: Principal;
  readonly params: SendMessageParams;
  readonly arrival: Arrival;
  /** Of the message. */
  readonly taskId: string;
}

export async function sendMessage(
  deps: SharedDeps,
  local: Operations,
  send: Send & { readonly signal: StopSignal },
): Promise<SendResult> {
  const { caller, params, arrival, taskId, signal } = send;
  const place = await deps.places.find(caller, taskId);
  if (place === "here") return local.sendMessage(caller, params, arrival, signal);
  try {
    const result = decodeSendResult(await deps.client.call(callOf(place, "SendMessage", send, abortSignalOf(signal))));
    if ("message" in result) return result;
  } catch (error) {
    if (!isLost(error)) throw error;
    if (!(await wasTaken(deps, send))) return local.sendMessage(caller, params, arrival, signal);
    return { task: await deps.engine.settled(caller, taskId, signal) };
  }
  const now = await deps.places.find(caller, taskId);
  // What its session has stored tells more than what it wrote.
  return { task: now === "here" ? await deps.engine.get(caller, taskId) : now.task };
}

export async function sendStreamingMessage(
  deps: SharedDeps,
  local: Operations,
  send: Send,
  streams: StreamSlots,
): Promise<TaskStream> {
  const { caller, params, arrival, taskId } = send;
  const place = await deps.places.find(caller, taskId);
  if (place === "here") return local.sendStreamingMessage(caller, params, arrival);
  const onClose = streams.take(caller.key);
  const options: FollowOptions = {
    ...{ caller, taskId, endsAtQuestion: true, mayHaveEnded: true, onClose },
    abort: new AbortController(),
  };
  const stream = await passOn(deps, send, place, options).catch((error: unknown) => {
    onClose();
    throw error;
  });
  if (stream !== undefined) return stream;
  onClose();
  return local.sendStreamingMessage(caller, params, arrival);
}

/** undefined when the other session was lost and had not taken the message. */
async function passOn(
  deps: SharedDeps,
  send: Send,
  place: Elsewhere,
  options: FollowOptions,
): Promise<TaskStream | undefined> {
  try {
    const opened = await deps.client.open(callOf(place, "SendStreamingMessage", send, options.abort.signal));
    return followTask(deps, { ...options, opened });
  } catch (error) {
    if (!isLost(error)) throw error;
    return (await wasTaken(deps, send)) ? followTask(deps, options) : undefined;
  }
}

function callOf(
  { door, unreached }: Elsewhere,
  method: string,
  { caller, params, arrival }: Send,
  signal: AbortSignal,
): SiblingCall {
  if (door === undefined) throw unreached();
  const { traceparent, tracestate } = arrival;
  const trace = { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
  const { message, configuration, metadata } = params;
  return {
    ...{ door, caller, method, trace, signal },
    // The history is read where it is kept.
    params: { message, configuration: { ...configuration, historyLength: 0 }, ...(metadata && { metadata }) },
  };
}

/** Of a session that was lost; throws when it lives, for then nobody here can tell. */
async function wasTaken({ places, engine }: SharedDeps, { caller, params, taskId }: Send): Promise<boolean> {
  const place = await places.find(caller, taskId);
  if (place !== "here") throw place.unreached();
  const { history = [] } = await engine.get(caller, taskId);
  return history.some(({ messageId }) => messageId === params.message.messageId);
}
