// Owns the one rule by which a written value becomes a setting. A value has its row's type; all but structures may also be
// written as text, in a file as in the environment: plain decimals such as 300 or 0.5, the words of WORDS, one of the choices,
// `a,b` for a list, `name:value,…` for names with values, where a value keeps its further colons. Text is trimmed; blank text
// means "not set" unless the row is text itself. Total: never throws.

import { isObject } from "../platform/json.ts";
import type { MapRow, NumberRow, SettingRow, SettingValue, StringListRow, StringRow } from "./setting-row.ts";
import { fitsFormat, wantedByFormat } from "./string-formats.ts";

export type Reading =
  /** `leftOut` counts the entries of a list or map that could not be taken; at least one could, or there was none. */
  | { readonly kind: "value"; readonly value: SettingValue; readonly leftOut?: number }
  | { readonly kind: "absent" }
  /** `wanted` goes on after "is x, not …". */
  | { readonly kind: "wrong"; readonly wanted: string };

const ABSENT: Reading = { kind: "absent" };

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...["1", "true", "yes", "on"].map((word) => [word, true] as const),
  ...["0", "false", "no", "off"].map((word) => [word, false] as const),
]);

const DECIMAL = /^[+-]?\d+(?:\.\d+)?$/;

/** A value out of a settings file. */
export function readJsonValue(row: SettingRow, raw: unknown): Reading {
  if (typeof raw === "string") return row.type === "string" ? readString(row, raw.trim()) : readTextValue(row, raw);
  if (Array.isArray(raw)) return readJsonList(row, raw);
  if (isObject(raw)) return readJsonObject(row, raw);
  if (typeof raw === "boolean" && row.type === "boolean") return taken(raw);
  if (typeof raw === "number" && (row.type === "integer" || row.type === "number")) return readNumber(row, raw);
  return wrong(row);
}

function readJsonList(row: SettingRow, raw: readonly unknown[]): Reading {
  if (row.type === "strings") return readItems(row, raw);
  return row.type === "objects" && raw.every(isObject) ? taken(raw) : wrong(row);
}

function readJsonObject(row: SettingRow, raw: Readonly<Record<string, unknown>>): Reading {
  if (row.type === "map") return readPairs(row, Object.entries(raw));
  return row.type === "object" ? taken(raw) : wrong(row);
}

/** A value out of the environment. */
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
      return orAbsent(itemsOf(text), (items) => readItems(row, items));
    case "map":
      return orAbsent(itemsOf(text), (items) => readPairs(row, items.map(splitAtColon)));
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
      return wantedByFormat(row.format);
    case "strings":
      return row.items === "text" ? "a list of strings" : `a list in which each is ${wantedByFormat(row.items)}`;
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

/** What each entry of a list or map must be, for a sentence such as "each is …". */
export function wantedOfEntry(row: SettingRow): string {
  if (row.type === "strings") return wantedByFormat(row.items);
  if (row.type !== "map") return wantedByFormat("text");
  return `${wantedByFormat(row.names)} with ${wantedByFormat(row.values)}`;
}

function readNumber(row: NumberRow, value: number): Reading {
  const fits = value >= row.min && value <= row.max && (row.type === "number" || Number.isInteger(value));
  return fits ? taken(value) : wrong(row);
}

function readString(row: StringRow, text: string): Reading {
  if (text === "" && row.default === "") return taken(text);
  return fitsFormat(row.format, text) ? taken(text) : wrong(row);
}

function readItems(row: StringListRow, raw: readonly unknown[]): Reading {
  const texts = raw.map((item) => (typeof item === "string" ? item.trim() : ""));
  return takenInPart(
    row,
    texts.filter((text) => fitsFormat(row.items, text)),
    raw.length,
    (good) => good,
  );
}

function readPairs(row: MapRow, raw: readonly (readonly [string, unknown])[]): Reading {
  const pairs = raw.map(([name, value]) => [name.trim(), typeof value === "string" ? value.trim() : ""] as const);
  const good = pairs.filter(([name, value]) => fitsFormat(row.names, name) && fitsFormat(row.values, value));
  return takenInPart(row, good, raw.length, Object.fromEntries);
}

/** One bad entry does not lose the good ones; a value without a good one is wrong as a whole. */
function takenInPart<T>(row: SettingRow, good: readonly T[], all: number, build: (good: readonly T[]) => SettingValue) {
  if (good.length === all) return taken(build(good));
  return good.length === 0 ? wrong(row) : { ...taken(build(good)), leftOut: all - good.length };
}

/** A text of nothing but commas says nothing. */
function orAbsent(items: readonly string[], read: (items: readonly string[]) => Reading): Reading {
  return items.length === 0 ? ABSENT : read(items);
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

function taken(value: SettingValue): { readonly kind: "value"; readonly value: SettingValue } {
  return { kind: "value", value };
}

function wrong(row: SettingRow): Reading {
  return { kind: "wrong", wanted: wantedBy(row) };
}
