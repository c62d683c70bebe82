// Owns asking another session of the agent folder over loopback HTTP: an ordinary A2A 1.0 call with the secret of that session and the
// caller it is made for. Nothing is tried twice here.

import { A2aError, isA2aError } from "../../core/platform/errors.ts";
import type { HttpPort, HttpResponse } from "../../core/platform/http-types.ts";
import type { Principal } from "../../core/ports.ts";
import { decodeStreamResponse } from "../../core/protocol/decode-task.ts";
import { createSseParser } from "../../core/protocol/sse.ts";
import { type TraceContext, traceHeaders } from "../../core/protocol/trace-context.ts";
import type { StreamResponse } from "../../core/protocol/types.ts";
import { wildcardFamily } from "../../core/security/host-header.ts";
import type { Home } from "../../engine/siblings/sibling-homes.ts";
import { siblingHeaders } from "./sibling-head.ts";
import { resultOf } from "./sibling-reply.ts";

export type Door = NonNullable<Home["door"]>;

export interface SiblingCall {
  readonly door: Door;
  readonly caller: Principal;
  readonly method: string;
  readonly params: object;
  readonly trace?: TraceContext;
  /** Ends the call, never the task. */
  readonly signal: AbortSignal;
}

export interface SiblingClient {
  /** The result. Throws what the other session answered, or NOT_REACHED when it did not. */
  call(call: SiblingCall): Promise<unknown>;
  /** The frames of a stream, once it stands. Throws as `call`, and so does reading on. */
  open(call: SiblingCall): Promise<AsyncIterable<StreamResponse>>;
}

const CONNECT_MS = 2_000;
/** A server sends something every three seconds. */
const SILENCE_MS = 15_000;
const MAX_REPLY_BYTES = 256 * 1024 * 1024;
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

const LOST: ReadonlySet<string> = new Set([
  "PEER_UNREACHABLE",
  "PEER_TIMEOUT",
  "PEER_BAD_REPLY",
  "ADDRESS_REFUSED",
  // Another program has its address by now.
  "FORBIDDEN",
  "UNAUTHORIZED",
  "SHUTTING_DOWN",
]);

/** True when the other session did not answer, so that nobody knows what became of the call. */
export function isLost(error: unknown): error is A2aError {
  return isA2aError(error) && LOST.has(error.code);
}

export function createSiblingClient(http: HttpPort): SiblingClient {
  return {
    async call(call) {
      const response = await post(http, call);
      return resultOf(await response.text(), response);
    },
    async open(call) {
      const response = await post(http, call);
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
      if (isStream) return framesOf(response);
      resultOf(await response.text(), response);
      throw new A2aError("PEER_BAD_REPLY", "another session of this agent folder answered without a stream");
    },
  };
}

function post(http: HttpPort, { door, caller, method, params, trace, signal }: SiblingCall): Promise<HttpResponse> {
  return http.request({
    method: "POST",
    url: reachable(door.origin),
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "A2A-Version": "1.0",
      ...siblingHeaders(door.secret, caller),
      ...traceHeaders(trace),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    connectTimeoutMs: CONNECT_MS,
    idleTimeoutMs: SILENCE_MS,
    maxBytes: MAX_REPLY_BYTES,
    signal,
    addresses: "any",
  });
}

/** Whoever listens on every address is reached by the loopback one. */
function reachable(origin: string): string {
  const url = new URL(origin);
  const family = wildcardFamily(url.host);
  if (family !== undefined) url.hostname = family === 4 ? "127.0.0.1" : "[::1]";
  return url.href;
}

async function* framesOf(response: HttpResponse): AsyncGenerator<StreamResponse, void> {
  const parser = createSseParser({ maxEventBytes: MAX_EVENT_BYTES });
  for await (const chunk of response.chunks()) {
    // An error in the middle travels as an event, too.
    for (const { data } of parser.push(chunk)) yield decodeStreamResponse(resultOf(data, response));
  }
}
