// Owns JSON at the border: text to `unknown` with a depth cap, and readers that take one field out of an unknown object or
// say where it is wrong. Never runs deeper than the cap, never mutates its input, never lets `__proto__` through.

import { A2aError } from "./errors.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

const DEEPEST = 64;
/** Objects, lists and members of objects in one text: so many are read in well under a second, whatever their bytes. */
const MOST_NODES = 500_000;
const BYTE_ORDER_MARK = 0xfeff;
/** UTF-16 codes of the characters that give JSON its structure. */
const CODE = {
  ...{ quote: 34, colon: 58, backslash: 92 },
  ...{ openBracket: 91, closeBracket: 93, openBrace: 123, closeBrace: 125 },
} as const;

/**
 * Parses JSON text; PARSE_ERROR when it is broken, INVALID_REQUEST when it nests deeper than `maxDepth` levels or holds more than
 * 500,000 objects, lists and members.
 */
export function parseJson(text: string, maxDepth: number = DEEPEST): unknown {
  const body = text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
  checkStructure(body, maxDepth);
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new A2aError("PARSE_ERROR", body.trim() === "" ? "the JSON text is empty" : "the text is not valid JSON", {
      cause,
    });
  }
}

/**
 * Counted before parsing: JSON.parse takes a million levels, but writing such a value out again overflows the stack; and it takes
 * seconds for the millions of lists or of names that a few megabytes can hold.
 */
function checkStructure(text: string, maxDepth: number): void {
  let depth = 0;
  let nodes = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case CODE.quote:
        at = endOfString(text, at);
        break;
      case CODE.colon:
        nodes += 1;
        break;
      case CODE.openBrace:
      case CODE.openBracket:
        nodes += 1;
        depth += 1;
        if (depth > maxDepth) throw tooMuch(`nests more than ${maxDepth} levels deep`, "Send flatter JSON.");
        break;
      case CODE.closeBrace:
      case CODE.closeBracket:
        depth -= 1;
    }
  }
  if (nodes > MOST_NODES)
    throw tooMuch(`holds more than ${MOST_NODES} objects, lists and members`, "Send less at a time.");
}

function tooMuch(what: string, hint: string): A2aError {
  return new A2aError("INVALID_REQUEST", `the JSON ${what}`, { hint });
}

/** Index of the quote that closes the string opened at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slash = quote;
    while (text.charCodeAt(slash - 1) === CODE.backslash) slash -= 1;
    if ((quote - slash) % 2 === 0) return quote;
  }
  return text.length;
}

/** True for objects that are not arrays. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Makes the error for the value at `path`; `problem` reads as "<path>: <problem>". */
export type Refuse = (path: string, problem: string) => A2aError;

/** An unknown object whose fields are being read. */
export interface Fields {
  readonly members: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly refuse: Refuse;
  /** Whether any name has an underscore: most objects have none, and are read faster for it. */
  readonly snakeCase: boolean;
}

/** Opens `value` for reading; refuses everything that is not an object. */
export function fieldsOf(value: unknown, path: string, refuse: Refuse): Fields {
  if (!isObject(value)) throw refuse(path, `must be an object, not ${describe(value)}`);
  return { members: value, path, refuse, snakeCase: Object.keys(value).some((name) => name.includes("_")) };
}

/** The path of a field, such as `message.parts`. */
export function pathTo(fields: Fields, name: string): string {
  return fields.path === "" ? name : `${fields.path}.${name}`;
}

/** The field by its camelCase `name`, else by its snake_case one; null is absent, as ProtoJSON has it. */
export function readField(fields: Fields, name: string): unknown {
  const value = own(fields.members, name) ?? undefined;
  if (value !== undefined || !fields.snakeCase) return value;
  return own(fields.members, inSnakeCase(name)) ?? undefined;
}

/** True when the field is there, also when it is null. */
export function hasField(fields: Fields, name: string): boolean {
  return Object.hasOwn(fields.members, name) || Object.hasOwn(fields.members, inSnakeCase(name));
}

function own(members: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function inSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A string of at most `maxChars` UTF-16 units, or undefined when absent. */
export function readString(fields: Fields, name: string, maxChars = Number.POSITIVE_INFINITY): string | undefined {
  const value = readField(fields, name);
  return value === undefined ? undefined : toText(value, pathTo(fields, name), fields.refuse, maxChars);
}

/** A string that must be there and not be empty. */
export function needString(fields: Fields, name: string, maxChars?: number): string {
  const value = readString(fields, name, maxChars);
  if (value === undefined) throw fields.refuse(pathTo(fields, name), "is missing");
  if (value === "") throw fields.refuse(pathTo(fields, name), "must not be empty");
  return value;
}

/** A string, with "" read as absent (ProtoJSON does not tell an unset string from an empty one). */
export function readFilledString(fields: Fields, name: string, maxChars?: number): string | undefined {
  const value = readString(fields, name, maxChars);
  return value === "" ? undefined : value;
}

export function readBoolean(fields: Fields, name: string): boolean | undefined {
  const value = readField(fields, name);
  if (value === undefined || typeof value === "boolean") return value;
  throw fields.refuse(pathTo(fields, name), `must be true or false, not ${describe(value)}`);
}

/** A whole number from `min` to `max`, also when it is written as a string (ProtoJSON allows both). */
export function readInt(fields: Fields, name: string, min: number, max: number): number | undefined {
  const value = readField(fields, name);
  if (value === undefined) return undefined;
  const number = typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) return number;
  throw fields.refuse(pathTo(fields, name), `must be a whole number from ${min} to ${max}, not ${describe(value)}`);
}

