// Owns reading timestamps (A2A 1.0 §5.6.1): peers write any number of fraction digits, offsets, or no zone at all; one form
// comes out, whatever the zone of this machine.

import { isoTime } from "../platform/clock.ts";

const SHAPE = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)?$/;

/** The first whole millisecond at or after the timestamp, since the epoch; undefined when the text is no timestamp. */
export function instantOf(text: string): number | undefined {
  const iso = normaliseTimestamp(text);
  if (iso === undefined) return undefined;
  const beyond = /\.\d{3}(\d+)/.exec(text)?.[1] ?? "";
  return Date.parse(iso) + (/[1-9]/.test(beyond) ? 1 : 0);
}

/** ISO 8601 in UTC with milliseconds, or undefined when the text is no timestamp; a missing zone means UTC. */
export function normaliseTimestamp(text: string): string | undefined {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const [, date, time, fraction = "", zone = "Z"] = match;
  const ms = Date.parse(`${date}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : isoTime(ms);
}
