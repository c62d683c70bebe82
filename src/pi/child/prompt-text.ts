// The parts of an inbound message -> the one text that a child is given. Pure; the frame around it is core/security's.

import { base64Bytes } from "../../core/protocol/base64.ts";
import type { Message, Part } from "../../core/protocol/types.ts";

/** Where the raw parts of a message were stored: paths that the child can open, relative to its folder. */
export type StoredParts = ReadonlyMap<Part, string>;

/** Text parts as they are; data as JSON; a file as a line that says what it is and where. Parts are joined by line breaks. */
export function partsToPrompt(parts: readonly Part[], stored: StoredParts): string {
  return parts.map((part) => partToPrompt(part, stored)).join("\n");
}

/**
 * The same below what was said earlier in the task, for a child that has lost its own memory of it. Files of earlier messages
 * are only named.
 */
export function recallToPrompt(history: readonly Message[], now: string): string {
  if (history.length === 0) return now;
  const said = history.map(({ role, parts }) => `${role === "ROLE_USER" ? "Caller" : "You"}: ${earlier(parts)}`);
  return ["What was said in this task before:", ...said, "", "What the caller says now:", now].join("\n");
}

function earlier(parts: readonly Part[]): string {
  return partsToPrompt(parts, new Map());
}

function partToPrompt(part: Part, stored: StoredParts): string {
  if ("text" in part) return part.text;
  if ("data" in part) return JSON.stringify(part.data);
  if ("url" in part) return `[${describe(part)} at ${part.url}]`;
  const path = stored.get(part);
  const place = path === undefined ? "" : `, stored as ${path}`;
  return `[${describe(part)}, ${base64Bytes(part.raw)} bytes${place}]`;
}

function describe({ filename, mediaType }: Part): string {
  const name = filename === undefined ? "file" : `file ${JSON.stringify(filename)}`;
  return mediaType === undefined ? name : `${name} (${mediaType})`;
}
