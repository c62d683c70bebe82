// Owns turning parts into plain text for models and people. The text is the sender's: whoever shows it makes it safe first.

import { base64Bytes } from "./base64.ts";
import type { Part, TextPart } from "./types.ts";

const UNKNOWN_TYPE = "application/octet-stream";

export function textPart(text: string): TextPart {
  return { text };
}

/** One line or block per part: text itself, a url named with its type, data as JSON, a raw file named with type and size. */
export function partsToText(parts: readonly Part[]): string {
  return parts.map(partToText).join("\n");
}

function partToText(part: Part): string {
  if ("text" in part) return part.text;
  if ("data" in part) return JSON.stringify(part.data);
  const name = part.filename === undefined ? "" : ` ${part.filename}`;
  if ("url" in part) return `[file${name} (${part.mediaType ?? "unknown type"}): ${part.url}]`;
  return `[file${name} (${part.mediaType ?? UNKNOWN_TYPE}, ${base64Bytes(part.raw)} bytes)]`;
}
