// Owns reading the body of an answer: the cap, the watch for silence, one error for every way a body can end badly.

import type { Clock, Timer } from "./clock.ts";
import { tooLarge } from "./http-errors.ts";
import type { HttpResponse } from "./http-types.ts";

/** Where a body comes from. */
export interface BodySource {
  readonly host: string;
  readonly stream: AsyncIterable<Uint8Array>;
  /** The length that the header announced. */
  readonly announced: number | undefined;
  /** Called for each chunk. */
  readonly onBytes: () => void;
  /** Ends the connection unless the body was read to its end. */
  readonly close: () => void;
  /** The error to throw for a fault of the stream. */
  readonly explain: (fault: unknown) => Error;
}

export function bodyOf(source: BodySource, maxBytes: number): Pick<HttpResponse, "text" | "chunks" | "close"> {
  const chunks = (): AsyncIterable<Uint8Array> => readChunks(source, maxBytes);
  return { chunks, text: () => readText(chunks()), close: source.close };
}

async function* readChunks(source: BodySource, maxBytes: number): AsyncGenerator<Uint8Array, void> {
  try {
    if ((source.announced ?? 0) > maxBytes) throw tooLarge(source.host, maxBytes);
    let bytes = 0;
    for await (const chunk of source.stream) {
      source.onBytes();
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(source.host, maxBytes);
      yield chunk;
    }
  } catch (fault) {
    throw source.explain(fault);
  } finally {
    source.close();
  }
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Calls `onSilent` once when `touch` was not called for `ms`. */
export interface SilenceWatch {
  touch(): void;
  stop(): void;
}

/** Costs one timer per silence limit, not one per chunk. */
export function watchSilence(clock: Clock, ms: number, onSilent: () => void): SilenceWatch {
  let last = clock.monotonic();
  let timer: Timer;
  const arm = (wait: number): void => {
    timer = clock.after(wait, () => {
      const left = last + ms - clock.monotonic();
      if (left > 0) arm(left);
      else onSilent();
    });
  };
  arm(ms);
  return {
    touch: () => {
      last = clock.monotonic();
    },
    stop: () => timer.stop(),
  };
}

/** Content-Length as a number; anything but digits counts as absent. */
export function announcedLength(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}
