// The system's clock, some times faster, with a count of its timers: limits of 15 s are met in a second of a test, and timers
// that were left behind are seen although they keep no process alive.

import { type Clock, createSystemClock, type Timer } from "../../../src/core/platform/clock.ts";

export interface FastClock extends Clock {
  /** Timers and deferred callbacks that are neither fired nor stopped. */
  pending(): number;
}

export function createFastClock(speed: number): FastClock {
  const system = createSystemClock();
  const startedAt = system.now();
  const live = new Set<object>();

  const once = (set: (fire: () => void) => Timer, fire: () => void): Timer => {
    const entry = {};
    live.add(entry);
    const timer = set(() => {
      live.delete(entry);
      fire();
    });
    return {
      stop() {
        live.delete(entry);
        timer.stop();
      },
    };
  };
  return {
    now: () => startedAt + (system.now() - startedAt) * speed,
    monotonic: () => system.monotonic() * speed,
    after: (ms, fire) => once((fired) => system.after(ms / speed, fired), fire),
    every(ms, fire) {
      const timer = system.every(ms / speed, fire);
      live.add(timer);
      return {
        stop() {
          live.delete(timer);
          timer.stop();
        },
      };
    },
    defer: (fire) => once(system.defer, fire),
    hold() {
      const timer = system.hold();
      live.add(timer);
      return {
        stop() {
          live.delete(timer);
          timer.stop();
        },
      };
    },
    pending: () => live.size,
  };
}
