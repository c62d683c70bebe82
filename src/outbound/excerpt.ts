// Owns the short piece of a peer's error page that goes into a message: readable text, one line, no markup. Pure.

import { oneLine } from "../core/security/sanitize.ts";

/** More of a page is never looked at: its first lines say what it is. */
const LOOKED_AT = 4096;
const SHOWN = 160;

/** The text in quotation marks, or "" when there is none. */
export function excerpt(body: string, contentType = ""): string {
  const head = body.slice(0, LOOKED_AT);
  const text = contentType.includes("html") || /^\s*<(!doctype|html)/i.test(head) ? withoutMarkup(head) : head;
  const line = oneLine(text, SHOWN);
  return line === "" ? "" : `"${line}"`;
}

function withoutMarkup(html: string): string {
  return html
    .replace(/<(script|style)\b[^>]*>[\s\S]*?(<\/\1>|$)/gi, " ")
    .replace(/<[^>]*(>|$)/g, " ")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_all, name: string) => ENTITIES[name] ?? " ");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };
