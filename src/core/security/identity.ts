// Owns the name that a caller gives itself: how it travels, how it is read, how it is shown. It proves nothing, so it decides
// nothing: it only helps people to tell callers apart that were let in already.

import { isObject } from "../platform/json.ts";
import type { Principal } from "../ports.ts";
import type { Message } from "../protocol/types.ts";
import { oneLine } from "./sanitize.ts";

export const IDENTITY_HEADER = "X-A2A-Identity";
/** In a message's metadata: `{name, identity?}` of the session that sent it. */
export const SELF_KEY = "pi/self";

const MOST_LETTERS = 64;
const MOST_SHOWN = 24;
/** Each letter may take four bytes, and each byte three places. */
const MOST_BYTES = MOST_LETTERS * 12;

/** At most 64 letters. */
export function shortName(name: string): string {
  return [...name.trim()].slice(0, MOST_LETTERS).join("");
}

/** As a header: at most 64 letters; what is not printable ASCII, and the percent sign, as percent-encoded UTF-8. */
export function encodeIdentity(name: string): string {
  return [...shortName(name)]
    .map((letter) => (/^[ -$&-~]$/.test(letter) ? letter : encodeURIComponent(whole(letter))))
    .join("");
}

/** One safe line of at most 64 letters; undefined when the header says nothing. Takes any bytes. */
export function decodeIdentity(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = oneLine(decoded(header.slice(0, MOST_BYTES)), MOST_LETTERS);
  return text === "" ? undefined : text;
}

/** The caller, with the name that its message gives when no header did. */
export function withSelfOf(caller: Principal, { metadata }: Pick<Message, "metadata">): Principal {
  const self = caller.asserted === undefined ? metadata?.[SELF_KEY] : undefined;
  if (!isObject(self)) return caller;
  const name = [self.identity, self.name].find((text) => typeof text === "string" && text.trim() !== "");
  const asserted = typeof name === "string" ? oneLine(name, MOST_LETTERS) : "";
  return asserted === "" ? caller : { ...caller, asserted };
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
