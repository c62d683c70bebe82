// Owns when a request is sent again: only when the peer surely did not take it, and never beyond the call's own time. Pure.

/** Tries after the first. */
const MOST_RETRIES = 2;
/** A peer that asks for a longer pause is not waited for; the error tells its wish. */
const LONGEST_PAUSE_MS = 60_000;
const SHORTEST_PAUSE_MS = 250;

/** Milliseconds before retry number `retry` (from 0) when nobody asked for a time: 300, 900. */
function backoffMs(retry: number): number {
  return 300 * 3 ** retry;
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

/** The pause before the next try, or undefined when there must be none. */
export function nextPauseMs(asked: number | undefined, retry: number, leftMs: number): number | undefined {
  if (retry >= MOST_RETRIES) return undefined;
  const pause = asked === undefined ? backoffMs(retry) : Math.max(SHORTEST_PAUSE_MS, asked);
  return pause > LONGEST_PAUSE_MS || pause >= leftMs ? undefined : pause;
}
