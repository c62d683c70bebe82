// How much of a conversation survives a compaction. Pi's fixed numbers are made for large models: with a window of 16,000
// tokens they keep more than fits, and the compaction that should save a long task ends it instead.

/** Pi's own numbers; larger ones only cost money. */
const MOST_RESERVED = 16_384;
const MOST_KEPT = 20_000;

export interface CompactionSettings {
  readonly enabled: true;
  /** Tokens left free for the next answer; less free space than this starts a compaction. */
  readonly reserveTokens: number;
  /** Tokens of recent conversation that stay as they are. */
  readonly keepRecentTokens: number;
}

/** Compaction settings for a model with this many tokens of context; an unknown size (0, NaN) gets Pi's own numbers. */
export function compactionFor(contextWindow: number): CompactionSettings {
  const window = contextWindow > 0 ? contextWindow : Number.POSITIVE_INFINITY;
  return {
    enabled: true,
    reserveTokens: Math.min(MOST_RESERVED, Math.floor(window / 8)),
    keepRecentTokens: Math.min(MOST_KEPT, Math.floor(window / 6)),
  };
}
