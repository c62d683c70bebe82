// Owns going through very many things without holding up everybody else: after so many of them others have their turn.

import { type Clock, nextTurn } from "../core/platform/clock.ts";

/** What one turn of the event loop takes of these is a few milliseconds. */
const SLICE = 2_000;
const RUN = 10_000;

/** `act` sees each item once, in order. */
export async function eachInSlices<T>(clock: Clock, items: Iterable<T>, act: (item: T) => void): Promise<void> {
  let count = 0;
  for (const item of items) {
    act(item);
    if (++count % SLICE === 0) await nextTurn(clock);
  }
}

/** A sorted copy; parts that are in order already cost little. */
export async function sortInSlices<T>(
  clock: Clock,
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Promise<readonly T[]> {
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare));
    await nextTurn(clock);
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(await mergeTwo(clock, runs[at] ?? [], runs[at + 1], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergeTwo<T>(clock: Clock, a: T[], b: T[] | undefined, compare: (a: T, b: T) => number): Promise<T[]> {
  const [last, first] = [a.at(-1), b?.[0]];
  if (b === undefined || last === undefined || first === undefined) return a;
  await nextTurn(clock);
  if (compare(last, first) <= 0) return a.concat(b);
  const merged: T[] = [];
  let [i, j] = [0, 0];
  for (;;) {
    const [x, y] = [a[i], b[j]];
    if (x === undefined || y === undefined) return merged.concat(a.slice(i), b.slice(j));
    if (compare(x, y) <= 0) {
      merged.push(x);
      i += 1;
    } else {
      merged.push(y);
      j += 1;
    }
    if (merged.length % RUN === 0) await nextTurn(clock);
  }
}
