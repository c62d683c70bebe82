// Owns what a string setting of each format may look like. Every pattern takes time linear in the text.

import { isAbsolute } from "node:path";
import type { StringFormat } from "./setting-row.ts";

const LONGEST_TEXT = 8000;
const LINE = `^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{1,${LONGEST_TEXT}}$`;
/** Names become members of objects, where this one would be lost. */
const NOT_PROTO = "^(?!__proto__$)";

interface Format {
  /** Goes on after "is x, not …". */
  readonly wanted: string;
  /** For a regular expression with the flag u. */
  readonly pattern: string;
  /** What the pattern cannot say. */
  readonly also?: (text: string) => boolean;
}

const FORMATS: Readonly<Record<StringFormat, Format>> = {
  text: { wanted: `one line of at most ${LONGEST_TEXT} letters`, pattern: LINE },
  url: {
    wanted: "an absolute http or https URL without a login in it",
    pattern: `^[Hh][Tt][Tt][Pp][Ss]?:\\/\\/[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{1,${LONGEST_TEXT}}$`,
    also: isUrlWithoutLogin,
  },
  folder: { wanted: "an absolute folder", pattern: LINE, also: isAbsolute },
  name: {
    wanted: "a name of at most 64 letters, digits, dots, dashes and underscores",
    pattern: `${NOT_PROTO}[A-Za-z0-9._\\-]{1,64}$`,
  },
  service: {
    wanted: "a label of at most 15 letters, digits and dashes",
    pattern: "^[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,13}[A-Za-z0-9])?$",
  },
  variable: { wanted: "the name of an environment variable", pattern: "^[A-Za-z_][A-Za-z0-9_]{0,127}$" },
  token: { wanted: "a token of printable ASCII letters without spaces", pattern: `^[!-~]{1,${LONGEST_TEXT}}$` },
  header: { wanted: "one line of printable ASCII letters", pattern: `^[ -~]{1,${LONGEST_TEXT}}$` },
  "header-name": {
    wanted: "the name of an HTTP header",
    // RFC 9110 §5.6.2.
    pattern: `${NOT_PROTO}[A-Za-z0-9!#$%&'*+.^_\`|~\\-]{1,64}$`,
  },
};

export function fitsFormat(format: StringFormat, text: string): boolean {
  const { pattern, also } = FORMATS[format];
  return new RegExp(pattern, "u").test(text) && (also === undefined || also(text));
}

export function wantedByFormat(format: StringFormat): string {
  return FORMATS[format].wanted;
}

/** For a regular expression with the flag u; a text that fits the format matches it. */
export function patternOf(format: StringFormat): string {
  return FORMATS[format].pattern;
}

function isUrlWithoutLogin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "";
}
