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
  const begun = createByteStore();
  let first = true;
  let skipLf = false;

  const checkLength = (more: number): void => {
    if (begun.size() + more > cap) throw tooLong(cap);
  };
  const finish = (chunk: Buffer, start: number, end: number): string => {
    checkLength(end - start);
    let line: string;
    if (begun.size() === 0) line = start === end ? "" : chunk.toString("utf8", start, end);
    else {
      begun.add(chunk.subarray(start, end));
      line = begun.take();
    }
    if (first && line.startsWith(BYTE_ORDER_MARK)) line = line.slice(1);
    first = false;
    return line;
  };

  return {
    push(bytes) {
      if (bytes.length === 0) return [];
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      const lines: string[] = [];
      const from = skipLf && chunk[0] === LF ? 1 : 0;
      const rest = eachLine(chunk, from, (start, end) => lines.push(finish(chunk, start, end)));
      skipLf = chunk.at(-1) === CR;
      checkLength(chunk.length - rest);
      begun.add(chunk.subarray(rest));
      return lines;
    },
    end: () => (begun.size() === 0 ? [] : [finish(Buffer.alloc(0), 0, 0)]),
  };
}

/** Calls `visit` with start and end of each line that has its break in the chunk; returns where the rest starts. */
function eachLine(chunk: Buffer, from: number, visit: (start: number, end: number) => void): number {
  let start = from;
  let lf = chunk.indexOf(LF, start);
  let cr = chunk.indexOf(CR, start);
  while (lf !== -1 || cr !== -1) {
    const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
    visit(start, end);
    start = end === cr && lf === cr + 1 ? end + 2 : end + 1;
    // Searched again only once the break was used up, so that many short lines stay linear.
    if (lf !== -1 && lf < start) lf = nextIndex(chunk, LF, start);
    if (cr !== -1 && cr < start) cr = nextIndex(chunk, CR, start);
  }
  return start;
}

/** `indexOf`, without the price of a call into the runtime when the byte is the next one. */
function nextIndex(chunk: Buffer, byte: number, from: number): number {
  return chunk[from] === byte ? from : chunk.indexOf(byte, from);
}

interface ByteStore {
  size(): number;
  add(bytes: Uint8Array): void;
  /** All bytes as text; the store is empty afterwards. */
  take(): string;
}

/** Copies what it is given into one growing buffer: many small chunks cost no more than their bytes. */
function createByteStore(): ByteStore {
  let buffer = Buffer.alloc(0);
  let size = 0;
  return {
    size: () => size,
    add(bytes) {
      const needed = size + bytes.length;
      if (needed > buffer.length) {
        const larger = Buffer.alloc(Math.max(needed, 2 * buffer.length));
        buffer.copy(larger, 0, 0, size);
        buffer = larger;
      }
      buffer.set(bytes, size);
      size = needed;
    },
    take() {
      const text = buffer.toString("utf8", 0, size);
      size = 0;
      if (buffer.length > KEPT_BYTES) buffer = Buffer.alloc(0);
      return text;
    },
  };
}
