// The parts of an inbound message -> the one text that a child is given. Pure; the frame around it is core/security's.

import { base64Bytes } from "../../core/protocol/base64.ts";
import type { Part } from "../../core/protocol/types.ts";

/** Where the raw parts of a message were stored: paths that the child can open, relative to its folder. */
export type StoredParts = ReadonlyMap<Part, string>;

/** Text parts as they are; data as JSON; a file as a line that says what it is and where. Parts are joined by line breaks. */
export function partsToPrompt(parts: readonly Part[], stored: StoredParts): string {
  return parts.map((part) => partToPrompt(part, stored)).join("\n");
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
