// Owns which files of a journal are worth being written anew: those of which most does not matter any more, and many small ones.

import type { Segment } from "./segment.ts";

/** Less of a file matters than this share. */
const WASTE = 0.5;
/** Below this nothing is gained. */
const TINY_BYTES = 64 * 1024;
/** Each start leaves a file behind; so many small ones become one. */
const MANY = 8;

/** The files that one pass makes one file of; none when nothing is worth it. `limit` is the size of a full file. */
export function planCompaction(closed: readonly Segment[], limit: number): readonly Segment[] {
  const small = closed.filter(({ size }) => size < limit / MANY);
  const wasteful = closed.filter(({ size, keptBytes }) => size >= TINY_BYTES && keptBytes < size * WASTE);
  const worth = new Set(small.length >= MANY ? [...small, ...wasteful] : wasteful);
  const group: Segment[] = [];
  let bytes = 0;
  for (const segment of worth) {
    if (group.length > 0 && bytes + segment.keptBytes > limit) break;
    group.push(segment);
    bytes += segment.keptBytes;
  }
  return group;
}
