// What peers that mean it ill have in common: a card that leads to them, and answers that go on as long as somebody reads.

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Writable } from "node:stream";
import { encodeCard } from "../../../src/core/protocol/encode.ts";
import { agentCard, agentInterface } from "../../support/builders.ts";
import { type Answer, type HttpPeer, type PeerRequest, sendJson, startHttpPeer } from "../../support/http-peer.ts";
import type { CallPlan } from "../fixtures/client-child.ts";
import { createRandom, type Random } from "./random.ts";

/** What an answer of a bad peer is given. */
export interface Asked {
  readonly request: PeerRequest;
  readonly response: ServerResponse;
  /** Counts the requests of this kind, from 0. */
  readonly nth: number;
  readonly random: Random;
  /** Another peer, which must never hear anything. */
  readonly bystander: string;
}

export interface BadPeer {
  readonly name: string;
  readonly kind: CallPlan["kind"];
  /** Calls at once; 20 when absent. */
  readonly calls?: number;
  /** Milliseconds of the client's faster clock. */
  readonly timeouts?: Partial<CallPlan["timeouts"]>;
  readonly abortWithinMs?: number;
  readonly closeWithinMs?: number;
  /** Whether the card offers streaming; the card itself is good unless `card` is there. */
  readonly streaming?: boolean;
  readonly card?: (asked: Asked) => void;
  /** By JSON-RPC method; a missing one answers 404. */
  readonly methods?: Readonly<Record<string, (asked: Asked) => void>>;
  /** The ends that calls may have. */
  readonly ends: readonly string[];
  /** How much of an answer may leave the peer before the client stops reading, kernel buffers included. */
  readonly maxSentMb?: number;
}

export async function startBadPeer(bad: BadPeer, bystander: string): Promise<HttpPeer> {
  const counts = new Map<string, number>();
  const random = createRandom(bad.name);
  const answer: Answer = (request, response) => {
    const method = request.method === "GET" ? "card" : (request.rpc.method ?? "");
    const nth = counts.get(method) ?? 0;
    counts.set(method, nth + 1);
    const asked = { request, response, nth, random, bystander };
    response.on("error", () => undefined);
    if (method !== "card") return (bad.methods?.[method] ?? notFound)(asked);
    if (bad.card !== undefined) return bad.card(asked);
    const supportedInterfaces = [agentInterface({ url: `${peer.origin}/` })];
    sendJson(
      response,
      encodeCard(agentCard({ supportedInterfaces, capabilities: { streaming: bad.streaming ?? false } })),
    );
  };
  const peer = await startHttpPeer(answer);
  return peer;
}

function notFound({ response }: Asked): void {
  response.writeHead(404).end();
}

/** Writes what `next` gives for as long as it gives something and somebody reads. */
export function pump(to: Writable, next: (n: number) => string | Buffer | undefined): void {
  let n = 0;
  const more = (): void => {
    for (let written = 0; !to.destroyed; written++) {
      // Others want their turn, too, and not every reader is slow enough to be waited for.
      if (written === 50) return void setImmediate(more);
      const piece = next(n);
      n += 1;
      if (piece === undefined) return void to.end();
      if (!to.write(piece)) return void to.once("drain", more);
    }
  };
  more();
}

/** Writes the pieces with a pause before each. */
export function drip(to: Writable, pauseMs: number, next: (n: number) => string | undefined): void {
  let n = 0;
  const timer = setInterval(() => {
    const piece = to.destroyed ? undefined : next(n);
    n += 1;
    if (piece === undefined) clearInterval(timer);
    else to.write(piece);
  }, pauseMs);
}

/** How many places an answer is cut at. */
export const CUTS = 100;

/** Writes the answer up to its n-th cut and breaks off: by a reset, or by FIN. */
export function cutAt(socket: Socket, whole: string, nth: number): void {
  const place = Math.round(((nth % CUTS) * whole.length) / (CUTS - 1));
  socket.write(whole.slice(0, place), () => {
    if (nth % 2 === 0) socket.resetAndDestroy();
    else socket.end();
  });
}

/** Opens an event stream. */
export function openEvents({ response }: Asked): ServerResponse {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  return response;
}

/** One event with a JSON-RPC result for this request. */
export function frame({ request }: Pick<Asked, "request">, result: unknown, id: unknown = request.rpc.id): string {
  return `data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`;
}

export const WORKING = {
  task: { id: "task-1", contextId: "ctx-1", status: { state: "TASK_STATE_WORKING" } },
};

export function statusUpdate(state: string, more: object = {}): object {
  return { statusUpdate: { taskId: "task-1", contextId: "ctx-1", status: { state, ...more } } };
}

export function artifactUpdate(artifact: object, more: object = {}): object {
  return { artifactUpdate: { taskId: "task-1", contextId: "ctx-1", artifact, ...more } };
}

/** An answer of a whole JSON-RPC result, as bytes on the wire. */
export function wholeReply(contentType: string, body: string): string {
  return [
    "HTTP/1.1 200 OK",
    `Content-Type: ${contentType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}
