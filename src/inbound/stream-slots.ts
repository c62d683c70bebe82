// Counts the open streams of each caller.

import { A2aError } from "../core/platform/errors.ts";

export const MAX_STREAMS = 16;
const RETRY_AFTER_SEC = 5;

export interface StreamSlots {
  /** Takes a slot and returns the way to give it back (once; later calls do nothing). Throws RATE_LIMITED. */
  take(callerKey: string): () => void;
}

export function createStreamSlots(max = MAX_STREAMS): StreamSlots {
  const counts = new Map<string, number>();
  const change = (key: string, by: number): void => {
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return {
    take(key) {
      if ((counts.get(key) ?? 0) >= max) {
        throw new A2aError("RATE_LIMITED", `this caller has ${max} streams open, which is the most allowed`, {
          hint: "Close a stream first, or poll with GetTask.",
          retryAfterSec: RETRY_AFTER_SEC,
        });
      }
      change(key, 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        change(key, -1);
      };
    },
  };
}
