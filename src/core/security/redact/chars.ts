// Owns the classes of letters that secrets are made of, and runs of them. A mask is a sum of the bits below.

export const UPPER = 1;
export const LOWER = 2;
export const DIGIT = 4;
const DASH = 8;
const UNDERSCORE = 16;
const DOT = 32;
const PLUS = 64;
const SLASH = 128;
const EQUALS = 256;
const PERCENT = 512;
const TILDE = 1024;
/** 0-9 and a-f, beside the bits of digits and small letters. */
export const HEX = 2048;

export const LETTER = UPPER | LOWER;
export const ALNUM = LETTER | DIGIT;
/** base64url. */
export const WORD = ALNUM | DASH | UNDERSCORE;
/** Names of variables, settings and headers too. */
export const DOTTED = WORD | DOT;
export const BASE64 = ALNUM | PLUS | SLASH | EQUALS;
export const TILDED = DOTTED | TILDE;
export const PATH = WORD | SLASH;
export const LOCAL_PART = DOTTED | PERCENT | PLUS;
export const HOST = ALNUM | DASH | DOT;

const BITS = classify();

function classify(): Uint16Array {
  const bits = new Uint16Array(128);
  const add = (letters: string, bit: number): void => {
    for (const letter of letters) bits[letter.charCodeAt(0)] = (bits[letter.charCodeAt(0)] ?? 0) | bit;
  };
  add("ABCDEFGHIJKLMNOPQRSTUVWXYZ", UPPER);
  add("abcdefghijklmnopqrstuvwxyz", LOWER);
  add("0123456789", DIGIT);
  add("0123456789abcdef", HEX);
  for (const [letter, bit] of Object.entries({
    "-": DASH,
    _: UNDERSCORE,
    ".": DOT,
    "+": PLUS,
    "/": SLASH,
    "=": EQUALS,
    "%": PERCENT,
    "~": TILDE,
  })) {
    add(letter, bit);
  }
  return bits;
}

/** Counts looks at letters, so that a test can show that they grow with the text and no faster. */
export interface Work {
  steps: number;
}

export function isIn(code: number, mask: number): boolean {
  return code < 128 && ((BITS[code] ?? 0) & mask) !== 0;
}

/** End of the run of letters of `mask` that begins at `from`; looks at most up to `end`. NaN past the text is in no class. */
export function runEnd(text: string, from: number, mask: number, end: number, work: Work): number {
  const stop = Math.min(end, text.length);
  let at = from;
  while (at < stop && isIn(text.charCodeAt(at), mask)) at++;
  work.steps += at - from + 1;
  return at;
}

/** Start of the run of letters of `mask` that ends before `to`; looks at most back to `start`. */
export function runStart(text: string, to: number, mask: number, start: number, work: Work): number {
  let at = to;
  while (at > start && isIn(text.charCodeAt(at - 1), mask)) at--;
  work.steps += to - at + 1;
  return at;
}

/**
 * Whether the letters from `from` to `to` (at most 64 are looked at) read like chance: eight letters and digits in a row with
 * both among them, or 32 in a row. Words joined by hyphens do not.
 */
export function looksRandom(text: string, from: number, to: number, work: Work): boolean {
  const stop = Math.min(to, from + 64);
  let at = from;
  while (at < stop) {
    const end = runEnd(text, at, ALNUM, stop, work);
    if (end - at >= 32 || (end - at >= 8 && isMixed(text, at, end, work))) return true;
    at = end + 1;
  }
  return false;
}

function isMixed(text: string, from: number, to: number, work: Work): boolean {
  const digits = runEnd(text, from, DIGIT, to, work);
  const letters = runEnd(text, from, LETTER, to, work);
  return digits < to && letters < to;
}
