// Owns what a string setting of each format may look like. Every pattern takes time linear in the text.

import { isIP } from "node:net";
import { isAbsolute } from "node:path";
import type { StringFormat } from "./setting-row.ts";

const LONGEST_TEXT = 8000;
const LINE = `^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{1,${LONGEST_TEXT}}$`;
/** Names become members of objects, where this one would be lost. */
const NOT_PROTO = "^(?!__proto__$)";
const NAME = "[A-Za-z0-9._\\-]{1,64}";
/** What `isIP` then has to confirm. */
const ADDRESS =
  "(?:\\d{1,3}(?:\\.\\d{1,3}){3}|(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f.]{0,15}(?:%[A-Za-z0-9._\\-]{1,32})?)";
const BRACKETED = `(?:\\[${ADDRESS}\\]|${ADDRESS})`;

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
    pattern: `${NOT_PROTO}${NAME}$`,
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
  host: {
    wanted: "a host name or an address, without a port",
    pattern: `^(?:${BRACKETED}|[A-Za-z0-9](?:[A-Za-z0-9._\\-]{0,251}[A-Za-z0-9])?)$`,
    also: (text) => !text.includes(":") || isAddress(text),
  },
  caller: {
    wanted: "the name of a caller, ip:<address> or gateway:<key>",
    pattern: `${NOT_PROTO}(?:ip:${BRACKETED}|(?:gateway:)?${NAME})$`,
    also: (text) => !text.startsWith("ip:") || isAddress(text.slice("ip:".length)),
  },
  network: {
    wanted: "an address or a range of them such as 10.0.0.0/8",
    pattern: `^${ADDRESS}(?:\\/\\d{1,3})?$`,
    also: isNetwork,
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

function isAddress(text: string): boolean {
  return isIP(text.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function isNetwork(text: string): boolean {
  const [address = "", length] = text.split("/");
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return Number(length ?? 0) <= longest;
}

function isUrlWithoutLogin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "";
}
