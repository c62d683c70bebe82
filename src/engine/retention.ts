// Owns which finished tasks stay: bounded by count and by bytes, the oldest of the largest owner goes first, so one
// caller's many tasks never push out another's few. Evicts in blocks: one by one from the front of a Map halves the throughput.

/** What a bound has to know of an item. */
export interface Retained {
  readonly ownerKey: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly body: { readonly bytes: number };
}

export interface RetentionLimits {
  readonly maxItems: number;
  readonly maxBytes: number;
}

export interface Retention<T extends Retained> {
  /** Keeps `item` as the newest of its owner, and returns those that must go; never `item` itself. */
  add(item: T, limits: RetentionLimits): readonly T[];
  /** Those from before this moment, which go. */
  takeOlder(moment: number): readonly T[];
  readonly count: number;
  readonly bytes: number;
}

/** After an eviction this share of the limit is left, so the next one is a block away. */
const KEPT_SHARE = 0.9;

interface Owner<T extends Retained> {
  readonly key: string;
  /** Oldest first, from `head` on. */
  items: T[];
  head: number;
  bytes: number;
  /** None of them is older. */
  notBefore: number;
}

type Measure = <T extends Retained>(owner: Owner<T>) => number;
const countOf: Measure = (owner) => owner.items.length - owner.head;
const bytesOf: Measure = (owner) => owner.bytes;

export function createRetention<T extends Retained>(): Retention<T> {
  const owners = new Map<string, Owner<T>>();
  let count = 0;
  let bytes = 0;
  const drop = (old: T): T => {
    count -= 1;
    bytes -= old.body.bytes;
    return old;
  };
  return {
    add(item, limits) {
      const owner = owners.get(item.ownerKey) ?? {
        key: item.ownerKey,
        items: [],
        head: 0,
        bytes: 0,
        notBefore: item.at,
      };
      owners.set(item.ownerKey, owner);
      owner.items.push(item);
      owner.bytes += item.body.bytes;
      owner.notBefore = Math.min(owner.notBefore, item.at);
      count += 1;
      bytes += item.body.bytes;
      const surplus = evict(owners, countOf, count - keep(count, limits.maxItems), owner).map(drop);
      return [...surplus, ...evict(owners, bytesOf, bytes - keep(bytes, limits.maxBytes), owner).map(drop)];
    },
    takeOlder(moment) {
      const gone: T[] = [];
      for (const owner of owners.values()) {
        if (owner.notBefore < moment) for (const old of takeBefore(owners, owner, moment)) gone.push(old);
      }
      return gone.map(drop);
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
function evict<T extends Retained>(
  owners: Map<string, Owner<T>>,
  measure: Measure,
  excess: number,
  spared: Owner<T>,
): T[] {
  const gone: T[] = [];
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

function canGive<T extends Retained>(owner: Owner<T>, spared: Owner<T>): boolean {
  return countOf(owner) > (owner === spared ? 1 : 0);
}

function twoLargest<T extends Retained>(owners: Map<string, Owner<T>>, measure: Measure, spared: Owner<T>): Owner<T>[] {
  let first: Owner<T> | undefined;
  let second: Owner<T> | undefined;
  for (const owner of owners.values()) {
    if (!canGive(owner, spared)) continue;
    if (first === undefined || measure(owner) > measure(first)) [first, second] = [owner, first];
    else if (second === undefined || measure(owner) > measure(second)) second = owner;
  }
  return [first, second].filter((owner) => owner !== undefined);
}

function takeOldest<T extends Retained>(owner: Owner<T>): T[] {
  const oldest = owner.items[owner.head];
  if (oldest === undefined) return [];
  owner.head += 1;
  owner.bytes -= oldest.body.bytes;
  return [oldest];
}

/** Not all of them stand in the order of their ends: clocks are set back. */
function takeBefore<T extends Retained>(owners: Map<string, Owner<T>>, owner: Owner<T>, moment: number): T[] {
  const gone: T[] = [];
  const left: T[] = [];
  let notBefore = Number.POSITIVE_INFINITY;
  for (const item of owner.items.slice(owner.head)) {
    if (item.at < moment) {
      gone.push(item);
      owner.bytes -= item.body.bytes;
      continue;
    }
    left.push(item);
    notBefore = Math.min(notBefore, item.at);
  }
  Object.assign(owner, { items: left, head: 0, notBefore });
  if (left.length === 0) owners.delete(owner.key);
  return gone;
}

function compact<T extends Retained>(owners: Map<string, Owner<T>>, owner: Owner<T>): void {
  if (owner.head * 2 < owner.items.length) return;
  owner.items = owner.items.slice(owner.head);
  owner.head = 0;
  if (owner.items.length === 0) owners.delete(owner.key);
}
