import type { StoredEntry } from "../../src/engine/event-sink.ts";
import { encodeLine } from "../../src/engine/journal/journal-line.ts";

/** A line of a journal with its newline, as it is on disk. */
export function lineBytes(entry: StoredEntry, n: number): Buffer {
  return Buffer.from(encodeLine(entry, n).text);
}
