// Reads the body of one request: capped, timed, and gone with its connection. Leaves what it did not read to the caller.

import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { Clock, Timer } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";

export const MAX_BODY_BYTES = 5 * 1024 * 1024;
/** Longest pause between two pieces. */
export const BODY_IDLE_MS = 15_000;
/** Longest time for a whole body, so that one byte a second does not hold a connection. */
export const BODY_TOTAL_MS = 60_000;
/** What bodies that are still arriving may hold, all callers together. Small ones always have room. */
const MAX_ARRIVING_BYTES = 128 * 1024 * 1024;
const SMALL_BYTES = 64 * 1024;
const RETRY_AFTER_SEC = 5;

/** Counts the bytes of bodies that are not complete yet. */
export interface ArrivingBodies {
  /** Counts `bytes` more of a body that has `size` now, until they are given back. Throws BUSY when there is no room. */
  take(bytes: number, size: number): void;
  giveBack(bytes: number): void;
}

export function createArrivingBodies(max = MAX_ARRIVING_BYTES): ArrivingBodies {
  let total = 0;
  return {
    take(bytes, size) {
      total += bytes;
      if (total <= max || size <= SMALL_BYTES) return;
      throw new A2aError("BUSY", `too many large requests are arriving at once (${max} bytes)`, {
        hint: "Send the request again in a moment.",
        retryAfterSec: RETRY_AFTER_SEC,
      });
    },
    giveBack(bytes) {
      total -= bytes;
    },
  };
}

/**
 * The body as text. Throws BODY_TOO_LARGE, BODY_TIMEOUT, BUSY, PARSE_ERROR (not UTF-8), or INVALID_REQUEST when the
 * connection ended before the body did; after a throw the request is paused with bytes still unread.
 */
export function readBody(request: IncomingMessage, clock: Clock, arriving: ArrivingBodies): Promise<string> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let size = 0;

    const settle = (): void => {
      watch.stop();
      arriving.giveBack(size);
      request.socket.off("close", onClose);
    };
    const fail = (error: unknown): void => {
      settle();
      request.off("data", onData).off("end", onEnd);
      request.pause();
      reject(error);
    };
    const onData = (piece: Buffer): void => {
      size += piece.length;
      pieces.push(piece);
      watch.touch();
      try {
        arriving.take(piece.length, size);
        if (size > MAX_BODY_BYTES) throw tooLarge("too many");
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = (): void => {
      settle();
      const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      if (isUtf8(bytes)) resolve(bytes.toString("utf8"));
      else reject(new A2aError("PARSE_ERROR", "the body is not UTF-8"));
    };
    const onClose = (): void =>
      fail(new A2aError("INVALID_REQUEST", `the connection ended after ${size} bytes of the body`));

    const watch = watchArrival(clock, (text) => fail(new A2aError("BODY_TIMEOUT", text)));
    request.on("data", onData).on("end", onEnd);
    request.socket.on("close", onClose);
  });
}

interface ArrivalWatch {
  /** A piece arrived. */
  touch(): void;
  stop(): void;
}

/** `size` as text: the number of bytes, or what is known of it. */
export function tooLarge(size: string): A2aError {
  return new A2aError("BODY_TOO_LARGE", `the body has ${size} bytes; at most ${MAX_BODY_BYTES} are read`);
}

/** One timer for both limits: pieces only note their time, so a body of many pieces sets few timers. */
function watchArrival(clock: Clock, late: (text: string) => void): ArrivalWatch {
  const startedAt = clock.monotonic();
  let lastAt = startedAt;
  const check = (): void => {
    const now = clock.monotonic();
    const left = Math.min(lastAt + BODY_IDLE_MS, startedAt + BODY_TOTAL_MS) - now;
    if (left > 0) timer = clock.after(left, check);
    else if (now - lastAt >= BODY_IDLE_MS) late(`no byte of the body came for ${BODY_IDLE_MS / 1000} s`);
    else late(`the body took longer than ${BODY_TOTAL_MS / 1000} s`);
  };
  let timer: Timer = clock.after(BODY_IDLE_MS, check);
  return {
    touch: () => {
      lastAt = clock.monotonic();
    },
    stop: () => timer.stop(),
  };
}
