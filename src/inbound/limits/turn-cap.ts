// Owns how often one caller may start work in one context (DESIGN §10), so that two agents do not answer each other for ever. Each
// turn is forgotten after an hour. Contexts of one caller never push out those of another.

import type { Clock } from "../../core/platform/clock.ts";
import { createRecentTable, type RecentTable } from "./recent-table.ts";

const HOUR_MS = 3_600_000;
const CALLERS = 256;
const CONTEXTS_PER_CALLER = 2048;
const LONGEST_QUOTED_ID = 80;

export interface TurnCap {
  /** Counts a turn and returns the way to take that back; or says why there may be none. */
  take(ownerKey: string, contextId: string): { readonly undo: () => void } | { readonly refused: string };
}

/** `most` is asked for each turn. */
export function createTurnCap(clock: Clock, most: () => number): TurnCap {
  /** Of each context the times of its turns, oldest first; never more than the cap. */
  const callers = createRecentTable<RecentTable<number[]>>(
    () => createRecentTable<number[]>(() => [], CONTEXTS_PER_CALLER),
    CALLERS,
  );
  return {
    take(ownerKey, contextId) {
      const turns = callers.get(ownerKey).get(contextId);
      const now = clock.monotonic();
      while (turns[0] !== undefined && now - turns[0] >= HOUR_MS) turns.shift();
      const cap = most();
      const blocking = turns.at(-cap);
      if (blocking !== undefined) return { refused: refusal(contextId, cap, HOUR_MS - (now - blocking)) };
      turns.push(now);
      return {
        undo() {
          const at = turns.lastIndexOf(now);
          if (at !== -1) turns.splice(at, 1);
        },
      };
    },
  };
}

function refusal(contextId: string, cap: number, waitMs: number): string {
  const shown = contextId.slice(0, LONGEST_QUOTED_ID);
  const minutes = Math.ceil(waitMs / 60_000);
  return `Anti-loop protection: context ${shown} exceeded ${cap} turns within an hour. If this is no loop, go on in a new context, or wait ${minutes} min; the operator of this agent can raise a2a.server.maxPingpongTurns.`;
}
