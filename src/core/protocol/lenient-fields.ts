// Owns reading fields of which none is worth giving up the whole for: what has the wrong type counts as absent, and a warning says
// which one it was.

import { isA2aError } from "../platform/errors.ts";
import { describe, type Fields, pathTo, readField } from "../platform/json.ts";

/** Hears of each field that was passed over, as "card.skills[1].id must be a string, not 1". */
export type Warn = (problem: string) => void;

/** What `read` gives, or `fallback` with a warning when it refuses the value. */
export function orElse<T>(warn: Warn, read: () => T, fallback: T): T {
  try {
    return read();
  } catch (error) {
    if (!isA2aError(error)) throw error;
    warn(error.message);
    return fallback;
  }
}

/** The entries that can be read, at most `most` of them; undefined when the field is absent or no list. */
export function readEntries<T>(
  fields: Fields,
  name: string,
  most: number,
  options: { readonly warn: Warn; readonly readItem: (value: unknown, path: string) => T },
): T[] | undefined {
  const value = readField(fields, name);
  if (value === undefined) return undefined;
  const path = pathTo(fields, name);
  if (!Array.isArray(value)) {
    options.warn(`${path} must be a list, not ${describe(value)}`);
    return undefined;
  }
  if (value.length > most) options.warn(`${path} has ${value.length} entries, of which ${most} are read`);
  return value.slice(0, most).flatMap((item, index) => {
    const none: T[] = [];
    return orElse(options.warn, () => [options.readItem(item, `${path}[${index}]`)], none);
  });
}
