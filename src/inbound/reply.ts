// Writes whole replies: one buffer with Content-Length. A reply to a request whose body was not read closes the connection,
// after a bounded time in which the caller can finish sending and read it.

import type { Clock } from "../core/platform/clock.ts";
import { type A2aError, ERRORS } from "../core/platform/errors.ts";
import { encodeRpcError, type RpcId } from "../core/protocol/jsonrpc.ts";
import type { Exchange } from "./exchange.ts";
import type { Refusal } from "./guards.ts";
import type { UnreadReplies } from "./unread-replies.ts";

/** What every way of replying needs. */
export interface ReplyDeps {
  readonly clock: Clock;
  /** The error as callers may see it; logs what they may not. */
  readonly toWire: (error: unknown) => A2aError;
  readonly unread: UnreadReplies;
  readonly outbox: Outbox;
}

/** Sends whole replies of one turn of the event loop together. */
export interface Outbox {
  /** As `sendReply`, at the end of this turn; calls back when it was handed to the connection. */
  send(exchange: Exchange, reply: Reply, sent?: () => void): void;
  /** Sends at once what waits for the end of the turn. */
  flush(): void;
}

export interface Reply {
  readonly status: number;
  /** Header names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string;
}

export const LINGER_MS = 1000;
const LINGER_BYTES = 8 * 1024 * 1024;
const JSON_HEADERS = ["Content-Type", "application/json", "Cache-Control", "no-store"];

export function jsonReply(body: string): Reply {
  return { status: 200, headers: JSON_HEADERS, body };
}

/** A JSON-RPC error under the HTTP status of its code, or of the refusal (A2A 1.0 §9.5). */
export function errorReply(id: RpcId, { error, status, headers = [] }: Refusal): Reply {
  const retry = error.retryAfterSec === undefined ? [] : ["Retry-After", String(Math.ceil(error.retryAfterSec))];
  return {
    status: status ?? ERRORS[error.code].http,
    headers: [...JSON_HEADERS, ...retry, ...headers],
    body: encodeRpcError(id, error),
  };
}

/** A reply that leaves alone wakes its reader for itself, which costs more than the rest of it; together they wake one reader once. */
export function createOutbox({ clock, toWire }: Pick<ReplyDeps, "clock" | "toWire">): Outbox {
  let waiting: { readonly exchange: Exchange; readonly reply: Reply; readonly sent: (() => void) | undefined }[] = [];
  const sendAll = (): void => {
    const replies = waiting;
    waiting = [];
    for (const { exchange, reply, sent } of replies) {
      try {
        if (sendReply(exchange, reply)) sent?.();
      } catch (error) {
        exchange.stop(toWire(error));
      }
    }
  };
  return {
    send(exchange, reply, sent) {
      if (waiting.length === 0) clock.defer(sendAll);
      waiting.push({ exchange, reply, sent });
    },
    flush: sendAll,
  };
}

/** Replies to a request that was read to its end; false, and nothing is done, when the exchange has ended or a reply has begun. */
export function sendReply({ response, ended }: Exchange, { status, headers, body }: Reply): boolean {
  if (ended() || response.headersSent) return false;
  response.writeHead(status, withLength(status, headers, body)).end(body);
  return true;
}

/**
 * Replies while the caller may still be sending a body that nobody reads, and closes the connection. Not at once: closing a
 * socket with unread bytes resets it, and the reset can overtake the reply.
 */
export function sendEarlyReply(exchange: Exchange, reply: Reply, clock: Clock): void {
  if (exchange.request.complete) sendReply(exchange, reply);
  else replyAndLinger(exchange, reply, clock);
}

function replyAndLinger(exchange: Exchange, { status, headers, body }: Reply, clock: Clock): void {
  const { request, response, ended } = exchange;
  if (ended() || response.headersSent) return;
  response.writeHead(status, [...withLength(status, headers, body), "Connection", "close"]);
  response.write(body);

  let discarded = 0;
  const finish = (): void => {
    timer.stop();
    response.end();
  };
  const timer = clock.after(LINGER_MS, finish);
  exchange.onEnd(() => timer.stop());
  exchange.onStop(finish);
  request.on("end", finish).on("data", (piece: Buffer) => {
    discarded += piece.length;
    if (discarded > LINGER_BYTES) request.pause();
  });
  request.resume();
}

function withLength(status: number, headers: readonly string[], body: string): string[] {
  const bodiless = status === 204 || status === 304;
  return bodiless ? [...headers] : [...headers, "Content-Length", String(Buffer.byteLength(body))];
}
