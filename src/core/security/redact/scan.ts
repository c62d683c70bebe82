// Owns the walk through one word (a run without blanks): at each place the one secret that may begin there, and what its signs say
// about the things that follow. Decides by the text alone, so it does not matter how a stream cuts it.

import { ALNUM, DOTTED, isIn, LOCAL_PART, looksRandom, runEnd, runStart } from "./chars.ts";
import { mailEnd } from "./mail.ts";
import { type Announced, type Asked, announcedBy } from "./names.ts";
import type { Drop, ScanState } from "./scan-state.ts";
import { matchToken } from "./token-match.ts";
import { urlSecret } from "./url-login.ts";
import { closingQuote, valueAt } from "./value-at.ts";

/** No decision needs more letters than these behind a place. */
const LOOKAHEAD = 1280;
/** No decision needs more letters than these before a place. */
export const LOOKBEHIND = 96;

interface Hit {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
  readonly drop: Drop;
  /** Goes on behind the end of the word. */
  readonly open?: boolean;
  readonly more?: ScanState["more"];
}

export interface Scanned {
  readonly out: string;
  /** The end of the word when it may be the beginning of a key that goes on in the next line; else "". */
  readonly tail: string;
  /** Letters that need no second look. */
  readonly consumed: number;
}

const KINDS: Readonly<Record<Announced, string>> = {
  password: "password",
  login: "password",
  secret: "secret",
  key: "secret",
  authorization: "access token",
  bearer: "access token",
  basic: "login",
  signature: "url signature",
};

/** `text` up to `from` is known and only looked back at. Unless the word is `final`, its last LOOKAHEAD letters stay undecided. */
export function scanWord(text: string, from: number, state: ScanState): Scanned {
  const limit = state.final ? text.length : text.length - LOOKAHEAD;
  state.spelled = SPELLING.test(text);
  const signs = { next: -1 };
  let at = goOn(text, from, state);
  let copied = at;
  let out = "";
  let partial: number | undefined;
  while (at < limit) {
    const hit = hitAt(text, at, signs, state);
    if (hit === "begins") partial ??= at;
    if (hit === undefined || hit === "begins") {
      at = nextPlace(text, at, state);
      continue;
    }
    out += text.slice(copied, hit.from) + state.replace(hit.kind);
    endHit(text, at, hit, state);
    copied = hit.to;
    at = hit.to;
    partial = undefined;
  }
  if (state.final) endWord(text, state);
  // A run of letters may have led beyond the limit.
  const end = state.final ? text.length : Math.max(copied, Math.min(at, limit));
  const split = partial ?? end;
  return { out: out + text.slice(copied, split), tail: text.slice(split, end), consumed: end };
}

function endHit(text: string, at: number, hit: Hit, state: ScanState): void {
  // The opening one of a value was passed over.
  if (text[at] === "`") state.lines.backtick();
  const ends = hit.to === text.length;
  state.more = ends ? hit.more : undefined;
  if (hit.open === true || (ends && !state.final)) state.drop = hit.drop;
}

/** Nothing begins inside a run of letters and digits, unless code may spell a sign with letters in it. */
function nextPlace(text: string, at: number, { spelled, asked, work }: ScanState): number {
  if (spelled || asked !== undefined || !isIn(text.charCodeAt(at), ALNUM)) return at + 1;
  return runEnd(text, at, ALNUM, text.length, work);
}

/** Signs of letters that are spelled: `\n`, `%3D`, the bracket of a colour. */
const SPELLING = /[\\%[]/;

/** Behind what belongs to a secret that began before this word. */
function goOn(text: string, from: number, state: ScanState): number {
  const { drop, more, work } = state;
  state.more = undefined;
  if (drop !== undefined) return dropFrom(text, from, drop, state);
  if (more === undefined || !state.final) return from;
  const end = runEnd(text, from, more.body, text.length, work);
  if (end - from < 8 || (end < text.length && !"\"'`,;)".includes(text[end] ?? ""))) return from;
  if (!looksRandom(text, from, end, work) || ID.test(text.slice(from, from + 80))) return from;
  if (end === text.length && more.left > end - from) state.more = { body: more.body, left: more.left - (end - from) };
  return end;
}

/** Ids and digests that may well stand in the line below a key. */
const ID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-|[a-z][a-z0-9]{1,9}-[0-9a-f]{16}$|[0-9a-f]{32,64}$)/i;

function dropFrom(text: string, from: number, drop: Drop, state: ScanState): number {
  const { to, closed } = endOfDrop(text, from, drop, state);
  if (closed) state.drop = undefined;
  else if (drop.until === "quote" && drop.left <= to - from) {
    // Without an end it goes on to the next blank at most.
    return dropFrom(text, to, { until: "blank" }, state);
  } else state.drop = drop.until === "quote" ? { ...drop, left: drop.left - (to - from) } : drop;
  return to;
}

function endOfDrop(text: string, from: number, drop: Drop, { work }: ScanState) {
  if (drop.until === "quote") return closingQuote(text, from, drop, drop.left, work);
  let to = from;
  if (drop.until === "other") to = runEnd(text, from, drop.body, text.length, work);
  else {
    while (to < text.length && !"\"'`<>\\".includes(text[to] ?? "")) to++;
    work.steps += to - from + 1;
  }
  return { to, closed: to < text.length };
}

function hitAt(text: string, at: number, signs: { next: number }, state: ScanState): Hit | "begins" | undefined {
  state.work.steps++;
  const value = valueAt(text, at, state);
  if (value !== undefined) {
    const { from, to, what, drop, open } = value;
    return { from, to, kind: KINDS[what], drop, open };
  }
  const code = text.charCodeAt(at);
  if (!isIn(code, LOCAL_PART)) return signAt(text, at, state);
  const token = isIn(code, ALNUM) ? tokenAt(text, at, state) : undefined;
  if (token !== undefined) return token;
  if (state.mail) return mailAt(text, at, signs, state);
  return undefined;
}

