// A table of small things that are worth nothing once they were not used for a while. Bounded: when it is full, new keys share one
// thing, so that a flood of keys can neither fill the memory nor push out what is known of others. No timers.

export interface FadingTable<T> {
  /** The thing of this key; made when there is none. Things that were not asked for in `idleMs` are forgotten before twice that. */
  get(key: string, nowMs: number): T;
  /** Keys that are remembered. */
  readonly size: number;
}

/** Holds `maxKeys` young things and as many old ones at most. */
export function createFadingTable<T>(make: () => T, idleMs: number, maxKeys: number): FadingTable<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let since = 0;
  let shared: T | undefined;

  const age = (nowMs: number): void => {
    if (nowMs - since < idleMs) return;
    old = nowMs - since < 2 * idleMs ? young : new Map();
    young = new Map();
    since = nowMs;
  };
  return {
    get(key, nowMs) {
      age(nowMs);
      const known = young.get(key);
      if (known !== undefined) return known;
      const before = old.get(key);
      // A thing that has no room among the young is used where it is, until it fades.
      if (before !== undefined && young.size >= maxKeys) return before;
      if (young.size >= maxKeys) {
        shared ??= make();
        return shared;
      }
      const thing = before ?? make();
      old.delete(key);
      young.set(key, thing);
      return thing;
    },
    get size() {
      return young.size + old.size;
    },
  };
}
