// Owns the cutting of an event stream's bytes into lines (CR, LF or CRLF). Bytes are joined before they are decoded, so a
// character cut in two chunks is whole again. Costs stay linear in the bytes, whatever the chunks.

export interface LineSplitter {
  /** The lines that this chunk completes. */
  push(chunk: Uint8Array): string[];
  /** The line that was begun, if any. */
  end(): string[];
}

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = "\ufeff";
/** A larger buffer is given back after the line that needed it. */
const KEPT_BYTES = 64 * 1024;

/** A splitter that throws `tooLong(cap)` for a line of more than `cap` bytes. */
export function createLineSplitter(cap: number, tooLong: (cap: number) => Error): LineSplitter {
  let begun = Buffer.alloc(0);
  let held = 0;
  let first = true;
  let skipLf = false;

  const keep = (piece: Uint8Array): void => {
    const size = held + piece.length;
    if (size > cap) throw tooLong(cap);
    if (size > begun.length) {
      const larger = Buffer.alloc(Math.max(size, 2 * begun.length));
      begun.copy(larger, 0, 0, held);
      begun = larger;
    }
    begun.set(piece, held);
    held = size;
  };
  const finish = (piece: Uint8Array): string => {
    if (held + piece.length > cap) throw tooLong(cap);
    if (held > 0) keep(piece);
    const bytes = held > 0 ? begun.subarray(0, held) : Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const text = bytes.toString("utf8");
    const line = first && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    first = false;
    held = 0;
    if (begun.length > KEPT_BYTES) begun = Buffer.alloc(0);
    return line;
  };

  return {
    push(chunk) {
      if (chunk.length === 0) return [];
      const bytes = skipLf && chunk[0] === LF ? chunk.subarray(1) : chunk;
      skipLf = chunk.at(-1) === CR;
      const pieces = cutAtBreaks(bytes);
      const rest = pieces.pop();
      const lines = pieces.map(finish);
      if (rest !== undefined) keep(rest);
      return lines;
    },
    end: () => (held === 0 ? [] : [finish(new Uint8Array(0))]),
  };
}

/** The bytes between line breaks; the last piece (perhaps empty) has no break after it. */
function cutAtBreaks(bytes: Uint8Array): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  let lf = bytes.indexOf(LF);
  let cr = bytes.indexOf(CR);
  while (lf !== -1 || cr !== -1) {
    const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
    pieces.push(bytes.subarray(start, end));
    start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
    // Searched again only from where the break was used up, so that many short lines stay linear.
    if (lf !== -1 && lf < start) lf = bytes.indexOf(LF, start);
    if (cr !== -1 && cr < start) cr = bytes.indexOf(CR, start);
  }
  pieces.push(bytes.subarray(start));
  return pieces;
}
