// Owns what ProtoJSON leaves out of an object (A2A 1.0 §5): what is absent, and empty strings, lists and maps that are not required.

import type { Json, JsonObject } from "../platform/json.ts";

export function members(values: Readonly<Record<string, Json | undefined>>): JsonObject {
  const object: Record<string, Json> = {};
  for (const name of Object.keys(values)) {
    const value = values[name];
    if (value !== undefined) object[name] = value;
  }
  return object;
}

export function filled(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

export function list<T>(items: readonly T[] | undefined, encode: (item: T) => Json): readonly Json[] | undefined {
  return nonEmpty(items?.map(encode));
}

export function nonEmpty(items: readonly Json[] | undefined): readonly Json[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}

export function entries(map: JsonObject | undefined): JsonObject | undefined {
  return map === undefined || Object.keys(map).length === 0 ? undefined : map;
}
