// Owns when the requests of one connection begin. A client may send hundreds in one packet: each begins on a turn of its own and
// only some at a time, so that neither other callers nor the host that shares the event loop are held up.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Clock, Timer } from "../core/platform/clock.ts";

/** Requests of one connection that are at work at the same time. */
export const MAX_AT_WORK = 16;
/** Requests that may wait behind those; a connection that sends more is cut. */
export const MAX_IN_LINE = 256;

export interface Pipelines {
  /** Begins the request now or in its turn; never when its connection has gone before. */
  take(request: IncomingMessage, response: ServerResponse): void;
  /** True when a reply has begun on this connection. */
  replying(socket: Duplex): boolean;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Line {
  readonly atWork: Set<ServerResponse>;
  readonly waiting: Exchange[];
  turn: Timer | undefined;
}

export function createPipelines(
  clock: Clock,
  begin: (request: IncomingMessage, response: ServerResponse) => void,
): Pipelines {
  const lines = new WeakMap<Duplex, Line>();

  const start = (line: Line, { request, response }: Exchange): void => {
    line.atWork.add(response);
    response.on("close", () => {
      line.atWork.delete(response);
      schedule(line);
    });
    begin(request, response);
  };
  const schedule = (line: Line): void => {
    if (line.turn !== undefined || line.waiting.length === 0 || line.atWork.size >= MAX_AT_WORK) return;
    line.turn = clock.defer(() => {
      line.turn = undefined;
      const next = line.waiting.shift();
      if (next === undefined || next.request.socket.destroyed) return;
      start(line, next);
      schedule(line);
    });
  };

  return {
    take(request, response) {
      const { socket } = request;
      const line = lines.get(socket) ?? { atWork: new Set(), waiting: [], turn: undefined };
      lines.set(socket, line);
      if (line.atWork.size === 0 && line.waiting.length === 0) return start(line, { request, response });
      if (line.waiting.length >= MAX_IN_LINE) return void socket.destroy();
      line.waiting.push({ request, response });
      schedule(line);
    },
    replying: (socket) => [...(lines.get(socket)?.atWork ?? [])].some((response) => response.headersSent),
  };
}
