// Owns what a terminal or a log line may see of text that others wrote (peers, cards, files): no escape sequence, no control
// or invisible letter, no broken surrogate, never longer than asked for. Linear in the text; says nothing about its meaning.

const ELLIPSIS = "…";
const TAB = "    ";

/** A surrogate without its other half; the `u` flag sees whole pairs as one letter. */
const LONE_SURROGATE = /\p{Cs}/gu;

/** Terminal sequences, 7-bit or C1, also unfinished ones: strings up to their end or the next control letter, CSI, the rest. */
const SEQUENCES = new RegExp(
  [
    "(?:\\u001b[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0000-\\u001f\\u007f-\\u009f]*(?:\\u0007|\\u001b\\\\|\\u009c)?",
    "(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?",
    "\\u001b[ -/]*[0-~]?",
  ].join("|"),
  "g",
);

/** Control letters but white space, and everything that takes no room or turns the writing direction. */
const UNSEEN = /(?![\t-\r\u0085])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

const LINE_BREAK = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** One line for a terminal: white space runs become one space, at most `max` code points with the ellipsis counted. */
export function oneLine(text: string, max = 200): string {
  const head = window(text, max);
  const line = clean(head).replace(/\s+/g, " ").trim();
  return cut(line, max, head.length < text.length);
}

/** Lines for a terminal: tabs become spaces, at most `maxLines` lines and `maxChars` code points with the ellipsis counted. */
export function safeBlock(text: string, maxLines = Infinity, maxChars = Infinity): string {
  const head = window(text, maxChars);
  const block = clean(head).replaceAll("\t", TAB).trimEnd();
  const end = endOfLine(block, maxLines);
  return cut(block.slice(0, end), maxChars, end < block.length || head.length < text.length);
}

/** Whole text for a model or a file: line breaks become `\n`, tabs and spaces stay. */
export function plainText(text: string): string {
  return clean(text);
}

/** Printable ASCII and blanks. Most texts are, and need no look for anything else. */
const PLAIN = /^[ -~]*$/;

function clean(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(LONE_SURROGATE, "\ufffd").replace(SEQUENCES, "").replace(UNSEEN, "").replace(LINE_BREAK, "\n");
}

/** As much of the text as a result of `max` code points can need; a long text must not cost more for a short line. */
function window(text: string, max: number): string {
  const end = 4 * Math.max(0, max) + 1024;
  if (text.length <= end) return text;
  return text.slice(0, isHighSurrogate(text, end - 1) ? end - 1 : end);
}

function isHighSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xd800 && code <= 0xdbff;
}

/** Index at which the first `lines` lines end. */
function endOfLine(text: string, lines: number): number {
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end === -1) return text.length;
  }
  return Math.max(0, end);
}

/** At most `max` code points; the last one is an ellipsis when something is missing. */
function cut(text: string, max: number, alreadyCut: boolean): string {
  if (max < 1) return "";
  const end = indexOfCodePoint(text, max);
  if (!alreadyCut && end === text.length) return text;
  return text.slice(0, indexOfCodePoint(text, max - 1)) + ELLIPSIS;
}

/** Where the code point number `count` begins, or the text's length. */
function indexOfCodePoint(text: string, count: number): number {
  if (text.length <= count) return text.length;
  let index = 0;
  for (let seen = 0; seen < count && index < text.length; seen++) index += isHighSurrogate(text, index) ? 2 : 1;
  return index;
}
