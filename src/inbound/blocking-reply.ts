// Answers a call that may take long: quick results as one plain reply, slow ones kept alive with headers and blanks before
// the JSON, which is legal JSON and keeps clients and proxies from giving up.

import type { Clock, Timer } from "../core/platform/clock.ts";
import type { A2aError } from "../core/platform/errors.ts";
import type { RpcId } from "../core/protocol/jsonrpc.ts";
import { type Exchange, limitLastRead } from "./exchange.ts";
import { errorReply, jsonReply, type Reply, type ReplyDeps, sendReply } from "./reply.ts";

export const HEADERS_AFTER_MS = 2000;
export const BLANK_EVERY_MS = 3000;

// Without X-Accel-Buffering a proxy keeps the blanks to itself.
const HEADERS = ["Content-Type", "application/json", "Cache-Control", "no-store", "X-Accel-Buffering", "no"];

/** Replies with what `work` gives, or with the error it throws. Resolves when all is handed to the connection. */
export async function sendWhenDone(
  exchange: Exchange,
  id: RpcId,
  work: Promise<string>,
  { clock, toWire, unread, outbox }: ReplyDeps,
): Promise<void> {
  const finish = startKeepAlive(exchange, clock);
  const fail = (error: A2aError): void => finish(errorReply(id, { error }), (reply) => void sendReply(exchange, reply));
  exchange.onStop(fail);
  const sent = (): void => {
    exchange.answers("reply");
    limitLastRead(exchange, clock);
  };
  try {
    const body = await work;
    unread.add(exchange, body.length);
    finish(jsonReply(body), (reply) => outbox.send(exchange, reply, sent), sent);
  } catch (error) {
    fail(toWire(error));
  }
}

/** Gives the reply to `sendWhole`, unless only its body is left to send; `sent` is called then. */
type Finish = (reply: Reply, sendWhole: (reply: Reply) => void, sent?: () => void) => void;

/** Keeps the connection alive until the returned function is called. */
function startKeepAlive(exchange: Exchange, clock: Clock): Finish {
  const { response } = exchange;
  const sendBlank = (): void => {
    response.write(" ");
  };
  let begun = false;
  let timer: Timer = clock.after(HEADERS_AFTER_MS, () => {
    begun = true;
    response.writeHead(200, HEADERS);
    sendBlank();
    timer = clock.every(BLANK_EVERY_MS, sendBlank);
  });
  exchange.onEnd(() => timer.stop());

  return (reply, sendWhole, sent) => {
    timer.stop();
    if (!begun) return sendWhole(reply);
    if (exchange.ended() || response.writableEnded) return;
    response.end(reply.body);
    sent?.();
  };
}
