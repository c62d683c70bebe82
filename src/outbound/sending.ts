// Owns getting one request taken: it is sent again only when the peer surely did not take it, which is after a failed connection
// or a 429 or 503 with Retry-After, and never beyond the call's own time.

import { sleep } from "../core/platform/clock.ts";
import { type A2aError, isA2aError } from "../core/platform/errors.ts";
import { abortError, mayTryAgain } from "../core/platform/http-errors.ts";
import type { HttpResponse } from "../core/platform/http-types.ts";
import type { RpcId } from "../core/protocol/jsonrpc.ts";
import type { CallLimit } from "./call-limit.ts";
import { statusError } from "./http-status.ts";
import type { OutboundDeps } from "./outbound-deps.ts";
import { nextPauseMs, retryAfterMs } from "./retry.ts";

type SendDeps = Pick<OutboundDeps, "clock" | "log" | "settings">;

export interface Sending {
  readonly peer: string;
  /** Id of the JSON-RPC request, to tell its error from others. */
  readonly id: RpcId;
  readonly limit: CallLimit;
  /** Sends the same request each time. */
  readonly send: () => Promise<HttpResponse>;
  /** Says more about an answer that is a failure. */
  readonly explain?: (error: A2aError, response: HttpResponse) => A2aError;
  /** Statuses beside 2xx that are an answer and no failure. */
  readonly alsoFine?: number;
}

/** A successful answer with its body unread, or the error of the last try. */
export async function sendUntilTaken(deps: SendDeps, sending: Sending): Promise<HttpResponse> {
  const { limit, peer } = sending;
  const mostRetries = deps.settings().retryAttempts;
  for (let retry = 0; ; retry++) {
    const tried = await tryOnce(deps, sending);
    if ("response" in tried) return tried.response;
    if (limit.signal.aborted) throw abortError(limit.signal);
    const pause = nextPauseMs({ askedMs: tried.askedMs, retry, mostRetries, leftMs: limit.leftMs() });
    if (pause === undefined) throw tried.notTaken;
    deps.log.info(`${peer}: not taken (${tried.notTaken.code}), next try in ${pause} ms`);
    await sleep(deps.clock, pause, limit.signal);
    if (limit.signal.aborted) throw abortError(limit.signal);
  }
}

type Tried =
  | { readonly response: HttpResponse }
  | { readonly notTaken: A2aError; readonly askedMs: number | undefined };

/** Throws what must not be tried again. */
async function tryOnce(deps: SendDeps, { peer, id, send, explain, alsoFine }: Sending): Promise<Tried> {
  const response = await send().catch((error: unknown) => {
    if (isA2aError(error) && mayTryAgain(error)) return { notTaken: error, askedMs: undefined };
    throw error;
  });
  if ("notTaken" in response) return response;
  if ((response.status >= 200 && response.status < 300) || response.status === alsoFine) return { response };
  const retryAfter = response.headers.get("retry-after");
  const error = await statusError(peer, response, id, deps.clock.now());
  const failure = explain?.(error, response) ?? error;
  if (retryAfter === undefined || (response.status !== 429 && response.status !== 503)) throw failure;
  return { notTaken: failure, askedMs: retryAfterMs(retryAfter, deps.clock.now()) };
}
