// Keys that are known by their shape instead of a prefix. Each looks at a bounded number of letters before it says no.

import { ALNUM, DIGIT, DOTTED, HEX, isIn, looksRandom, runEnd, TILDED, UPPER, WORD, type Work } from "./chars.ts";

export interface Shape {
  readonly kind: string;
  readonly body: number;
  /** How long one of them may be when its line ends before it does; 0 when its end is certain. */
  readonly usual: number;
  /** Where the key that begins at `at` ends, else `at`. */
  end(text: string, at: number, work: Work): number;
}

/** Longer headers belong to tokens that carry certificates; the rest of such a token begins with `eyJ` again. */
const JWT_HEADER = 1024;

export const SHAPES: readonly Shape[] = [
  { kind: "json web token", body: DOTTED, usual: 4096, end: jwtEnd },
  { kind: "telegram bot token", body: WORD, usual: 0, end: telegramEnd },
  { kind: "discord bot token", body: WORD, usual: 0, end: discordEnd },
  { kind: "azure client secret", body: TILDED, usual: 0, end: azureEnd },
  { kind: "mailgun key", body: HEX, usual: 0, end: mailgunEnd },
  { kind: "mailchimp key", body: HEX, usual: 0, end: mailchimpEnd },
  { kind: "new relic key", body: HEX, usual: 0, end: newRelicEnd },
  { kind: "terraform token", body: WORD, usual: 0, end: terraformEnd },
];

/** `eyJ….….…`, also with the signature missing and with the five parts of an encrypted one. */
function jwtEnd(text: string, at: number, work: Work): number {
  if (!text.startsWith("eyJ", at)) return at;
  const dot = runEnd(text, at, WORD, at + JWT_HEADER, work);
  if (dot - at < 12 || text[dot] !== ".") return at;
  const payload = runEnd(text, dot + 1, WORD, dot + 11, work);
  if (payload - dot < 11 || !looksRandom(text, at, dot + 64, work)) return at;
  return runEnd(text, payload, DOTTED, text.length, work);
}

/** `123456789:AA…` with 35 letters behind the colon. */
function telegramEnd(text: string, at: number, work: Work): number {
  if (!isIn(text.charCodeAt(at), DIGIT)) return at;
  const colon = runEnd(text, at, DIGIT, at + 11, work);
  if (colon - at < 8 || !text.startsWith(":AA", colon)) return at;
  return exactly(text, colon + 1, WORD, 35, work) ?? at;
}

/** Id, time and signature of a bot: 24 to 28, 6 and 27 to 40 letters. */
function discordEnd(text: string, at: number, work: Work): number {
  if (!"MNO".includes(text[at] ?? " ")) return at;
  const first = runEnd(text, at, WORD, at + 29, work);
  if (first - at < 24 || first - at > 28 || text[first] !== ".") return at;
  const second = exactly(text, first + 1, WORD, 6, work);
  if (second === undefined || text[second] !== ".") return at;
  const third = runEnd(text, second + 1, WORD, second + 42, work);
  return third - second < 28 || third - second > 41 ? at : third;
}

/** Three letters, a digit, `Q~`, then 31 to 34 letters. */
function azureEnd(text: string, at: number, work: Work): number {
  if (!text.startsWith("Q~", at + 4) || !isIn(text.charCodeAt(at + 3), DIGIT)) return at;
  const head = runEnd(text, at, TILDED, at + 6, work);
  const end = runEnd(text, head, TILDED, head + 35, work);
  return head - at < 6 || end - head < 31 || end - head > 34 ? at : end;
}

function mailgunEnd(text: string, at: number, work: Work): number {
  const first = hexThen(text, at, 32, "-", work);
  const second = first === undefined ? undefined : hexThen(text, first, 8, "-", work);
  return (second === undefined ? undefined : exactly(text, second, HEX, 8, work)) ?? at;
}

function mailchimpEnd(text: string, at: number, work: Work): number {
  const end = hexThen(text, at, 32, "-us", work);
  return end === undefined ? at : Math.max(at, runEnd(text, end, DIGIT, end + 2, work));
}

function newRelicEnd(text: string, at: number, work: Work): number {
  const end = hexThen(text, at, 36, "NRAL", work) ?? hexThen(text, at, 36, "FFFFNRAL", work);
  return end === undefined || isIn(text.charCodeAt(end), ALNUM) ? at : end;
}

function terraformEnd(text: string, at: number, work: Work): number {
  if (!text.startsWith(".atlasv1.", at + 14)) return at;
  const head = runEnd(text, at, ALNUM, at + 14, work);
  const end = runEnd(text, at + 23, WORD, at + 23 + 100, work);
  return head - at < 14 || end - at < 80 ? at : end;
}

/** Behind `count` hex letters and `mark`; nothing when it is anything else. */
function hexThen(text: string, at: number, count: number, mark: string, work: Work): number | undefined {
  if (!isIn(text.charCodeAt(at), HEX) || !text.startsWith(mark, at + count)) return undefined;
  return runEnd(text, at, HEX, at + count, work) === at + count ? at + count + mark.length : undefined;
}

/** Behind exactly `count` letters of `mask`. */
function exactly(text: string, at: number, mask: number, count: number, work: Work): number | undefined {
  const end = runEnd(text, at, mask, at + count + 1, work);
  return end === at + count && !isIn(text.charCodeAt(end), mask | UPPER) ? end : undefined;
}
