// The parts of an inbound message -> the one text that a child is given. Pure; the frame around it is core/security's.

import type { Part } from "../../core/protocol/types.ts";

/** Text parts as they are; anything else as a line that says what it is. Parts are joined by line breaks. */
export function partsToPrompt(parts: readonly Part[]): string {
  return parts.map(partToPrompt).join("\n");
}

function partToPrompt(part: Part): string {
  if ("text" in part) return part.text;
  if ("data" in part) return JSON.stringify(part.data);
  if ("url" in part) return `[${describe(part)} at ${part.url}]`;
  return `[${describe(part)}, ${decodedSize(part.raw)} bytes, not passed on]`;
}

/** Bytes behind standard base64: four characters hold three, padding holds none. */
function decodedSize(base64: string): number {
  return Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
}

function describe({ filename, mediaType }: Part): string {
  const name = filename === undefined ? "file" : `file ${JSON.stringify(filename)}`;
  return mediaType === undefined ? name : `${name} (${mediaType})`;
}
