// Owns when two messages of a caller count as the same: same messageId, same content (DESIGN: Resends).

import { createHash } from "node:crypto";
import type { Json } from "../core/platform/json.ts";
import type { Message, Part } from "../core/protocol/types.ts";

/** Names of members that are put in order in one message. Beyond, the order in which they came counts, which costs nothing. */
const MOST_NAMES = 20_000;

/**
 * Equal for two messages exactly when they are the same, whatever the dialect, the order of members in their data or the metadata of
 * the message: that tells how it was sent (trace, hops, number of the try) and differs between tries, while ids and parts do not.
 */
export function messageKey({ messageId, taskId, contextId, parts }: Message): string {
  const ids = [messageId, taskId ?? null, contextId ?? null];
  return createHash("sha256")
    .update(JSON.stringify([ids, ordered(parts)]))
    .digest("base64");
}

function ordered(parts: readonly Part[]): unknown {
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
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, inOrder(value)]),
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
