// Owns whether a key begins at a place of a text: one of the families, or one of the shapes. Looks at a bounded number of letters
// unless there is a match, and then at its letters once.

import { ALNUM, isIn, looksRandom, runEnd, WORD, type Work } from "./chars.ts";
import { FAMILIES, type Family } from "./families.ts";
import { SHAPES } from "./shapes.ts";

export interface TokenMatch {
  readonly kind: string;
  /** Behind the last letter. */
  readonly end: number;
  /** What the key goes on with, when the text ends before the key does. */
  readonly body: number;
  /** Letters that keys of this kind have beyond this match; 0 when it is whole. */
  readonly missing: number;
}

/** A key that would be one if the text went on. */
export interface Beginning {
  readonly begins: true;
}

/** Of what may become a key, and of what is one by its shape. */
const SHORTEST = 6;
const SHORTEST_SHAPE = 20;

const BY_FIRST = indexByFirst();

/** Families that can begin with a letter, the longest prefix first. */
function indexByFirst(): ReadonlyMap<number, readonly (readonly [string, Family])[]> {
  const index = new Map<number, (readonly [string, Family])[]>();
  for (const family of FAMILIES) {
    for (const prefix of family.prefixes) {
      const code = prefix.charCodeAt(0);
      index.set(code, [...(index.get(code) ?? []), [prefix, family]]);
    }
  }
  for (const list of index.values()) list.sort(([a], [b]) => b.length - a.length);
  return index;
}

/** The key that begins at `at`; or that the text ends inside what may become one. Undefined is a final no. */
export function matchToken(text: string, at: number, work: Work): TokenMatch | Beginning | undefined {
  const left = text.length - at;
  if (left < SHORTEST || !isBoundary(text, at)) return undefined;
  const family = matchFamilies(text, at, work);
  if (left < SHORTEST_SHAPE || (family !== undefined && "kind" in family)) return family;
  return matchShapes(text, at, work) ?? family ?? beginsJwt(text, at, work);
}

function matchFamilies(text: string, at: number, work: Work): TokenMatch | Beginning | undefined {
  let begins: Beginning | undefined;
  for (const [prefix, family] of BY_FIRST.get(text.charCodeAt(at)) ?? []) {
    work.steps++;
    if (!text.startsWith(prefix, at)) continue;
    const match = matchFamily(text, at, prefix.length, family, work);
    if (match !== undefined && "kind" in match) return match;
    begins ??= match;
  }
  return begins;
}

function matchShapes(text: string, at: number, work: Work): TokenMatch | undefined {
  for (const { kind, body, usual, end: endOf } of SHAPES) {
    work.steps++;
    const end = endOf(text, at, work);
    if (end > at) return { kind, end, body, missing: end === text.length ? usual : 0 };
  }
  return undefined;
}

function matchFamily(text: string, at: number, skip: number, family: Family, work: Work) {
  const { kind, body, min, exact, weak, usual = 0 } = family;
  if (weak && isIn(text.charCodeAt(at - 1), WORD & ~ALNUM)) return undefined;
  const from = at + skip;
  const enough = runEnd(text, from, body, from + min, work);
  if (enough < from + min) {
    // Two letters of a key are a word, and not worth holding a line for.
    return enough === text.length && enough - from >= 4 && !weak ? ({ begins: true } as const) : undefined;
  }
  if (exact && isIn(text.charCodeAt(enough), body | ALNUM)) return undefined;
  if (weak && !looksRandom(text, from, enough + 16, work)) return undefined;
  const end = runEnd(text, enough, body, text.length, work);
  return { kind, end, body, missing: Math.max(0, usual - (end - at)) };
}

function beginsJwt(text: string, at: number, work: Work): Beginning | undefined {
  if (!text.startsWith("eyJ", at) || text.length - at < 20) return undefined;
  return runEnd(text, at, WORD, at + 1024, work) === text.length ? { begins: true } : undefined;
}

/**
 * Keys begin behind anything but a letter or digit, and behind letters that only spell a letter in code: `\n`, `\u0022`, `%3D`, and
 * the `32m` of a colour.
 */
function isBoundary(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (!isIn(before, ALNUM)) return true;
  if (at < 2) return false;
  if (text[at - 2] === "\\" && "nrtbfv0".includes(text[at - 1] ?? " ")) return true;
  if (text[at - 3] === "%" || text[at - 5] === "u" || text[at - 3] === "x" || before === 109) {
    return SPELLED.test(text.slice(Math.max(0, at - 6), at));
  }
  return false;
}

const SPELLED = /(?:%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|(?:^|[;[])[0-9]{1,3}m)$/i;