function tokenAt(text: string, at: number, state: ScanState): Hit | "begins" | undefined {
  const token = matchToken(text, at, state.work);
  if (token === undefined) return undefined;
  if ("begins" in token) return state.final ? "begins" : undefined;
  const { kind, body, missing } = token;
  const to = state.final || token.end < text.length ? withoutDots(text, token.end) : token.end;
  return {
    from: at,
    to,
    kind,
    drop: { until: "other", body },
    ...(missing > 0 ? { more: { body, left: missing } } : {}),
  };
}

/** The end of a sentence is no part of a key. */
function withoutDots(text: string, end: number): number {
  let at = end;
  while (text[at - 1] === ".") at--;
  return at;
}

function mailAt(text: string, at: number, signs: { next: number }, state: ScanState): Hit | undefined {
  // From the first letter of a name on; with a name of more than one part the first part has been looked at before.
  if (!isIn(text.charCodeAt(at), ALNUM) || isIn(text.charCodeAt(at - 1), ALNUM)) return undefined;
  if (signs.next < at) {
    const next = text.indexOf("@", at);
    signs.next = next === -1 ? text.length : next;
    state.work.steps += signs.next - at;
  }
  if (signs.next === text.length || state.lines.keepsMail()) return undefined;
  const to = mailEnd(text, at, signs.next, state.work);
  return to === at ? undefined : { from: at, to, kind: "mail address", drop: { until: "other", body: 0 } };
}

function signAt(text: string, at: number, state: ScanState): Hit | undefined {
  switch (text[at]) {
    case "`":
      state.lines.backtick();
      return undefined;
    case ":":
      if (text.startsWith("//", at + 1)) {
        const login = urlSecret(text, at + 3, state.work);
        return login === undefined ? undefined : { ...login, drop: { until: "other", body: 0 } };
      }
      if (text[at + 1] !== ":" && text[at - 1] !== ":") ask(text, at, ":", state);
      return undefined;
    case "=":
      ask(text, at, "=", state);
      return undefined;
    case ">":
      ask(text, at, ">", state);
      return undefined;
    case ",":
    case ";":
    case ")":
    case "{":
    case "}":
      state.typed = undefined;
      return undefined;
    default:
      return undefined;
  }
}

/** A sign between a name and its value; also called for one that is no ASCII letter. */
export function ask(text: string, at: number, sign: string, state: ScanState): void {
  const name = nameBefore(text, at, state);
  if (sign === ">" && name.before !== "<") return;
  const asked = announcedBy(name.text, sign);
  if (asked !== undefined) {
    if (asked.what === "signature" && !"?&".includes(name.before || " ")) return;
    state.asked = { ...asked, environment: asked.environment && name.adjacent && at + 1 < text.length };
  } else if (sign === "=" && state.typed !== undefined) {
    state.asked = state.typed;
    state.typed = undefined;
  }
}

interface Name {
  readonly text: string;
  /** The letter before it. */
  readonly before: string;
  /** It stands right before the sign. */
  readonly adjacent: boolean;
}

/** The name before a sign, behind `?`, `:`, `"]` and backslashes; also when it is the word before. */
function nameBefore(text: string, at: number, state: ScanState): Name {
  const start = Math.max(0, at - LOOKBEHIND);
  let end = at;
  while (end > start && isBetween(text, end - 1)) end--;
  state.work.steps += at - end + 1;
  if (end === 0 && state.lastWord !== "") {
    const word = state.lastWord;
    state.lastWord = "";
    return { ...nameBefore(word, word.length, state), adjacent: false };
  }
  const from = runStart(text, end, DOTTED, start, state.work);
  const name = text.slice(from, end);
  return { text: name.replace(/^[-.]{1,3}/, ""), before: text[from - 1] ?? "", adjacent: end === at };
}

/** `?`, `:` and the like before a sign, quotation marks at any depth, and the bracket of `["name"]`. */
function isBetween(text: string, at: number): boolean {
  const letter = text[at] ?? "";
  return letter === "]" ? "\"'`".includes(text[at - 1] ?? " ") : "?!:+\"'`\\".includes(letter);
}

/** What the end of a word says about the next one. */
function endWord(text: string, state: ScanState): void {
  state.lastWord = text.slice(-LOOKBEHIND);
  if (state.asked?.what === "login") state.asked = undefined;
  if (state.drop !== undefined && state.drop.until !== "quote") state.drop = undefined;
  if (state.next !== undefined) {
    state.asked = state.next;
    state.next = undefined;
    return;
  }
  const announced = announcedByWord(state.lastWord);
  if (announced !== undefined) state.asked = announced;
}

function announcedByWord(word: string): Asked | undefined {
  if (word[0] !== "-" && !"rRcC".includes(word.at(-1) ?? " ")) return undefined;
  const scheme = /(?:^|[^A-Za-z])(bearer|basic)$/i.exec(word.slice(-8))?.[1]?.toLowerCase();
  if (scheme === "bearer" || scheme === "basic") return { what: scheme, environment: false };
  if (!/^--?[A-Za-z][A-Za-z0-9-]*$/.test(word)) return undefined;
  if (/^(?:-u|--user|--proxy-user)$/.test(word)) return { what: "login", environment: false };
  const asked = word.startsWith("--") ? announcedBy(word.slice(2), " ") : undefined;
  return asked?.what === "password" || asked?.what === "secret" ? asked : undefined;
}
