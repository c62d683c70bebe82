// Owns what belongs to a PEM block of a private key (RFC 7468): its first line, and which words after it are still the key. Such
// blocks come in JSON strings, on diff lines, with line numbers and colours; prose that only mentions the first line is left alone.

import { ALNUM, BASE64, isIn, LOWER, runEnd, UPPER, type Work } from "./chars.ts";

export const BLOCK_BEGIN = "-----BEGIN";
export const BLOCK_END = "-----END";
const MAX_LABEL = 64;
const PRIVATE = /PRIVATE KEY(?: BLOCK)?$/;
const HEADERS = new Set(["proc-type:", "dek-info:", "version:", "comment:", "hash:", "charset:", "messageid:"]);
/** Quotation marks, signs of diffs and comments, concatenation, line numbers. */
const DECORATION = "\"'+,;|>#*()\\-";
/** No word of a language is as long. */
const KEY_LINE = 20;

/** Base64 comes in groups of four. */
const SHORTEST_LINE = 4;

/** What `head`, which begins with BLOCK_BEGIN, becomes with one more letter. */
export function blockHead(head: string, letter: string): "more" | "private" | "other" {
  const label = head.slice(BLOCK_BEGIN.length);
  const dashes = label.length - label.replace(/-{1,5}$/, "").length;
  if (letter === "-") {
    if (dashes < 4) return label.length > MAX_LABEL ? "other" : "more";
    return PRIVATE.test(label.slice(0, -dashes)) ? "private" : "other";
  }
  if (dashes > 0 || label.length > MAX_LABEL) return "other";
  if (label === "") return letter === " " ? "more" : "other";
  return letter === " " || isIn(letter.charCodeAt(0), ALNUM & ~LOWER) ? "more" : "other";
}

/** Behind BLOCK_END: the rest of the last line is dropped up to its five dashes. */
export function blockTail(tail: string, letter: string): "more" | "end" | "other" {
  if (letter === "-") return tail.endsWith("----") ? "end" : "more";
  if (tail.length > MAX_LABEL || tail.endsWith("-")) return "other";
  return letter === " " || isIn(letter.charCodeAt(0), ALNUM & ~LOWER) ? "more" : "other";
}

/** Whether a word inside a block is part of the key, names a header whose line is part of it, may be either, or ends it. */
export function blockWord(word: string, work: Work): "key" | "header" | "decoration" | "text" {
  const from = colourEnd(word);
  let longest = 0;
  let letters = 0;
  let foreign = false;
  for (let at = from; at < word.length; ) {
    const end = runEnd(word, at, BASE64, word.length, work);
    const run = end - at - (isEscape(word, at) ? 1 : 0);
    longest = Math.max(longest, run);
    letters += run;
    if (end < word.length && !DECORATION.includes(word[end] ?? "")) foreign = true;
    at = end + 1;
  }
  if (longest >= KEY_LINE) return "key";
  if (
    HEADERS.has(
      word
        .slice(from)
        .replace(/^[-+>#*"']{1,3}/, "")
        .toLowerCase(),
    )
  )
    return "header";
  if (foreign) return "text";
  if (letters < SHORTEST_LINE) return "decoration";
  return isPlainWord(word, from, work) ? "text" : "key";
}

/** `\n` and `\r` as code spells them: the letter is no part of the key. */
function isEscape(word: string, at: number): boolean {
  return word[at - 1] === "\\" && "nr".includes(word[at] ?? " ");
}

/** Behind `[32m`, which is what a colour leaves of itself in a word. */
function colourEnd(word: string): number {
  return /^\[[0-9;]{0,12}[A-Za-z]/.exec(word)?.[0].length ?? 0;
}

/** `done`, `Done`, `DONE`, with punctuation; the last line of a key is seldom like that. */
function isPlainWord(word: string, from: number, work: Work): boolean {
  const small = runEnd(word, from, UPPER, word.length, work);
  const end = runEnd(word, small, LOWER, word.length, work);
  const capitals = small - from;
  const punctuation = word.length - end;
  if (end === from || punctuation > 1 || (punctuation === 1 && !",;)".includes(word[end] ?? ""))) return false;
  return capitals <= 1 || small === end;
}