/** A list of at most `maxItems`, each read by `readItem(value, path)`; undefined when absent. */
export function readList<T>(
  fields: Fields,
  name: string,
  maxItems: number,
  readItem: (value: unknown, path: string) => T,
): T[] | undefined {
  const value = readField(fields, name);
  if (value === undefined) return undefined;
  const path = pathTo(fields, name);
  if (!Array.isArray(value)) throw fields.refuse(path, `must be a list, not ${describe(value)}`);
  if (value.length > maxItems) throw fields.refuse(path, `has ${value.length} entries, ${maxItems} are allowed`);
  return value.map((item, index) => readItem(item, `${path}[${index}]`));
}

/** A list of strings; undefined when absent or empty. */
export function readStrings(fields: Fields, name: string, maxItems: number, maxChars: number): string[] | undefined {
  const list = readList(fields, name, maxItems, (item, path) => toText(item, path, fields.refuse, maxChars));
  return list?.length === 0 ? undefined : list;
}

/** A free-form object, copied; undefined when absent. */
export function readJsonObject(fields: Fields, name: string): JsonObject | undefined {
  const value = readField(fields, name);
  if (value === undefined) return undefined;
  const path = pathTo(fields, name);
  return toJsonObject(value, path, fields.refuse);
}

/** A free-form object, copied without any `__proto__`; refuses everything else. */
export function toJsonObject(value: unknown, path: string, refuse: Refuse): JsonObject {
  if (!isObject(value)) throw refuse(path, `must be an object, not ${describe(value)}`);
  return copyObject(value, path, refuse, DEEPEST);
}

/** A JSON value, copied without any `__proto__`; refuses what JSON cannot hold and nesting beyond 64 levels. */
export function toJson(value: unknown, path: string, refuse: Refuse): Json {
  return copyJson(value, path, refuse, DEEPEST);
}

function copyJson(value: unknown, path: string, refuse: Refuse, levels: number): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  // A number such as 1e999 parses to Infinity, which JSON cannot write.
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (levels === 0) throw refuse(path, "nests too deep");
  if (Array.isArray(value)) return value.map((item) => copyJson(item, path, refuse, levels - 1));
  if (isObject(value)) return copyObject(value, path, refuse, levels);
  throw refuse(path, "holds a value that JSON cannot write");
}

function copyObject(value: Record<string, unknown>, path: string, refuse: Refuse, levels: number): JsonObject {
  const copy: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (key !== "__proto__" && member !== undefined) copy[key] = copyJson(member, path, refuse, levels - 1);
  }
  return copy;
}

function toText(value: unknown, path: string, refuse: Refuse, maxChars: number): string {
  if (typeof value !== "string") throw refuse(path, `must be a string, not ${describe(value)}`);
  if (value.length > maxChars) throw refuse(path, `is ${value.length} characters long, ${maxChars} are allowed`);
  return value;
}

const SHOWN_CHARS = 60;
const SHOWN_FIELDS = 8;

/** A short description of an unknown value for messages: strings, numbers and booleans themselves, else the kind. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (value === undefined) return "nothing";
  const text = String(value);
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return typeof value === "string" ? JSON.stringify(shown) : shown;
}

/** The first fields of an unknown object in one short line, for messages about the whole of it. */
export function outline(value: Readonly<Record<string, unknown>>): string {
  const fields = Object.keys(value)
    .slice(0, SHOWN_FIELDS)
    .map((name) => `${describe(name)}: ${describe(value[name])}`);
  return `{${fields.join(", ")}}`;
}

type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];
type Defined<T> = Omit<T, OptionalKeys<T>> & { [K in OptionalKeys<T>]?: Exclude<T[K], undefined> };

/** A copy without the members that are undefined, since an optional field is absent and never undefined. */
export function omitUndefined<T extends object>(value: T): Defined<T> {
  const copy: Partial<T> = {};
  for (const name of Object.keys(value) as (keyof T)[]) {
    if (value[name] !== undefined) copy[name] = value[name];
  }
  return copy as Defined<T>;
}
