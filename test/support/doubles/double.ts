// What the doubles of other people's agents have in common: a peer over real sockets, and how a message tells them what to do.
// "fail" makes the work fail, "ask" makes the agent ask; everything else is answered.

import type { ServerResponse } from "node:http";
import { type HttpPeer, openStream, type PeerRequest, sendJson, startHttpPeer } from "../http-peer.ts";

export interface Double {
  /** What a person would give as the agent's address. */
  readonly url: string;
  readonly peer: HttpPeer;
}

export type Wish = "fail" | "ask" | "answer";

export function wishIn(text: string): Wish {
  if (text.includes("fail")) return "fail";
  return text.includes("ask") ? "ask" : "answer";
}

type Members = Readonly<Record<string, unknown>>;

export interface Sent {
  readonly text: string;
  readonly contextId: string | undefined;
  readonly taskId: string | undefined;
  readonly messageId: string | undefined;
  readonly role: unknown;
}

/** The message of a send. `kinds` reads only parts with `kind: "text"`, as servers of 0.3 do. */
export function messageIn({ rpc }: PeerRequest, kinds: boolean): Sent {
  const message = (rpc.params?.message ?? {}) as Members;
  const parts = Array.isArray(message.parts) ? (message.parts as Members[]) : [];
  const texts = parts.filter((part) => !kinds || part.kind === "text").map((part) => part.text);
  const id = (name: string): string | undefined => (typeof message[name] === "string" ? message[name] : undefined);
  return {
    text: texts.filter((text) => typeof text === "string").join("\n"),
    contextId: id("contextId"),
    taskId: id("taskId"),
    messageId: id("messageId"),
    role: message.role,
  };
}

/** Whether the request has what 0.3 needs: a messageId, and a role in lower case. */
export function isV03({ role, messageId }: Sent): boolean {
  return role === "user" && messageId !== undefined;
}

/** Sends these results as the frames of one stream and ends it. */
export function streamAll(request: PeerRequest, response: ServerResponse, results: readonly unknown[]): void {
  const stream = openStream(request, response);
  for (const result of results) stream.frame(result);
  stream.end();
}

/** A page, or the status of a refusal. */
export type Pages = (path: string, request: PeerRequest) => object | number | undefined;

/** A double that serves `pages` to GET and hands everything else to `rpc`. */
export async function startDouble(
  path: string,
  pages: (origin: string) => Pages,
  rpc: (request: PeerRequest, response: ServerResponse) => void,
): Promise<Double> {
  const peer = await startHttpPeer((request, response) => {
    if (request.method !== "GET") return rpc(request, response);
    const page = pages(peer.origin)(request.path, request);
    if (typeof page === "object") sendJson(response, page);
    else sendJson(response, { error: "no page" }, page ?? 404);
  });
  return { url: `${peer.origin}${path}`, peer };
}

/** Ids that tell tasks apart. */
export function counter(prefix: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}${count}`;
  };
}
