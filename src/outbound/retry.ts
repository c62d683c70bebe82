// Owns when a request is sent again: only when the peer surely did not take it, and never beyond the call's own time. Pure.

/** A peer that asks for a longer pause is not waited for; the error tells its wish. */
const LONGEST_PAUSE_MS = 60_000;
const SHORTEST_PAUSE_MS = 250;
const LONGEST_OWN_PAUSE_MS = 10_000;

/** Milliseconds before retry number `retry` (from 0) when nobody asked for a time: 300, 900, 2700, 8100, then 10 s. */
function backoffMs(retry: number): number {
  return Math.min(LONGEST_OWN_PAUSE_MS, 300 * 3 ** retry);
}

/**
 * Milliseconds that a Retry-After asks for, as seconds or as an HTTP date; undefined for anything else, also for negative
 * numbers, so that the caller falls back to its own pause.
 */
export function retryAfterMs(header: string, nowMs: number): number | undefined {
  const text = header.trim();
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1000;
  if (!/^[A-Za-z]{3,9}, /.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

export interface RetryQuestion {
  /** Milliseconds the peer asks for; undefined when it asks for nothing. */
  readonly askedMs: number | undefined;
  /** Number of the retry, from 0. */
  readonly retry: number;
  /** Tries after the first. */
  readonly mostRetries: number;
  /** Milliseconds that are left of the call's time. */
  readonly leftMs: number;
}

/** The pause before the next try, or undefined when there must be none. */
export function nextPauseMs({ askedMs, retry, mostRetries, leftMs }: RetryQuestion): number | undefined {
  if (retry >= mostRetries) return undefined;
  const pause = askedMs === undefined ? backoffMs(retry) : Math.max(SHORTEST_PAUSE_MS, askedMs);
  return pause > LONGEST_PAUSE_MS || pause >= leftMs ? undefined : pause;
}
