// Owns how a value that was not taken is shown to people: one short line, and never a secret.

import type { SettingRow } from "./setting-row.ts";

const LONGEST = 60;
const INVISIBLE = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A written value as one line; structures only by their kind. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === null || typeof value !== "object") return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}

/** The value a user gave this row, unless it is a secret or may hold one. */
export function describeFor(row: SettingRow, value: unknown): string {
  const login = row.type === "string" && row.format === "url" && typeof value === "string" && value.includes("@");
  return row.secret || login ? "a hidden value" : describeValue(value);
}

/** A key as it stands in a path: plain when it can be, else quoted. */
export function describeKey(key: string): string {
  return /^[\w./<>*-]{1,64}$/.test(key) ? key : quote(key);
}

function quote(text: string): string {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return JSON.stringify(short).replace(INVISIBLE, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
