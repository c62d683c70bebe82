// Owns time: the one place that reads the clock and sets timers. Everything else takes a Clock, so tests can move it.

import type { StopSignal } from "./stop-signal.ts";

/** Node fires longer timers at once (32-bit milliseconds); longer waits are chained. */
const LONGEST_TIMER_MS = 2_147_483_647;

export interface Timer {
  /** Stops the timer; calling it twice, or after it fired, does nothing. */
  stop(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that never go back; for measuring durations. */
  monotonic(): number;
  /** Calls `fire` once after `ms` (any length); never keeps the process alive. */
  after(ms: number, fire: () => void): Timer;
  /** Calls `fire` every `ms`; never keeps the process alive. */
  every(ms: number, fire: () => void): Timer;
  /** Calls `fire` on a later turn of the event loop, after pending I/O. */
  defer(fire: () => void): Timer;
  /** Keeps the process alive until stopped: for work that somebody waits for while nothing but our timers is open. */
  hold(): Timer;
}

export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after,
    every(ms, fire) {
      const handle = setInterval(fire, Math.min(Math.max(1, ms), LONGEST_TIMER_MS));
      handle.unref();
      return { stop: () => clearInterval(handle) };
    },
    defer(fire) {
      const handle = setImmediate(fire);
      return { stop: () => clearImmediate(handle) };
    },
    hold() {
      const handle = setInterval(() => undefined, LONGEST_TIMER_MS);
      return { stop: () => clearInterval(handle) };
    },
  };
}

function after(ms: number, fire: () => void): Timer {
  if (ms > LONGEST_TIMER_MS) return afterLong(ms, fire);
  const handle = setTimeout(fire, Math.max(0, ms)).unref();
  return { stop: () => clearTimeout(handle) };
}

function afterLong(ms: number, fire: () => void): Timer {
  let handle: NodeJS.Timeout | undefined;
  const wait = (left: number): void => {
    const step = Math.min(left, LONGEST_TIMER_MS);
    handle = setTimeout(() => (left > step ? wait(left - step) : fire()), step);
    handle.unref();
  };
  wait(ms);
  return { stop: () => clearTimeout(handle) };
}

/** Resolves after `ms`, or at once when `signal` aborts (it never rejects; look at the signal afterwards). */
export function sleep(clock: Clock, ms: number, signal?: StopSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const done = (): void => {
      timer.stop();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.after(ms, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** True when `work` ended within `ms`, false when not: only the waiting ends, not the work. A failure of `work` is thrown on. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(false));
    work.then(() => resolve(true), reject).finally(() => timer.stop());
  });
}

/** Resolves on a later turn of the event loop: the rest of the process gets its turn. */
export function nextTurn(clock: Pick<Clock, "defer">): Promise<void> {
  return new Promise((resolve) => void clock.defer(resolve));
}

/** As isoTime; what happens at the same time gets the same text, which takes longer to make than anything else about a time. */
export function createIsoTimes(): (ms: number) => string {
  let last = Number.NaN;
  let text = "";
  return (ms) => {
    if (ms !== last) text = isoTime(ms);
    last = ms;
    return text;
  };
}

/** The last moment that a Date can name, in milliseconds since the epoch. */
const LAST_MOMENT = 8_640_000_000_000_000;

/** Whether it is a moment since the epoch, in whole milliseconds. */
export function isMoment(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= LAST_MOMENT;
}

/** ISO 8601 in UTC with milliseconds, as A2A 1.0 §5.6.1 wants timestamps. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
