// Writes server-sent events to one response: headers at once, a comment in every silence, no more than the reader takes.
// Knows nothing of what the events say.

import type { Clock, Timer } from "../core/platform/clock.ts";
import { encodeSseComment } from "../core/protocol/sse.ts";
import { type Exchange, limitLastRead, limitReader } from "./exchange.ts";

export const COMMENT_AFTER_MS = 3000;

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

  const joinWrites = createWriteJoiner(exchange);
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
    ready();
  });

  return {
    async write(text) {
      if (exchange.ended() || response.writableEnded) return;
      joinWrites();
      if (!send(text) && !exchange.ended())
        await new Promise<void>((resolve) => {
          wake = resolve;
          reader = limitReader(exchange, clock);
        });
    },
    end(text = "") {
      timer.stop();
      if (exchange.ended() || response.writableEnded) return;
      // Node 24 writes the end of a chunked body before what is still corked.
      while (response.writableCorked > 0) response.uncork();
      response.end(text);
      limitLastRead(exchange, clock);
    },
  };
}

/** Lets all events of one turn of the event loop leave in one packet. */
function createWriteJoiner({ response }: Exchange): () => void {
  let joining = false;
  return () => {
    if (joining) return;
    joining = true;
    response.cork();
    process.nextTick(() => {
      joining = false;
      if (!response.writableEnded) response.uncork();
    });
  };
}
