// Owns the one pool of slots that bounds how many runs there are at a time. It knows its holders, so it can neither go below
// zero nor lose a slot unseen.

export interface Slots<T> {
  /** False when all slots are taken. */
  take(holder: T): boolean;
  /** Hands the slot on without freeing it in between. */
  pass(from: T, to: T): void;
  free(holder: T): void;
  /** In the order in which they got their slot. */
  holders(): readonly T[];
}

export function createSlots<T>(size: () => number): Slots<T> {
  const holders = new Set<T>();
  return {
    take(holder) {
      if (holders.size >= size()) return false;
      holders.add(holder);
      return true;
    },
    pass(from, to) {
      if (holders.delete(from)) holders.add(to);
    },
    free: (holder) => void holders.delete(holder),
    holders: () => [...holders],
  };
}
