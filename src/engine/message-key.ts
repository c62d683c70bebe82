// Owns when two messages of a caller count as the same: same messageId, same content (DESIGN: Resends).

import { createHash } from "node:crypto";
import { isObject, type Json } from "../core/platform/json.ts";
import type { Message, Part, TextPart } from "../core/protocol/types.ts";

/** Longer texts are told apart by their digest; to make one of a short text takes longer than to compare it. */
const SHORT = 256;
/** Names of members that are put in order in one message. Beyond, the order in which they came counts, which costs nothing. */
const MOST_NAMES = 20_000;

/**
 * Equal for two messages exactly when they are the same, whatever the dialect, the order of members in their data or the metadata of
 * the message: that tells how it was sent (trace, hops, number of the try) and differs between tries, while ids and parts do not.
 */
export function messageKey({ messageId, taskId, contextId, parts }: Message): string {
  const text = JSON.stringify([messageId, taskId ?? null, contextId ?? null, ordered(parts)]);
  return text.length <= SHORT ? text : digestOf(text);
}

/** Tells the same keys apart in few letters, none of which are the message's own. */
export function keyDigest(key: string): string {
  return key.startsWith("[") ? digestOf(key) : key;
}

/** Begins with no bracket, as all short keys do. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

function ordered(parts: readonly Part[]): unknown {
  const [only, second] = parts;
  // Nearly every message is one text, which a string in place of a list stands for.
  if (only !== undefined && second === undefined && isBareText(only)) return only.text;
  let names = 0;
  const inOrder = (value: Json): Json => {
    if (value === null || typeof value !== "object") return value;
    if (isList(value)) return value.map(inOrder);
    const own = Object.keys(value);
    names += own.length;
    if (names > MOST_NAMES) return value;
    return Object.fromEntries(own.sort().map((name) => [name, inOrder(value[name] ?? null)]));
  };
  return parts.map((part) =>
    Object.entries(part)
      .filter(([name, value]) => !(name === "metadata" && isEmpty(value)))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, inOrder(value)]),
  );
}

/** As good as none: the wire leaves it out. */
function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function isBareText(part: Part): part is TextPart {
  if (!("text" in part) || part.mediaType !== undefined || part.filename !== undefined) return false;
  return part.metadata === undefined || isEmpty(part.metadata);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
