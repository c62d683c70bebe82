// Owns the cursor of task lists (A2A 1.0 §3.1.4): where the last task of a page stands, as a text that callers hand back unread.
// It names a place in the order, not a page number, so tasks that come or go meanwhile shift nothing.

import { isoTime } from "../platform/clock.ts";
import type { Task, TaskPosition } from "./types.ts";

/** Where one of our own tasks stands. */
export function positionOf({ id, status }: Task): TaskPosition {
  return { at: Date.parse(status.timestamp ?? ""), id };
}

const SEPARATOR = "|";

export function encodePageToken({ at, id }: TaskPosition): string {
  return Buffer.from(`${isoTime(at)}${SEPARATOR}${id}`, "utf8").toString("base64url");
}

/** The position, or undefined for every text that `encodePageToken` does not write. */
export function decodePageToken(token: string): TaskPosition | undefined {
  const text = Buffer.from(token, "base64url").toString("utf8");
  const cut = text.indexOf(SEPARATOR);
  const position = { at: Date.parse(text.slice(0, cut)), id: text.slice(cut + 1) };
  if (cut === -1 || position.id === "" || Number.isNaN(position.at)) return undefined;
  return encodePageToken(position) === token ? position : undefined;
}
