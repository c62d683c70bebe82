// Owns one exchange with the server on a bare socket: bytes out in pieces, and all that comes back until it is over.

import { connect } from "node:net";

/** From here on nobody waits for an answer any more. */
const GIVE_UP_MS = 10_000;
/** An event stream may last as long as its task: once it runs, nothing more is learned from it. */
const STREAM_MS = 100;
const STREAM = "text/event-stream";
/** A server that has heard half a request waits for the rest: after so long a silence there will be none. */
const SILENCE_MS = 200;

export interface Exchange {
  readonly pieces: readonly Buffer[];
  /** True once the answer is whole; absent when nobody can say, then we end our side after a silence. */
  readonly isWhole?: (received: Buffer) => boolean;
}

export interface Answer {
  readonly received: Buffer;
  /** `whole`: answered; `closed`: the server ended it; `stream`: we left a stream that ran; `silent`: given up. */
  readonly end: "whole" | "closed" | "stream" | "silent";
  /** From the last byte or end of ours. */
  readonly ms: number;
}

/** Never throws: a connection that breaks has ended. */
export function exchange(port: number, { pieces, isWhole }: Exchange): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let received = Buffer.alloc(0);
    let since = performance.now();
    let streaming: NodeJS.Timeout | undefined;
    let silence: NodeJS.Timeout | undefined;
    const giveUp = setTimeout(() => finish("silent"), GIVE_UP_MS);
    const finish = (end: Answer["end"]): void => {
      for (const timer of [giveUp, streaming, silence]) clearTimeout(timer);
      socket.destroy();
      resolve({ received, end, ms: performance.now() - since });
    };
    const waitForSilence = (): void => {
      if (isWhole !== undefined || socket.writableEnded) return;
      clearTimeout(silence);
      silence = setTimeout(() => {
        since = performance.now();
        socket.end();
      }, SILENCE_MS);
    };
    socket.on("error", () => undefined);
    socket.on("end", () => finish("closed")).on("close", () => finish("closed"));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      waitForSilence();
      if (isWhole?.(received) === true) finish("whole");
      else if (streaming === undefined && chunk.includes(STREAM)) {
        streaming = setTimeout(() => finish("stream"), STREAM_MS);
      }
    });
    void sendAll(pieces, (piece) => new Promise((sent) => socket.write(piece, () => sent(undefined)))).then(() => {
      since = performance.now();
      waitForSilence();
    });
  });
}

async function sendAll(pieces: readonly Buffer[], send: (piece: Buffer) => Promise<void>): Promise<void> {
  for (const piece of pieces) {
    await send(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
