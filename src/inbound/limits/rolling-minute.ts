// Counts what happened in the last minute, second by second: constant time and memory whatever the count, and never more than the
// limit within any 60 seconds.

/** The second that runs now, and the 60 whole ones before it. */
const SECONDS = 61;

export interface RollingMinute {
  /** Counts one more when fewer than `limit` are in the minute; else gives the seconds until one may be counted. */
  take(limit: number, nowMs: number): number | undefined;
  /** The seconds until one may be counted; undefined when that is now. Counts nothing. */
  wait(limit: number, nowMs: number): number | undefined;
}

export function createRollingMinute(): RollingMinute {
  const counts = new Uint32Array(SECONDS);
  let newest = 0;
  let total = 0;

  const moveTo = (second: number): void => {
    if (second - newest >= SECONDS) {
      counts.fill(0);
      total = 0;
    } else {
      for (let next = newest + 1; next <= second; next++) {
        total -= counts[next % SECONDS] ?? 0;
        counts[next % SECONDS] = 0;
      }
    }
    newest = Math.max(newest, second);
  };
  /** A limit that was lowered may need several seconds to leave. */
  const waitFrom = (limit: number, nowMs: number): number => {
    let left = total;
    for (let age = SECONDS - 1; age > 0; age--) {
      left -= counts[(newest + SECONDS - age) % SECONDS] ?? 0;
      if (left < limit) return untilGone(newest - age, nowMs);
    }
    return untilGone(newest, nowMs);
  };
  const wait = (limit: number, nowMs: number): number | undefined => {
    moveTo(Math.floor(nowMs / 1000));
    return total < limit ? undefined : waitFrom(limit, nowMs);
  };
  return {
    wait,
    take(limit, nowMs) {
      const seconds = wait(limit, nowMs);
      if (seconds !== undefined) return seconds;
      counts[newest % SECONDS] = (counts[newest % SECONDS] ?? 0) + 1;
      total += 1;
      return undefined;
    },
  };
}

function untilGone(second: number, nowMs: number): number {
  return Math.max(1, Math.ceil(second + SECONDS - nowMs / 1000));
}
