// The arithmetic of the bench. Ratios are made within a pair, measured one right after the other, since machines change pace;
// then their median is taken.

/** The middle one, or the mean of the two in the middle. Throws when there is none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 1 ? middle : middle - 1];
  if (upper === undefined || lower === undefined) throw new Error("no value to take the median of");
  return (lower + upper) / 2;
}

/** The median of what stands in the same round: of/by. Throws when the rounds do not match. */
export function medianRatio(of: readonly number[], by: readonly number[]): number {
  return median(inPairs(of, by, (a, b) => a / b));
}

/** The median of what `of` is above `than` in the same round. */
export function medianDifference(of: readonly number[], than: readonly number[]): number {
  return median(inPairs(of, than, (a, b) => a - b));
}

function inPairs(
  of: readonly number[],
  by: readonly number[],
  combine: (a: number, b: number) => number,
): readonly number[] {
  if (of.length !== by.length) throw new Error(`${of.length} values cannot be paired with ${by.length}`);
  return of.map((a, round) => combine(a, by[round] ?? Number.NaN));
}

/** The items in an order that begins elsewhere in each round, so that none always follows the same one. */
export function rotated<T>(items: readonly T[], round: number): readonly T[] {
  const from = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}
