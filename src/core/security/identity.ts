// Owns the name that a caller gives itself: how it travels, how it is read, how it is shown. It proves nothing, so it decides
// nothing: it only helps people to tell callers apart that were let in already.

import type { Principal } from "../ports.ts";
import { oneLine } from "./sanitize.ts";

export const IDENTITY_HEADER = "X-A2A-Identity";

const MOST_LETTERS = 64;
const MOST_SHOWN = 24;
/** Each letter may take four bytes, and each byte three places. */
const MOST_BYTES = MOST_LETTERS * 12;

/** As a header: at most 64 letters; what is not printable ASCII, and the percent sign, as percent-encoded UTF-8. */
export function encodeIdentity(name: string): string {
  const letters = [...name.trim()].slice(0, MOST_LETTERS);
  return letters.map((letter) => (/^[ -$&-~]$/.test(letter) ? letter : encodeURIComponent(whole(letter)))).join("");
}

/** One safe line of at most 64 letters; undefined when the header says nothing. Takes any bytes. */
export function decodeIdentity(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = oneLine(decoded(header.slice(0, MOST_BYTES)), MOST_LETTERS);
  return text === "" ? undefined : text;
}

/** How a caller is shown. A name that a token proves comes first; one that is only asserted is never shown without saying so. */
export function callerLabel({ key, name, asserted }: Principal): string {
  if (asserted === undefined || asserted === name) return name;
  const proven = key.startsWith("peer:") || key.startsWith("gateway:");
  // Short, so that what follows is seen even where the whole is cut.
  const shown = oneLine(asserted, MOST_SHOWN);
  return proven ? `${name} (calls itself ${shown})` : `${shown} (unproven, ${name})`;
}

function whole(letter: string): string {
  return letter.replace(/\p{Cs}/u, "\ufffd");
}

/** Broken escapes stay as they are. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
