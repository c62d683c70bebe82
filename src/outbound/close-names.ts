// Owns suggestions for a mistyped name. Pure.

const MOST = 3;
const LONGEST = 64;

/** Known names that one typing slip or two lead to, or that begin with what was typed; the closest first. */
export function closeNames(typed: string, known: readonly string[]): readonly string[] {
  const wanted = typed.toLowerCase().slice(0, LONGEST);
  if (wanted === "") return [];
  const allowed = wanted.length < 4 ? 1 : 2;
  return known
    .map((name) => ({ name, far: distance(wanted, name.toLowerCase().slice(0, LONGEST)) }))
    .filter(({ name, far }) => far <= allowed || (wanted.length >= 3 && name.toLowerCase().startsWith(wanted)))
    .sort((one, other) => one.far - other.far)
    .slice(0, MOST)
    .map(({ name }) => name);
}

/** Levenshtein distance: letters to insert, delete or replace. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
