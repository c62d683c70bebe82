// Owns what bounds a call: its time, its caller's signal, the client's end. One signal for everything below, which says why.

import type { Clock } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";

/** Why a call had to end. */
export type LimitCause = "timeout" | "signal" | "closed";

export interface CallLimit {
  readonly signal: AbortSignal;
  /** Undefined while the call may go on. */
  cause(): LimitCause | undefined;
  /** Milliseconds that are left of its time. */
  leftMs(): number;
  /** Milliseconds since it had to end; 0 while it may go on. */
  endedForMs(): number;
  /** Releases timer and listeners; always call it. */
  stop(): void;
}

export interface LimitOptions {
  readonly timeoutMs: number;
  /** The message of the PEER_TIMEOUT that ends the call. */
  readonly timeoutText: string;
  /** The caller's own signal. */
  readonly signal?: AbortSignal | undefined;
  /** Aborts when the client is closed. */
  readonly closed?: AbortSignal;
}

export function startCallLimit(clock: Clock, options: LimitOptions): CallLimit {
  const control = new AbortController();
  const endsAt = clock.monotonic() + options.timeoutMs;
  let cause: LimitCause | undefined;
  let endedAt: number | undefined;
  const end = (why: LimitCause, error: A2aError): void => {
    if (cause !== undefined) return;
    cause = why;
    endedAt = clock.monotonic();
    control.abort(error);
  };
  const onSignal = (): void => end("signal", new A2aError("CANCELLED", "the call was stopped from this side"));
  const onClosed = (): void => end("closed", new A2aError("CANCELLED", "the session that made the call ends"));
  const timer = clock.after(options.timeoutMs, () => end("timeout", new A2aError("PEER_TIMEOUT", options.timeoutText)));
  options.signal?.addEventListener("abort", onSignal, { once: true });
  options.closed?.addEventListener("abort", onClosed, { once: true });
  if (options.signal?.aborted === true) onSignal();
  if (options.closed?.aborted === true) onClosed();
  return {
    signal: control.signal,
    cause: () => cause,
    leftMs: () => Math.max(0, endsAt - clock.monotonic()),
    endedForMs: () => (endedAt === undefined ? 0 : clock.monotonic() - endedAt),
    stop() {
      timer.stop();
      options.signal?.removeEventListener("abort", onSignal);
      options.closed?.removeEventListener("abort", onClosed);
    },
  };
}

/** A shorter limit within another: what ends the outer one ends it too. */
export function withinLimit(clock: Clock, outer: CallLimit, timeoutMs: number, timeoutText: string): CallLimit {
  const inner = startCallLimit(clock, { timeoutMs: Math.min(timeoutMs, outer.leftMs()), timeoutText });
  const control = new AbortController();
  const onInner = (): void => control.abort(inner.signal.reason);
  const onOuter = (): void => control.abort(outer.signal.reason);
  inner.signal.addEventListener("abort", onInner, { once: true });
  outer.signal.addEventListener("abort", onOuter, { once: true });
  if (outer.signal.aborted) onOuter();
  return {
    signal: control.signal,
    cause: () => outer.cause() ?? inner.cause(),
    leftMs: () => Math.min(inner.leftMs(), outer.leftMs()),
    endedForMs: () => (outer.cause() === undefined ? inner.endedForMs() : outer.endedForMs()),
    stop() {
      inner.stop();
      inner.signal.removeEventListener("abort", onInner);
      outer.signal.removeEventListener("abort", onOuter);
    },
  };
}
