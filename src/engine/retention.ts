// Owns which finished tasks stay in memory: bounded by count and by bytes, the oldest of the largest owner goes first, so one
// caller's many tasks never push out another's few. Evicts in blocks: one by one from the front of a Map halves the throughput.

export interface Finished<T> {
  readonly item: T;
  readonly bytes: number;
}

export interface RetentionLimits {
  readonly maxItems: number;
  readonly maxBytes: number;
}

export interface Retention<T> {
  /** Keeps `item` as the newest of its owner, and returns those that must go; never `item` itself. */
  add(ownerKey: string, finished: Finished<T>, limits: RetentionLimits): readonly T[];
  readonly count: number;
  readonly bytes: number;
}

/** After an eviction this share of the limit is left, so the next one is a block away. */
const KEPT_SHARE = 0.9;

interface Owner<T> {
  readonly key: string;
  /** Oldest first, from `head` on. */
  items: Finished<T>[];
  head: number;
  bytes: number;
}

type Measure = <T>(owner: Owner<T>) => number;
const countOf: Measure = (owner) => owner.items.length - owner.head;
const bytesOf: Measure = (owner) => owner.bytes;

export function createRetention<T>(): Retention<T> {
  const owners = new Map<string, Owner<T>>();
  let count = 0;
  let bytes = 0;
  return {
    add(ownerKey, finished, limits) {
      const owner = owners.get(ownerKey) ?? { key: ownerKey, items: [], head: 0, bytes: 0 };
      owners.set(ownerKey, owner);
      owner.items.push(finished);
      owner.bytes += finished.bytes;
      count += 1;
      bytes += finished.bytes;
      const drop = (old: Finished<T>): T => {
        count -= 1;
        bytes -= old.bytes;
        return old.item;
      };
      const surplus = evict(owners, countOf, count - keep(count, limits.maxItems), owner).map(drop);
      return [...surplus, ...evict(owners, bytesOf, bytes - keep(bytes, limits.maxBytes), owner).map(drop)];
    },
    get count() {
      return count;
    },
    get bytes() {
      return bytes;
    },
  };
}

function keep(total: number, limit: number): number {
  return total > limit ? Math.floor(limit * KEPT_SHARE) : total;
}

/** Takes at least `excess` of `measure` from the largest owners, and spares the newest item of `spared`. */
function evict<T>(owners: Map<string, Owner<T>>, measure: Measure, excess: number, spared: Owner<T>): Finished<T>[] {
  const gone: Finished<T>[] = [];
  let left = excess;
  while (left > 0) {
    const [largest, next] = twoLargest(owners, measure, spared);
    if (largest === undefined) break;
    const level = next === undefined ? 0 : measure(next);
    do {
      const before = measure(largest);
      gone.push(...takeOldest(largest));
      left -= before - measure(largest);
    } while (left > 0 && measure(largest) > level && canGive(largest, spared));
    compact(owners, largest);
  }
  return gone;
}

function canGive<T>(owner: Owner<T>, spared: Owner<T>): boolean {
  return countOf(owner) > (owner === spared ? 1 : 0);
}

function twoLargest<T>(owners: Map<string, Owner<T>>, measure: Measure, spared: Owner<T>): Owner<T>[] {
  let first: Owner<T> | undefined;
  let second: Owner<T> | undefined;
  for (const owner of owners.values()) {
    if (!canGive(owner, spared)) continue;
    if (first === undefined || measure(owner) > measure(first)) [first, second] = [owner, first];
    else if (second === undefined || measure(owner) > measure(second)) second = owner;
  }
  return [first, second].filter((owner) => owner !== undefined);
}

function takeOldest<T>(owner: Owner<T>): Finished<T>[] {
  const oldest = owner.items[owner.head];
  if (oldest === undefined) return [];
  owner.head += 1;
  owner.bytes -= oldest.bytes;
  return [oldest];
}

function compact<T>(owners: Map<string, Owner<T>>, owner: Owner<T>): void {
  if (owner.head * 2 < owner.items.length) return;
  owner.items = owner.items.slice(owner.head);
  owner.head = 0;
  if (owner.items.length === 0) owners.delete(owner.key);
}
