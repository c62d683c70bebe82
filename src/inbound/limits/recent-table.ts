// A table that keeps what was used last. Bounded, at a constant cost: when the young half is full it becomes the old half, and
// what was in that and was not used meanwhile is forgotten.

export interface RecentTable<T> {
  /** The thing of this key; made when there is none. The `keep` keys that were asked for last are always remembered. */
  get(key: string): T;
  /** Keys that are remembered; at most twice `keep`. */
  readonly size: number;
}

export function createRecentTable<T>(make: () => T, keep: number): RecentTable<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
      const thing = old.get(key) ?? make();
      old.delete(key);
      if (young.size >= keep) {
        old = young;
        young = new Map();
      }
      young.set(key, thing);
      return thing;
    },
    get size() {
      return young.size + old.size;
    },
  };
}
