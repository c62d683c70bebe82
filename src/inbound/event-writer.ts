// Writes server-sent events to one response: headers at once, a comment in every silence, no more than the reader takes.
// Knows nothing of what the events say.

import type { Clock, Timer } from "../core/platform/clock.ts";
import { encodeSseComment } from "../core/protocol/sse.ts";
import { type Exchange, limitLastRead, limitReader } from "./exchange.ts";

export const COMMENT_AFTER_MS = 3000;
/** Events wait for others so long or until they are so many letters, whichever comes first. */
const JOIN_TURNS = 24;
const JOIN_MS = 2;
const JOIN_LETTERS = 16_384;

// The directives are for proxies: nothing between us and the reader may hold events back or pack them.
const HEADERS = [
  "Content-Type",
  "text/event-stream",
  "Cache-Control",
  "no-store, no-transform",
  "X-Accel-Buffering",
  "no",
];

export interface EventWriter {
  /** Sends encoded events. What it gives resolves when the reader can take more, or is gone; nothing when it can take more now. */
  write(text: string): Promise<void> | undefined;
  /** Sends `text` and ends the response; later calls do nothing. */
  end(text?: string): void;
}

/**
 * Lets the events of a few turns of the event loop leave in one piece: one that leaves alone wakes its reader for itself, which costs
 * more than the event. Turns of an idle event loop take microseconds, those of a busy one count by their time.
 */
export function startEventWriter(exchange: Exchange, clock: Clock): EventWriter {
  const { response } = exchange;
  response.writeHead(200, HEADERS);
  response.flushHeaders();

  let waiting = "";
  let turn: Timer | undefined;
  let lastByteAt = clock.monotonic();
  let wake: (() => void) | undefined;
  let reader: Timer | undefined;
  const send = (text: string): void => {
    lastByteAt = clock.monotonic();
    if (!response.write(text) && response.writableNeedDrain) reader ??= limitReader(exchange, clock);
  };
  const takeWaiting = (): string => {
    turn?.stop();
    turn = undefined;
    const text = waiting;
    waiting = "";
    return text;
  };
  const leave = (): void => {
    const text = takeWaiting();
    if (text !== "" && !exchange.ended() && !response.writableEnded) send(text);
  };
  const join = (): void => {
    const until = clock.monotonic() + JOIN_MS;
    let turns = 0;
    const wait = (): void => {
      turns += 1;
      if (turns >= JOIN_TURNS || clock.monotonic() >= until) leave();
      else turn = clock.defer(wait);
    };
    turn = clock.defer(wait);
  };
  const ready = (): void => {
    reader?.stop();
    reader = undefined;
    wake?.();
    wake = undefined;
  };
  const check = (): void => {
    const silence = clock.monotonic() - lastByteAt;
    const due = silence >= COMMENT_AFTER_MS;
    // A reader that is behind has bytes waiting; a comment would only add to them.
    if (due && !response.writableNeedDrain) send(encodeSseComment());
    timer = clock.after(due ? COMMENT_AFTER_MS : COMMENT_AFTER_MS - silence, check);
  };
  let timer: Timer = clock.after(COMMENT_AFTER_MS, check);
  response.on("drain", ready);
  exchange.onEnd(() => {
    timer.stop();
    takeWaiting();
    ready();
  });

  return {
    write(text) {
      if (exchange.ended() || response.writableEnded) return undefined;
      waiting += text;
      if (waiting.length >= JOIN_LETTERS || response.writableNeedDrain) leave();
      else if (turn === undefined) join();
      if (!response.writableNeedDrain || exchange.ended()) return undefined;
      return new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    end(text = "") {
      timer.stop();
      const last = takeWaiting() + text;
      if (exchange.ended() || response.writableEnded) return;
      response.end(last);
      limitLastRead(exchange, clock);
    },
  };
}
