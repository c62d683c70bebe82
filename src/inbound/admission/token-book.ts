// Finds whose token was presented, in a time that depends neither on which token it is nor on how much of it is right: both
// sides are hashed, and every known token is compared, also after a match.

import { createHash, timingSafeEqual } from "node:crypto";
import type { KnownToken } from "./admission-types.ts";

export interface TokenBook {
  readonly size: number;
  /** The first known token that equals the presented one. */
  find(presented: string): KnownToken | undefined;
}

/** `equal` compares two digests of the same length in constant time. */
export function createTokenBook(known: readonly KnownToken[], equal = timingSafeEqual): TokenBook {
  const entries = known.filter(({ token }) => token !== "").map((entry) => ({ entry, digest: digestOf(entry.token) }));
  return {
    size: entries.length,
    find(presented) {
      const digest = digestOf(presented);
      let found: KnownToken | undefined;
      for (const candidate of entries) {
        const matches = equal(candidate.digest, digest);
        found = matches && found === undefined ? candidate.entry : found;
      }
      return found;
    },
  };
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
