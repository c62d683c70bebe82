// Owns how long the exchange that sends a message outlives the call: who stops a call before the peer has named its task leaves
// work behind that nobody can cancel, so the answer is read on for a moment. Nothing is sent in that moment.

import type { Clock, Timer } from "../core/platform/clock.ts";
import { abortError } from "../core/platform/http-errors.ts";
import type { CallLimit } from "./call-limit.ts";

/** Leaves time within the second that a stopped call may take to tell the peer. */
const LINGER_MS = 700;

export interface Linger {
  /** Aborts with the limit's reason: with the limit, or a moment later while an answer may still name the task. */
  readonly signal: AbortSignal;
  /** A connection is sought: nothing of the request has left yet. */
  onTry(): void;
  /** The peer may have read something of the request. */
  onSent(): void;
  /** Releases timer and listener; always call it. */
  stop(): void;
}

/** `isNamed` tells whether the peer has named the task. */
export function startLinger(clock: Clock, limit: CallLimit, isNamed: () => boolean): Linger {
  const control = new AbortController();
  let sent = false;
  let timer: Timer | undefined;
  const end = (): void => control.abort(abortError(limit.signal));
  const onLimit = (): void => {
    if (sent && !isNamed() && limit.cause() !== "timeout") timer = clock.after(LINGER_MS, end);
    else end();
  };
  limit.signal.addEventListener("abort", onLimit, { once: true });
  if (limit.signal.aborted) onLimit();
  return {
    signal: control.signal,
    onTry: () => {
      sent = false;
    },
    onSent: () => {
      sent = true;
    },
    stop() {
      timer?.stop();
      limit.signal.removeEventListener("abort", onLimit);
    },
  };
}
