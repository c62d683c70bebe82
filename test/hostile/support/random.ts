// Randomness that a failed run can be repeated with: every number comes from one printed seed.

export interface Random {
  /** A whole number from 0 to `below` - 1. */
  int(below: number): number;
  /** One of a list that is not empty. */
  pick<T>(items: readonly T[]): T;
  bytes(count: number): Buffer;
}

/** The seed of this run; PI_A2A_HOSTILE_SEED repeats an earlier one. */
export const SEED = Number(process.env.PI_A2A_HOSTILE_SEED ?? Date.now() % 1_000_000);

/** The same seed and name always give the same numbers (mulberry32). */
export function createRandom(name: string, seed: number = SEED): Random {
  let state = seed;
  for (const char of name) state = Math.imul(state ^ char.charCodeAt(0), 0x01000193) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return {
    int,
    pick: (items) => items.slice(int(items.length))[0] as (typeof items)[number],
    bytes(count) {
      const bytes = Buffer.alloc(count);
      for (let at = 0; at < count; at++) bytes[at] = int(256);
      return bytes;
    },
  };
}
