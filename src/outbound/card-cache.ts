// Owns how long a card is believed: as its Cache-Control says, at most some minutes. Bounded; lives as long as its client.

import type { Clock } from "../core/platform/clock.ts";
import type { AgentCard } from "../core/protocol/types.ts";

const MOST_CARDS = 100;
const LONGEST_MS = 300_000;
const UNSTATED_MS = 60_000;

export interface FoundCard {
  readonly card: AgentCard;
  readonly cardUrl: string;
  readonly etag?: string;
  /** Fields of the card that were passed over, some of them at least. */
  readonly warnings: readonly string[];
}

export interface CardCache {
  get(key: string): { readonly found: FoundCard; readonly fresh: boolean } | undefined;
  put(key: string, found: FoundCard, cacheControl: string | undefined): void;
  forget(key: string): void;
}

export function createCardCache(clock: Clock): CardCache {
  const cards = new Map<string, { readonly found: FoundCard; readonly freshUntil: number }>();
  return {
    get(key) {
      const entry = cards.get(key);
      if (entry === undefined) return undefined;
      return { found: entry.found, fresh: clock.monotonic() < entry.freshUntil };
    },
    put(key, found, cacheControl) {
      cards.delete(key);
      cards.set(key, { found, freshUntil: clock.monotonic() + freshForMs(cacheControl) });
      const [oldest] = cards.keys();
      if (cards.size > MOST_CARDS && oldest !== undefined) cards.delete(oldest);
    },
    forget: (key) => {
      cards.delete(key);
    },
  };
}

/** Milliseconds for which a card with this header is used without asking again. */
export function freshForMs(cacheControl: string | undefined): number {
  if (cacheControl === undefined) return UNSTATED_MS;
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0;
  const seconds = /\bmax-age\s*=\s*"?(\d{1,12})/i.exec(cacheControl)?.[1];
  return seconds === undefined ? UNSTATED_MS : Math.min(Number(seconds) * 1000, LONGEST_MS);
}
