// Owns the names of files and folders that are made from what others wrote (DESIGN §5): file names of parts, ids of peers. A name
// made here is one path segment on every system, no device, hidden file or option, and needs no quotes in a shell.

import { createHash } from "node:crypto";

const MAX_LETTERS = 80;
/** File systems take 255; the rest is room for a number that keeps equal names apart and for a temporary suffix. */
const MAX_BYTES = 180;
const MAX_EXTENSION = 16;

/** Windows takes these for devices, whatever extension follows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A safe name from the last segment of `name`: letters, digits, `.`, `_`, `-`, at most 80 letters, its extension kept; from
 * `fallback`, which must be safe, when nothing of it is left.
 */
export function safeFileName(name: string, fallback: string): string {
  const segment = name.split(/[/\\]/).findLast((part) => /[\p{L}\p{N}]/u.test(part)) ?? "";
  const letters = segment.normalize("NFC").replace(/[^\p{L}\p{M}\p{Nd}._-]+/gu, "_");
  const plain = letters.slice(0, endOfName(letters)).replace(/^[._-]+/, "");
  if (plain === "") return fallback;
  return shortened(DEVICE.test(plain) ? `file_${plain}` : plain);
}

/** `name`, or the first of `name-2`, `name-3` … (before the extension) that `isTaken` does not have. */
export function freeFileName(name: string, isTaken: (name: string) => boolean): string {
  let count = 1;
  while (isTaken(numberedName(name, count))) count++;
  return numberedName(name, count);
}

/** `a.txt` as number 2 is `a-2.txt`; as number 1 it is itself. */
export function numberedName(name: string, count: number): string {
  const [stem, extension] = splitExtension(name);
  return count === 1 ? name : `${stem}-${count}${extension}`;
}

/** What a file system that ignores case and the spelling of accents takes for the same name. */
export function nameKey(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** An id as a name: as it is when it is `[a-z0-9-]{1,64}`, else by its hash, so that two ids never share one. */
export function idFileName(id: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(id) && !DEVICE.test(id)) return id;
  return `h-${createHash("sha256").update(id).digest("hex")}`;
}

/** Before the signs at the end; a regular expression would try each of them anew. */
function endOfName(letters: string): number {
  let end = letters.length;
  while (end > 0 && "._-".includes(letters[end - 1] ?? " ")) end--;
  return end;
}

function shortened(name: string): string {
  const [stem, extension] = splitExtension(name);
  const letters = [...stem].slice(0, MAX_LETTERS - extension.length);
  while (Buffer.byteLength(letters.join("")) > MAX_BYTES - Buffer.byteLength(extension)) letters.pop();
  return letters.join("") + extension;
}

/** `a.tar.gz` -> `a.tar`, `.gz`; a longer extension than any real one belongs to the name. */
function splitExtension(name: string): [stem: string, extension: string] {
  const at = name.lastIndexOf(".");
  return at <= 0 || name.length - at > MAX_EXTENSION ? [name, ""] : [name.slice(0, at), name.slice(at)];
}
