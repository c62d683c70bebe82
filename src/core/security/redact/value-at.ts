// Owns the value behind an announcing name: where it begins and ends, in quotation marks of any depth or without.

import type { Work } from "./chars.ts";
import type { Asked } from "./names.ts";
import type { Drop, ScanState } from "./scan-state.ts";
import { matchToken } from "./token-match.ts";
import { isSecretValue, withoutPunctuation } from "./values.ts";

const QUOTES = "\"'`";
const MAX_SLASHES = 16;
/** The end of a quoted value is looked for so far ahead. */
const MAX_QUOTED = 1024;
/** A value without quotation marks is judged by its first letters. */
const JUDGED = 128;
/** What is dropped of a value that has no end. */
const MAX_DROPPED = 4096;
const STOPS = "\"'`<>&\\,;)}]|";
const STOPS_OF_ENVIRONMENT = "\"'`<>\\";
/** Before a value, and no part of it: more signs, brackets, the letter of a Python string. */
const BEFORE = ":=>([";
const STRING_LETTERS = "bBrRuUfF@";
/** `Authorization: <scheme> <value>` */
const TYPE = /^[A-Za-z_][A-Za-z0-9_.]*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9-]{0,30}$/;

export interface Value {
  readonly from: number;
  readonly to: number;
  readonly what: Asked["what"];
  /** How it goes on when it reaches the end of the text. */
  readonly drop: Drop;
  /** It surely goes on, although the text ends here. */
  readonly open: boolean;
}

/** The secret that begins at `at`, where one was asked for; settles what is asked for next. */
export function valueAt(text: string, at: number, state: ScanState): Value | undefined {
  const { asked } = state;
  if (asked === undefined) return undefined;
  if (asked.what === "login") {
    // `user:password`: the value begins behind the colon, and the user is a text like any.
    if (text[at] === ":" && at + 1 < text.length) state.asked = { what: "password", environment: false };
    return undefined;
  }
  const quoted = openingQuote(text, at);
  if (quoted !== undefined) {
    state.asked = undefined;
    return quotedValue(text, quoted, asked, state);
  }
  const letter = text[at] ?? "";
  if (BEFORE.includes(letter) || letter === "\\") return undefined;
  if (STRING_LETTERS.includes(letter) && QUOTES.includes(text[at + 1] ?? " ")) return undefined;
  state.asked = undefined;
  return bareValue(text, at, asked, state);
}

interface Opening {
  readonly quote: string;
  readonly slashes: number;
  readonly from: number;
}

/** A quotation mark, with the backslashes that strings inside strings bring. */
function openingQuote(text: string, at: number): Opening | undefined {
  let mark = at;
  while (text[mark] === "\\" && mark - at < MAX_SLASHES) mark++;
  const quote = text[mark] ?? "";
  if (quote === "" || !QUOTES.includes(quote)) return undefined;
  return { quote, slashes: mark - at, from: mark + 1 };
}

function quotedValue(text: string, opening: Opening, asked: Asked, state: ScanState): Value | undefined {
  const { work } = state;
  const { quote, slashes, from } = opening;
  const { to, closed } = closingQuote(text, from, opening, MAX_QUOTED, work);
  if (to === from || isToken(text, from, work)) return undefined;
  const value = text.slice(from, to);
  if (!isSecretValue(asked, value, true, closed)) {
    if (asked.what === "authorization" && !closed && SCHEME.test(value)) state.next = schemeValue(value);
    return undefined;
  }
  const drop = { until: "quote", quote, slashes, left: MAX_DROPPED } as const;
  return { from, to: closed ? to : text.length, what: asked.what, drop, open: !closed };
}

/** Its own kind says more. */
function isToken(text: string, at: number, work: Work): boolean {
  const token = matchToken(text, at, work);
  return token !== undefined && "kind" in token;
}

/** Where the string ends that was opened behind `slashes` backslashes; at most `max` letters are looked at. */
export function closingQuote(
  text: string,
  from: number,
  { quote, slashes }: Pick<Opening, "quote" | "slashes">,
  max: number,
  work: Work,
): { readonly to: number; readonly closed: boolean } {
  const stop = Math.min(text.length, from + max);
  let run = 0;
  let at = from;
  for (; at < stop; at++) {
    if (text[at] === "\\") run++;
    else if (text[at] === quote && run <= slashes) break;
    else run = 0;
  }
  work.steps += at - from + 1;
  const closed = at < stop;
  return { to: closed ? at - run : at, closed };
}

function bareValue(text: string, from: number, asked: Asked, state: ScanState): Value | undefined {
  const stops = asked.environment ? STOPS_OF_ENVIRONMENT : STOPS;
  const near = bareEnd(text, from, from + JUDGED, stops, state.work);
  const value = text.slice(from, near);
  if (near === from || isToken(text, from, state.work)) return undefined;
  if (isSecretValue(asked, value, false, false)) {
    const end = bareEnd(text, near, text.length, stops, state.work);
    // The end of a sentence, unless the value goes on.
    const to = state.final || end < text.length ? from + withoutPunctuation(text.slice(from, end)).length : end;
    return { from, to, what: asked.what, drop: { until: "blank" }, open: false };
  }
  settleNext(value, near === text.length, asked, state);
  return undefined;
}

function bareEnd(text: string, from: number, max: number, stops: string, work: Work): number {
  const stop = Math.min(text.length, max);
  let end = from;
  while (end < stop && !stops.includes(text[end] ?? "")) end++;
  work.steps += end - from + 1;
  return end;
}

/** No secret, but perhaps what announces one: a scheme, or a type. */
function settleNext(value: string, ends: boolean, asked: Asked, state: ScanState): void {
  if (asked.what === "authorization" && ends && SCHEME.test(value)) {
    state.next = schemeValue(value);
  } else if (asked.what !== "bearer" && TYPE.test(value)) state.typed = asked;
}

function schemeValue(scheme: string): Asked {
  return { what: scheme.toLowerCase() === "basic" ? "basic" : "bearer", environment: false };
}
