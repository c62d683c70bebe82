// Writes server-sent events to one response: headers at once, a comment in every silence, no more than the reader takes.
// Knows nothing of what the events say.

import type { Clock, Timer } from "../core/platform/clock.ts";
import { encodeSseComment } from "../core/protocol/sse.ts";
import { type Exchange, limitLastRead, limitReader } from "./exchange.ts";

export const COMMENT_AFTER_MS = 3000;
/** Events wait for others so long, whichever comes first. */
const JOIN_TURNS = 8;
const JOIN_MS = 2;

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
  /** Sends encoded events. Resolves when the reader can take more, or at once when it is gone. */
  write(text: string): Promise<void>;
  /** Sends `text` and ends the response; later calls do nothing. */
  end(text?: string): void;
}

export function startEventWriter(exchange: Exchange, clock: Clock): EventWriter {
  const { response } = exchange;
  response.writeHead(200, HEADERS);
  response.flushHeaders();

  const joiner = createWriteJoiner(exchange, clock);
  let lastByteAt = clock.monotonic();
  let wake: (() => void) | undefined;
  let reader: Timer | undefined;
  const ready = (): void => {
    reader?.stop();
    wake?.();
    wake = undefined;
  };
  const send = (text: string): boolean => {
    lastByteAt = clock.monotonic();
    return response.write(text);
  };
  const check = (): void => {
    const silence = clock.monotonic() - lastByteAt;
    const due = silence >= COMMENT_AFTER_MS;
    // A reader that is behind has bytes waiting; a comment would only add to them.
    if (due && wake === undefined) send(encodeSseComment());
    timer = clock.after(due ? COMMENT_AFTER_MS : COMMENT_AFTER_MS - silence, check);
  };
  let timer: Timer = clock.after(COMMENT_AFTER_MS, check);
  response.on("drain", ready);
  exchange.onEnd(() => {
    timer.stop();
    joiner.release();
    ready();
  });

  return {
    async write(text) {
      if (exchange.ended() || response.writableEnded) return;
      joiner.join();
      if (send(text) || exchange.ended()) return;
      joiner.release();
      if (response.writableNeedDrain)
        await new Promise<void>((resolve) => {
          wake = resolve;
          reader = limitReader(exchange, clock);
        });
    },
    end(text = "") {
      timer.stop();
      joiner.release();
      if (exchange.ended() || response.writableEnded) return;
      // Node 24 writes the end of a chunked body before what is still corked.
      while (response.writableCorked > 0) response.uncork();
      response.end(text);
      limitLastRead(exchange, clock);
    },
  };
}

interface WriteJoiner {
  /** What is written from now on waits for others. */
  join(): void;
  /** What waits leaves now. */
  release(): void;
}

/**
 * Lets the events of a few turns of the event loop leave in one packet: one that leaves alone wakes its reader for itself, which costs
 * more than the event. Turns of an idle event loop take microseconds, those of a busy one count by their time.
 */
function createWriteJoiner({ response }: Exchange, clock: Clock): WriteJoiner {
  let turn: Timer | undefined;
  const release = (): void => {
    turn?.stop();
    turn = undefined;
    if (!response.writableEnded && response.writableCorked > 0) response.uncork();
  };
  return {
    join() {
      if (turn !== undefined) return;
      response.cork();
      const until = clock.monotonic() + JOIN_MS;
      let turns = 0;
      const wait = (): void => {
        turns += 1;
        if (turns >= JOIN_TURNS || clock.monotonic() >= until) release();
        else turn = clock.defer(wait);
      };
      turn = clock.defer(wait);
    },
    release,
  };
}
