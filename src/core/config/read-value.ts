// Owns the one rule by which a written value becomes a setting. A value has its row's type; numbers, booleans and choices may
// also be written as text, in a file as in the environment: plain decimals such as 300 or 0.5, the words of WORDS, one of the
// choices. Text is trimmed; blank text means "not set" unless the row is text itself. Total: never throws.

import { isAbsolute } from "node:path";
import { isObject } from "../platform/json.ts";
import type { NumberRow, SettingRow, SettingValue, StringFormat, StringRow } from "./setting-row.ts";

export type Reading =
  | { readonly kind: "value"; readonly value: SettingValue }
  | { readonly kind: "absent" }
  /** `wanted` goes on after "is x, not …". */
  | { readonly kind: "wrong"; readonly wanted: string };

const ABSENT: Reading = { kind: "absent" };

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...["1", "true", "yes", "on"].map((word) => [word, true] as const),
  ...["0", "false", "no", "off"].map((word) => [word, false] as const),
]);

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;
const LONGEST_TEXT = 8000;

interface Format {
  readonly wanted: string;
  accepts(text: string): boolean;
}

const FORMATS: Readonly<Record<StringFormat, Format>> = {
  text: { wanted: `one line of at most ${LONGEST_TEXT} letters`, accepts: isLine },
  url: { wanted: "an absolute http or https URL without a login in it", accepts: isWebUrl },
  folder: { wanted: "an absolute folder", accepts: (text) => isLine(text) && isAbsolute(text) },
  name: { wanted: "a name of at most 64 letters, digits, dots, dashes and underscores", accepts: isName },
  service: { wanted: "a label of at most 15 letters, digits and dashes", accepts: (text) => SERVICE.test(text) },
};

const SERVICE = /^[a-z0-9](?:[a-z0-9-]{0,13}[a-z0-9])?$/i;
const NAME = /^[A-Za-z0-9._-]{1,64}$/;

/** True for a name that a user may give a peer or a gateway. */
export function isName(text: string): boolean {
  return NAME.test(text) && text !== "__proto__";
}

/** A value out of a settings file. */
export function readJsonValue(row: SettingRow, raw: unknown): Reading {
  switch (row.type) {
    case "boolean":
      return typeof raw === "boolean" ? taken(raw) : orText(row, raw);
    case "integer":
    case "number":
      return typeof raw === "number" ? readNumber(row, raw) : orText(row, raw);
    case "enum":
      return orText(row, raw);
    case "string":
      return typeof raw === "string" ? readString(row, raw.trim()) : wrong(row);
    case "strings":
      return isListOf(raw, isText) ? taken(raw.map((item) => item.trim())) : wrong(row);
    case "map":
      return isMapOfText(raw) ? readMap(row, Object.entries(raw)) : wrong(row);
    case "object":
      return isObject(raw) ? taken(raw) : wrong(row);
    case "objects":
      return isListOf(raw, isObject) ? taken(raw) : wrong(row);
    default:
      return row satisfies never;
  }
}

/** A value out of the environment. Lists are `a,b`, maps are `name:value,…` where a value keeps its further colons. */
export function readTextValue(row: SettingRow, raw: string): Reading {
  const text = raw.trim();
  if (text === "") return ABSENT;
  switch (row.type) {
    case "boolean": {
      const value = WORDS.get(text.toLowerCase());
      return value === undefined ? wrong(row) : taken(value);
    }
    case "integer":
    case "number":
      return DECIMAL.test(text) ? readNumber(row, Number(text)) : wrong(row);
    case "enum":
      return row.values.includes(text) ? taken(text) : wrong(row);
    case "string":
      return readString(row, text);
    case "strings":
      return taken(itemsOf(text));
    case "map":
      return readMap(row, itemsOf(text).map(splitAtColon));
    case "object":
    case "objects":
      return wrong(row);
    default:
      return row satisfies never;
  }
}

/** What the row takes, for a sentence such as "is x, not …". */
export function wantedBy(row: SettingRow): string {
  switch (row.type) {
    case "boolean":
      return "true or false";
    case "integer":
      return `a whole number from ${row.min} to ${row.max}`;
    case "number":
      return `a number from ${row.min} to ${row.max}`;
    case "enum":
      return `one of ${row.values.join(", ")}`;
    case "string":
      return FORMATS[row.format].wanted;
    case "strings":
      return "a list of strings";
    case "map":
      return "a list of names, each with a string";
    case "object":
      return "an object";
    case "objects":
      return "a list of objects";
    default:
      return row satisfies never;
  }
}

function orText(row: SettingRow, raw: unknown): Reading {
  return typeof raw === "string" ? readTextValue(row, raw) : wrong(row);
}

function readNumber(row: NumberRow, value: number): Reading {
  const fits = value >= row.min && value <= row.max && (row.type === "number" || Number.isInteger(value));
  return fits ? taken(value) : wrong(row);
}

function readString(row: StringRow, text: string): Reading {
  if (text === "" && row.default === "") return taken(text);
  return FORMATS[row.format].accepts(text) ? taken(text) : wrong(row);
}

function readMap(row: SettingRow, pairs: readonly (readonly [string, string])[]): Reading {
  const trimmed = pairs.map(([name, value]) => [name.trim(), value.trim()] as const);
  return trimmed.every(([name, value]) => isName(name) && value !== "")
    ? taken(Object.fromEntries(trimmed))
    : wrong(row);
}

function splitAtColon(item: string): readonly [string, string] {
  const colon = item.indexOf(":");
  return colon === -1 ? [item, ""] : [item.slice(0, colon), item.slice(colon + 1)];
}

function itemsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function taken(value: SettingValue): Reading {
  return { kind: "value", value };
}

function wrong(row: SettingRow): Reading {
  return { kind: "wrong", wanted: wantedBy(row) };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isListOf<T>(value: unknown, isItem: (item: unknown) => item is T): value is T[] {
  return Array.isArray(value) && value.every(isItem);
}

function isMapOfText(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every(isText);
}

function isLine(text: string): boolean {
  return text !== "" && text.length <= LONGEST_TEXT && !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}

function isWebUrl(text: string): boolean {
  if (!isLine(text) || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === "" && url.password === "";
}
