// Owns which of many equal lines are written: the first few of a source, while the others are counted until the counts are taken.
// Holds a bounded number of sources, whoever sends how much.

/** Sources that are told apart; those beyond count as one, so that a caller with many addresses fills nothing. */
const MAX_SOURCES = 256;

/** What was counted of one source. */
export interface Counted<T> {
  /** The last one that was written, for what they all have in common. */
  readonly like: T;
  readonly count: number;
  /** `at` of the first one. */
  readonly since: number;
}

export interface Asking<T> {
  readonly source: string;
  /** How many of the source are let through. */
  readonly most: number;
  readonly line: T;
  readonly at: number;
}

export interface FloodGate<T> {
  /** True when this one is to be written, false when it was counted. */
  admit(asking: Asking<T>): boolean;
  /** The counts so far; from here on the first few are written again. */
  take(): readonly Counted<T>[];
}

interface Source<T> {
  readonly since: number;
  written: number;
  count: number;
  like: T;
}

export function createFloodGate<T>(maxSources = MAX_SOURCES): FloodGate<T> {
  let sources = new Map<string, Source<T>>();
  let others: Source<T> | undefined;

  const sourceOf = (name: string, like: T, since: number): Source<T> => {
    const known = sources.get(name);
    if (known !== undefined) return known;
    const fresh = { since, written: 0, count: 0, like };
    if (sources.size < maxSources) sources.set(name, fresh);
    else others ??= fresh;
    return others ?? fresh;
  };
  return {
    admit({ source: name, most, line, at }) {
      const source = sourceOf(name, line, at);
      if (source.written >= most) {
        source.count += 1;
        return false;
      }
      source.written += 1;
      source.like = line;
      return true;
    },
    take() {
      const counted = [...sources.values(), ...(others === undefined ? [] : [others])].filter(({ count }) => count > 0);
      sources = new Map();
      others = undefined;
      return counted.map(({ like, count, since }) => ({ like, count, since }));
    },
  };
}
