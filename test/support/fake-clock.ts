// A Clock that only tests move. Timers fire in order of their due time, equal ones in the order they were set.

import type { Clock, Timer } from "../../src/core/platform/clock.ts";

export interface FakeClock extends Clock {
  /** Moves time forward and fires what falls due on the way, also timers set by those that fire. */
  tick(ms: number): void;
  /** What time it is, is set back; timers go on. */
  setBack(ms: number): void;
  /** Runs deferred callbacks until none is left, also those deferred meanwhile. */
  flush(): void;
  /** Timers, deferred callbacks and holds that are neither fired nor stopped: 0 when nothing leaked. */
  pending(): number;
}

interface Entry {
  at: number;
  readonly order: number;
  readonly every: number | undefined;
  readonly fire: () => void;
}

/** A deferral loop longer than this is a fault of the code under test. */
const MOST_DEFERRALS = 100_000;

export function createFakeClock(startMs = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Entry>();
  const deferred = new Set<{ readonly fire: () => void }>();
  const holds = new Set<object>();
  let now = startMs;
  let order = 0;
  let behind = 0;

  const set = (ms: number, every: number | undefined, fire: () => void): Timer => {
    const entry: Entry = { at: now + Math.max(0, ms), order: order++, every, fire };
    timers.add(entry);
    return { stop: () => timers.delete(entry) };
  };

  const fireNext = (until: number): boolean => {
    const next = earliest(timers, until);
    if (next === undefined) return false;
    now = Math.max(now, next.at);
    if (next.every === undefined) timers.delete(next);
    else next.at += next.every;
    next.fire();
    return true;
  };

  return {
    now: () => now - behind,
    setBack(ms) {
      behind += ms;
    },
    monotonic: () => now - startMs,
    after: (ms, fire) => set(ms, undefined, fire),
    every: (ms, fire) => set(Math.max(1, ms), Math.max(1, ms), fire),
    defer(fire) {
      const entry = { fire };
      deferred.add(entry);
      return { stop: () => deferred.delete(entry) };
    },
    hold() {
      const hold = {};
      holds.add(hold);
      return { stop: () => holds.delete(hold) };
    },
    tick(ms) {
      const until = now + ms;
      while (fireNext(until));
      now = until;
    },
    flush() {
      for (let count = 0; deferred.size > 0; count++) {
        if (count > MOST_DEFERRALS) throw new Error("deferred callbacks never end");
        const [entry] = deferred;
        if (entry === undefined) return;
        deferred.delete(entry);
        entry.fire();
      }
    },
    pending: () => timers.size + deferred.size + holds.size,
  };
}

function earliest(timers: Iterable<Entry>, until: number): Entry | undefined {
  let best: Entry | undefined;
  for (const entry of timers) {
    if (entry.at > until) continue;
    if (best === undefined || entry.at < best.at || (entry.at === best.at && entry.order < best.order)) best = entry;
  }
  return best;
}
