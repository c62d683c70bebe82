// Owns one attempt to deliver an update to a webhook: what is sent and how long it may take. The URL is judged again, and HttpPort
// checks and pins the address that its name leads to. Never rejects, follows no redirect, names no more of a URL than its host.

import type { Clock } from "../../core/platform/clock.ts";
import { A2aError, isA2aError } from "../../core/platform/errors.ts";
import type { HttpPort } from "../../core/platform/http-types.ts";
import type { Log } from "../../core/platform/log.ts";
import type { PushConfig } from "../../core/protocol/types.ts";
import { signBody } from "../../core/security/sign.ts";
import { webhookProblem } from "../../core/security/webhook-address.ts";
import { wireHeaders } from "./push-body.ts";

export interface PushSettings {
  /** For one attempt, from the look-up of the name to the end of the answer. */
  readonly timeoutMs: number;
  /** Plain http and addresses that are not public may be called. */
  readonly allowInsecure: boolean;
  /** Signs the bodies; "" signs nothing. */
  readonly secret: string;
}

export type AttemptOutcome =
  | { readonly kind: "delivered" }
  /** Another attempt may succeed. */
  | { readonly kind: "failed"; readonly reason: string }
  /** No other attempt would end otherwise. */
  | { readonly kind: "refused"; readonly reason: string };

export interface AttemptDeps {
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: () => PushSettings;
  /** Ends attempts when nobody waits for them any more. */
  readonly signal: AbortSignal;
}

/** An answer that says more than this is not read further. */
const MAX_ANSWER_BYTES = 64 * 1024;

export async function attemptPush(deps: AttemptDeps, config: PushConfig, body: string): Promise<AttemptOutcome> {
  const settings = deps.settings();
  const problem = webhookProblem(config.url, settings.allowInsecure);
  if (problem !== undefined) return { kind: "refused", reason: `its url ${problem}` };

  const attempt = new AbortController();
  const stop = (): void => attempt.abort();
  const late = new A2aError("PEER_TIMEOUT", `no answer within ${settings.timeoutMs / 1000} s`);
  const timer = deps.clock.after(settings.timeoutMs, () => attempt.abort(late));
  deps.signal.addEventListener("abort", stop, { once: true });
  try {
    const answer = await deps.http.request({
      method: "POST",
      url: config.url,
      headers: headersOf(config, body, settings.secret),
      body,
      connectTimeoutMs: settings.timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      signal: attempt.signal,
      addresses: settings.allowInsecure ? "any" : "public",
    });
    // Read to its end, so that the connection can be used again. However the body ends: the status has said it all.
    await answer.text().catch(() => undefined);
    return outcomeOf(answer.status);
  } catch (error) {
    return outcomeOfFault(error, deps.log);
  } finally {
    timer.stop();
    deps.signal.removeEventListener("abort", stop);
  }
}

function headersOf({ token, authentication }: PushConfig, body: string, secret: string): Record<string, string> {
  const { scheme, credentials } = authentication ?? {};
  return {
    ...wireHeaders(body),
    "User-Agent": "pi-a2a",
    ...(scheme === undefined || credentials === undefined ? {} : { Authorization: `${scheme} ${credentials}` }),
    ...(token === undefined ? {} : { "X-A2A-Notification-Token": token }),
    ...(secret === "" ? {} : { "X-A2A-Signature": signBody(secret, body) }),
  };
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return { kind: "delivered" };
  return { kind: status === 429 || status >= 500 ? "failed" : "refused", reason: `it answered HTTP ${status}` };
}

function outcomeOfFault(error: unknown, log: Log): AttemptOutcome {
  if (!isA2aError(error))
    return { kind: "refused", reason: `of a fault (log id ${log.fault("push delivery", error)})` };
  const again = ["PEER_UNREACHABLE", "PEER_TIMEOUT", "PEER_BAD_REPLY"].includes(error.code);
  return { kind: again ? "failed" : "refused", reason: error.message };
}
