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
  return {
    chunks: () => readChunks(source),
    text: () => readText(source, maxBytes),
    close: source.close,
  };
}

async function* readChunks(source: BodySource): AsyncGenerator<Uint8Array, void> {
  try {
    for await (const chunk of source.stream) {
      source.onBytes();
      yield chunk;
    }
  } catch (fault) {
    throw source.explain(fault);
  } finally {
    source.close();
  }
}

async function readText(source: BodySource, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  if ((source.announced ?? 0) > maxBytes) {
    source.close();
    throw tooLarge(source.host, maxBytes);
  }
  let text = "";
  let bytes = 0;
  for await (const chunk of readChunks(source)) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(source.host, maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
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
