// Bounds what all callers together leave unread: a reply stays in memory until its reader takes it, and one small packet can ask
// for many large ones. Refuses nobody; the connection that leaves most unread is cut.

import type { Socket } from "node:net";
import type { Exchange } from "./exchange.ts";

const MAX_UNREAD = 64 * 1024 * 1024;

export interface UnreadReplies {
  /** Counts a reply of so many characters until it has left, and cuts the worst reader while all together are too many. */
  add(exchange: Pick<Exchange, "request" | "onEnd">, length: number): void;
}

export function createUnreadReplies(max = MAX_UNREAD): UnreadReplies {
  const held = new Map<Socket, number>();
  let total = 0;

  const change = (socket: Socket, by: number): void => {
    const length = (held.get(socket) ?? 0) + by;
    total += by;
    if (length === 0) held.delete(socket);
    else held.set(socket, length);
  };
  /** What it held goes with it, so it is counted no more. */
  const cutWorst = (): void => {
    const [worst] = [...held].reduce((most, one) => (one[1] > most[1] ? one : most));
    change(worst, -(held.get(worst) ?? 0));
    worst.destroy();
  };
  return {
    add({ request: { socket }, onEnd }, length) {
      if (socket.destroyed) return;
      change(socket, length);
      onEnd(() => {
        if (!socket.destroyed) change(socket, -length);
        else if (held.has(socket)) change(socket, -(held.get(socket) ?? 0));
      });
      while (total > max) cutWorst();
    },
  };
}
