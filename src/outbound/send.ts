// Owns handing a message to a peer and staying with it (A2A 1.0 §3.1.1, §3.1.2): by stream where the card offers one, else by an
// immediate acknowledgement and polling, so that the task id is known early. The message is sent once, under one messageId.

import { nextTurn } from "../core/platform/clock.ts";
import { isA2aError } from "../core/platform/errors.ts";
import { abortError } from "../core/platform/http-errors.ts";
import { type ChainLinks, chainMetadata } from "../core/protocol/chain.ts";
import { decodeSendResult } from "../core/protocol/decode-task.ts";
import { textPart } from "../core/protocol/text.ts";
import type { Message } from "../core/protocol/types.ts";
import { redactPart, refuseSecrets } from "../core/security/redact/parts.ts";
import { createRedaction } from "../core/security/redact/redaction.ts";
import { type Call, receive, resultOfCall } from "./call.ts";
import type { CallRequest, CallResult } from "./client-types.ts";
import type { TaskLink } from "./conversations.ts";
import { followStream } from "./follow.ts";
import { type Linger, startLinger } from "./linger.ts";
import { pollTask } from "./poll.ts";
import { callRpc } from "./rpc.ts";
import { selfMetadata } from "./self.ts";
import { streamRpc } from "./stream.ts";

/** A peer that has acknowledged a task may be away for this many questions before the call gives up. */
const FAILED_QUESTIONS = 5;

/** JSON-RPC codes that prove that a streaming send was not taken: method unknown, operation not supported. */
const NO_STREAMING = new Set(["-32601", "-32004"]);

export async function sendMessage(
  call: Call,
  request: CallRequest,
  link: TaskLink,
  links: ChainLinks,
): Promise<CallResult> {
  const kinds = new Set<string>();
  const metadata = { ...chainMetadata(links), ...selfMetadata(call.deps.settings()) };
  const message = await newMessage(call, request, { ...link, metadata }, (kind) => kinds.add(kind));
  const result = await deliver(call, request.detached, message);
  return kinds.size === 0 ? result : { ...result, redacted: [...kinds] };
}

async function deliver(call: Call, detached: boolean, message: Message): Promise<CallResult> {
  if (!detached && call.endpoint.streaming && (await sendStreaming(call, message))) return resultOfCall(call, false);
  await sendForTask(call, message);
  if (detached || call.reply.settled()) return resultOfCall(call, detached);
  await pollSent(call);
  return resultOfCall(call, false);
}

/** Without secrets; throws INVALID_PARAMS for a file that holds one. No contextId is invented: some peers accept only their own. */
async function newMessage(
  { deps }: Call,
  request: CallRequest,
  fixed: Pick<Message, "taskId" | "referenceTaskIds" | "metadata">,
  onFinding: (kind: string) => void,
): Promise<Message> {
  const { text, parts = [], contextId } = request;
  const redaction = deps.redaction ?? createRedaction();
  for (const part of parts) if ("raw" in part) await refuseSecrets(part, redaction, () => nextTurn(deps.clock));
  return {
    messageId: deps.ids.message(),
    role: "ROLE_USER",
    parts: [textPart(redaction.text(text, onFinding)), ...parts.map((part) => redactPart(part, redaction))],
    ...(contextId === undefined ? {} : { contextId }),
    ...fixed,
  };
}

/** False when the peer turned out not to stream, and so has not taken the message. */
async function sendStreaming(call: Call, message: Message): Promise<boolean> {
  const { deps, endpoint, limit } = call;
  const silenceMs = deps.settings().timeouts.stream;
  const linger = lingerFor(call);
  const rpc = { request: { method: "SendStreamingMessage", message }, limit, silenceMs, linger } as const;
  try {
    await followStream(call, streamRpc(deps, endpoint, rpc));
    return true;
  } catch (error) {
    const untaken = isA2aError(error, "PEER_ERROR") && NO_STREAMING.has(error.metadata.rpcCode ?? "");
    if (untaken && call.reply.stand().state === undefined) return false;
    throw error;
  } finally {
    linger.stop();
  }
}

async function sendForTask(call: Call, message: Message): Promise<void> {
  const { deps, endpoint, limit } = call;
  const request = { method: "SendMessage", message, returnImmediately: true } as const;
  const linger = lingerFor(call);
  try {
    receive(call, await callRpc(deps, endpoint, { request, limit, linger }, decodeSendResult));
  } finally {
    linger.stop();
  }
  if (limit.signal.aborted) throw abortError(limit.signal);
}

function lingerFor({ deps, limit, reply }: Call): Linger {
  return startLinger(deps.clock, limit, () => reply.stand().taskId !== undefined);
}

async function pollSent(call: Call): Promise<void> {
  const { taskId } = call.reply.stand();
  // A task without an id can only be an ended one, and those are settled.
  if (taskId === undefined) return;
  const maxPauseMs = call.deps.settings().timeouts.async;
  await pollTask(call, { taskId, maxPauseMs, maxFailures: FAILED_QUESTIONS });
}
