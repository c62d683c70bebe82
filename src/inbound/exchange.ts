// One request and its response as a thing with a lifetime: it ends when the reply is out or the connection is gone,
// whichever comes first, and everything that hangs on it is told once.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock, Timer } from "../core/platform/clock.ts";
import type { A2aError } from "../core/platform/errors.ts";
import { createStopper, type StopSignal } from "../core/platform/stop-signal.ts";
import type { Replied } from "../engine/engine-types.ts";

/** Longest time that a reader may take for what waits for it, so that one byte a second does not hold a connection. */
export const READER_MS = 300_000;

const ignore = (): undefined => undefined;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** True once the reply is out or the connection is gone. */
  readonly ended: () => boolean;
  /** Calls back when the exchange ends; at once when it has ended. */
  readonly onEnd: (listener: () => void) => void;
  /** What is written from now on is what was asked for, whole or as a stream, and no error; not called for an error. */
  readonly answers: (how: Exclude<Replied, "lost">) => void;
  /** Calls back when the exchange ends: what was asked for has left to its last byte, or it has not. */
  readonly onReplied: (listener: (how: Replied) => void) => void;
  /** A signal that aborts when the exchange ends and what was asked for has not left: nobody waits for the work any more. */
  readonly signal: () => StopSignal;
  /** How to answer when the exchange must end early; a later call replaces it. */
  readonly onStop: (answer: (error: A2aError) => void) => void;
  /** Answers as `onStop` said; nothing when the exchange has ended. */
  readonly stop: (error: A2aError) => void;
}

export function openExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  const { socket } = request;
  let listeners: (() => void)[] | undefined = [];
  let answer: ((error: A2aError) => void) | undefined;
  let answered: Replied = "lost";
  let flushed = false;

  const end = (): void => {
    const told = listeners ?? [];
    listeners = undefined;
    response.off("close", end);
    socket.off("close", end);
    for (const listener of told) listener();
  };
  // First of all who hear it, because others end the connection. The last bytes of a broken one count as finished, too.
  response.prependListener("finish", () => {
    flushed = !socket.destroyed && socket.errored === null;
  });
  // A response that waits behind another one on its connection hears nothing of the connection's end: ask the socket too.
  response.on("close", end);
  socket.on("close", end);
  // Connections break at any time. Their end is what counts, and it is told above; unheard errors would end the process.
  request.on("error", ignore);
  response.on("error", ignore);

  const onEnd = (listener: () => void): void => {
    if (listeners === undefined) listener();
    else listeners.push(listener);
  };
  return {
    request,
    response,
    // A destroyed socket tells of its end only on a later turn, and what is written until then would be kept for nobody.
    ended: () => listeners === undefined || socket.destroyed,
    onEnd,
    answers(how) {
      answered = how;
    },
    onReplied: (listener) => onEnd(() => listener(flushed ? answered : "lost")),
    signal() {
      const stopper = createStopper();
      onEnd(() => {
        if (!flushed || answered === "lost") stopper.stop();
      });
      return stopper.signal;
    },
    onStop(next) {
      answer = next;
    },
    stop(error) {
      if (listeners !== undefined) answer?.(error);
    },
  };
}

/** Cuts the connection when its reader does not take what waits for it in time; stop the timer when it has. */
export function limitReader({ request, ended }: Exchange, clock: Clock): Timer {
  return clock.after(READER_MS, () => {
    if (!ended()) request.socket.destroy();
  });
}

/** The same for a response that is complete, if anything of it waits for its reader and not for a response before it. */
export function limitLastRead(exchange: Exchange, clock: Clock): void {
  const { response, ended } = exchange;
  if (ended() || response.socket === null || response.writableLength === 0) return;
  const timer = limitReader(exchange, clock);
  exchange.onEnd(() => timer.stop());
}
