// Owns the counts of outbound calls that /a2a-status shows.

import type { Clock } from "../core/platform/clock.ts";
import type { OutboundStats } from "./client-types.ts";

export interface StatsCounter {
  /** Runs one call and counts how it ended; failed, rejected and canceled tasks are answers too. */
  count<T>(call: () => Promise<T>): Promise<T>;
  now(): OutboundStats;
}

export function createOutboundStats(clock: Clock): StatsCounter {
  let sent = 0;
  let replies = 0;
  let failed = 0;
  let totalMs = 0;
  return {
    async count(call) {
      const began = clock.monotonic();
      sent += 1;
      try {
        const result = await call();
        replies += 1;
        totalMs += clock.monotonic() - began;
        return result;
      } catch (error) {
        failed += 1;
        throw error;
      }
    },
    now: () => ({ sent, replies, failed, meanMs: replies === 0 ? 0 : totalMs / replies }),
  };
}
