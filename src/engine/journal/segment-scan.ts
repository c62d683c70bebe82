// Owns going through all whole lines of a file, a piece at a time, so that nobody waits for a large one. What is no line is counted;
// the rest behind the last newline is a write that never ended, and no line at all.

import type { PlacedFile } from "../../core/platform/journal-files.ts";
import { decodeHead, type LineHead } from "./journal-line.ts";

export interface ScannedLine {
  readonly head: LineHead;
  readonly offset: number;
  /** With its newline; of the buffer that was read, so whoever keeps it copies it. */
  readonly bytes: Buffer;
}

const PIECE = 1024 * 1024;
/** No line is longer; what goes on without a newline is passed over. */
const LONGEST_LINE = 256 * 1024 * 1024;
const NEWLINE = 10;

export interface Scan {
  /** Lines that are damaged. */
  readonly damaged: number;
  /** Behind the last newline: where to go on when the file has grown. */
  readonly end: number;
}

/** `from` is where a line begins. */
export async function scanLines(file: PlacedFile, take: (line: ScannedLine) => void, from = 0): Promise<Scan> {
  let damaged = 0;
  let rest: Buffer = Buffer.alloc(0);
  /** Where `rest` begins in the file. */
  let start = from;
  let skipping = false;
  for (;;) {
    // Twice as much each time, or a long line would be copied again and again.
    const read = await file.read(start + rest.length, Math.max(PIECE, rest.length));
    if (read.length === 0) return { damaged, end: start };
    const piece = rest.length === 0 ? asBuffer(read) : Buffer.concat([rest, read]);
    let at = 0;
    for (let end = piece.indexOf(NEWLINE, rest.length); end !== -1; end = piece.indexOf(NEWLINE, at)) {
      const head = skipping ? undefined : decodeHead(piece.subarray(at, end));
      if (head === undefined) damaged += 1;
      else take({ head, offset: start + at, bytes: piece.subarray(at, end + 1) });
      skipping = false;
      at = end + 1;
    }
    start += at;
    rest = piece.subarray(at);
    if (rest.length <= LONGEST_LINE) continue;
    start += rest.length;
    rest = Buffer.alloc(0);
    skipping = true;
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
