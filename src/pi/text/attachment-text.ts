// Owns the lines that tell what came with a reply beside its text: name, type and size, where it was saved, and small data itself.
// Everything but the path is the peer's.

import { oneLine, plainText } from "../../core/security/sanitize.ts";
import type { Received, ReceivedPart } from "../files/received-files.ts";
import { sizeText } from "../files/workspace-file.ts";
import { limitOutput } from "./limit-output.ts";

const MAX_NAME = 120;
const MAX_URL = 2000;
/** Data up to this size is shown; all of it is in its file. */
const MAX_SHOWN_BYTES = 4096;
const MAX_SHOWN_LINES = 60;

export function attachmentLines({ parts, dropped }: Received): string[] {
  const lines = parts.flatMap(partLines);
  if (dropped > 0)
    lines.push(`[${dropped} more files or data were neither shown nor saved: a reply may bring ${parts.length}]`);
  return lines;
}

function partLines(part: ReceivedPart): string[] {
  const type = oneLine(part.mediaType, MAX_NAME);
  const name = oneLine(part.name, MAX_NAME);
  if (part.kind === "url") {
    const what = ["file", name].filter((word) => word !== "").join(" ");
    return [`[${what} (${type}) at ${oneLine(part.url ?? "", MAX_URL)}, not fetched]`];
  }
  const what = `${part.kind} ${name} (${type}, ${sizeText(part.bytes ?? 0)})`;
  const place =
    part.path === undefined ? `could not be saved: ${oneLine(part.problem ?? "", MAX_NAME)}` : `saved as ${part.path}`;
  return [`[${what} ${place}]`, ...shownData(part.json)];
}

function shownData(json: string | undefined): string[] {
  if (json === undefined) return [];
  const text = plainText(json);
  return limitOutput(text, MAX_SHOWN_BYTES, MAX_SHOWN_LINES).cut ? [] : [text];
}
