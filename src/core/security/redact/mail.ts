// Owns what a mail address is, and which look-alikes are none: remote repositories, versions, file names, literals in code.

import { ALNUM, HOST, isIn, LETTER, LOCAL_PART, runEnd, type Work } from "./chars.ts";

const MAX_LOCAL = 64;
const MAX_HOST = 255;
/** `icon@2x.png` is a file. */
const FILE_ENDINGS = new Set(
  "png jpg jpeg gif svg webp ico js mjs cjs ts tsx jsx json lock tgz gz css scss html xml yaml yml toml txt log exe dll so".split(
    " ",
  ),
);

/** End of the address whose local part begins at `at`; `at` when there is none. */
export function mailEnd(text: string, at: number, sign: number, work: Work): number {
  if (sign - at > MAX_LOCAL || sign <= at) return at;
  if (runEnd(text, at, LOCAL_PART, sign, work) !== sign) return at;
  if (text.charCodeAt(sign - 1) === 46) return at;
  const end = hostEnd(text, sign + 1, work);
  return end === undefined || isOtherThing(text, at, sign, end) ? at : end;
}

/** Behind two labels or more, of which the last is letters alone, or letters before a hyphen that belongs to something else. */
function hostEnd(text: string, from: number, work: Work): number | undefined {
  let end = runEnd(text, from, HOST, from + MAX_HOST, work);
  while (end > from && !isIn(text.charCodeAt(end - 1), ALNUM)) end--;
  const labels = text.slice(from, end).split(".");
  const top = labels.at(-1) ?? "";
  const letters = runEnd(top, 0, LETTER, top.length, work);
  if (labels.length < 2 || labels.some((label) => label === "" || label.length > 63)) return undefined;
  if (letters < 2 || (letters < top.length && top[letters] !== "-")) return undefined;
  return FILE_ENDINGS.has(top.slice(0, letters).toLowerCase()) ? undefined : end - top.length + letters;
}

function isOtherThing(text: string, at: number, sign: number, end: number): boolean {
  // ssh://git@host, git@host:path, deploy@host:/srv
  if (text.startsWith("//", at - 2)) return true;
  if (text[end] === ":" && (text.slice(at, sign) === "git" || "/~".includes(text[end + 1] ?? " "))) return true;
  return isLiteral(text, at, end);
}

/** `send("a@b.example")` and `from = 'a@b.example'` are code; the value of a JSON field is data. */
function isLiteral(text: string, at: number, end: number): boolean {
  const quote = text[at - 1] ?? " ";
  if (!"\"'".includes(quote) || text[end] !== quote) return false;
  return "(=".includes(text[at - 2] ?? " ");
}
