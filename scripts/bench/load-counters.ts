// What counts under load: replies that are right, in the time that is measured, and events of streams.

import type { HttpLoad, HttpLoadResult } from "./load-types.ts";

/** Sizes of right replies differ by so much, for example by the digits of a number. */
const TOLERANCE = 16;

interface Counter {
  /** True when enough has come, or a wrong answer. */
  take(status: number, bytes: number): boolean;
  fail(why: string): void;
  wrong(): Error | undefined;
  result(): HttpLoadResult;
}

/** Of a time, the first reply after the warm-up starts the clock and does not count. */
export function createCounter(
  { url, warmMs, measureMs, amount, atMostMs, status, bytes }: HttpLoad,
  clock: () => number = () => performance.now(),
): Counter {
  const begun = clock();
  const result = { all: 0, counted: 0, ms: 0, bytes: 0 };
  let from = amount === undefined ? undefined : begun;
  let wrong: Error | undefined;
  const fail = (why: string): void => {
    wrong ??= new Error(why);
  };
  const isRight = (got: number, size: number): boolean =>
    got === status && (bytes === undefined || Math.abs(size - bytes) <= TOLERANCE);
  return {
    take(got, size) {
      result.all += 1;
      result.bytes = size;
      if (!isRight(got, size)) {
        fail(`${url} answered ${got} with ${size} bytes under load, where ${status} with ${bytes} is right`);
        return true;
      }
      const now = clock();
      if (from === undefined) {
        if (now >= begun + warmMs) from = now;
        return false;
      }
      const isOver = now >= from + (amount === undefined ? measureMs : (atMostMs ?? Number.POSITIVE_INFINITY));
      // A slow server is measured by one reply at least.
      if (isOver && result.counted > 0) return true;
      result.counted += 1;
      result.ms = now - from;
      return isOver;
    },
    fail,
    wrong: () => wrong ?? (result.counted === 0 ? new Error(`${url} did not answer under load`) : undefined),
    result: () => result,
  };
}

/** Counts events by the two line breaks at their ends, however they are cut into chunks. */
export function createEventCounter(): { take(chunk: Buffer): void; seen(): number } {
  let seen = 0;
  let afterBreak = false;
  return {
    take(chunk) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
        const isSecond = at === 0 ? afterBreak : chunk[at - 1] === 10;
        if (isSecond) seen += 1;
      }
      if (chunk.length > 0) afterBreak = chunk[chunk.length - 1] === 10;
    },
    seen: () => seen,
  };
}
