// Owns what the bad peer answers: a good answer for what was asked, of which the part that a case is about is hit.

import type { Random } from "../../test/hostile/support/random.ts";
import { cardAt, REPLIES, STREAMS } from "./corpus.ts";
import { isRecord } from "./json.ts";
import { mutateBytes, mutateJson, mutateMember, mutateText } from "./mutate.ts";
import type { PeerCall } from "./peer.ts";

export type PeerKind = "card" | "reply" | "stream" | "head";

const JSON_TYPES = ["application/json", "application/json; charset=utf-8", "application/a2a+json", "text/html", ""];
const STREAM_TYPES = ["text/event-stream", "text/event-stream; charset=utf-8", "application/json"];
const STATUSES = [
  "200 OK",
  "200 OK",
  "200 OK",
  "301 Moved Permanently",
  "401 Unauthorized",
  "404 Not Found",
  "429 Slow",
  "500 No",
  "503 Busy",
];
const HEADERS = [
  "Retry-After: 1",
  "Retry-After: nonsense",
  "Location: http://127.0.0.1:1/",
  'ETag: W/"x"',
  "Cache-Control: max-age=-1",
  "Set-Cookie: a=b",
];

export function peerAnswer(kind: PeerKind, random: Random, call: PeerCall): Buffer {
  switch (kind) {
    case "card": {
      const card = mutateText(random, cardAt(random, call.url));
      return call.isCard ? http(random, JSON_TYPES, card) : goodReply(random, call);
    }
    case "reply":
      return call.isCard ? goodCard(random, call) : http(random, JSON_TYPES, badReply(random, call));
    case "stream":
      return call.isCard ? goodCard(random, call) : badStream(random, call);
    case "head":
      return badHead(random, call);
    default:
      return kind satisfies never;
  }
}

function goodCard(random: Random, call: PeerCall): Buffer {
  return whole("200 OK", ["Content-Type: application/json"], Buffer.from(JSON.stringify(cardAt(random, call.url))));
}

function goodReply(random: Random, call: PeerCall): Buffer {
  const body = JSON.stringify(withId(random.pick(REPLIES), call));
  return whole("200 OK", ["Content-Type: application/json"], Buffer.from(body));
}

function badReply(random: Random, call: PeerCall): Buffer {
  return mutateMember(random, withId(random.pick(REPLIES), call), "result");
}

/** Questions that are no streams get a plain reply now and then, so that calls go on to their end. */
function badStream(random: Random, call: PeerCall): Buffer {
  if (/^(?:GetTask|tasks\/get)$/.test(String(call.rpc.method)) && random.int(2) === 0) return goodReply(random, call);
  const frames = random.pick(STREAMS).map((frame) => withId(frame, call));
  const bad =
    random.int(2) === 0 ? frames : frames.map((frame) => (random.int(3) === 0 ? mutateJson(random, frame) : frame));
  const text = Buffer.from(bad.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(""));
  return http(random, STREAM_TYPES, random.int(3) === 0 ? text : mutateBytes(random, text));
}

function badHead(random: Random, call: PeerCall): Buffer {
  const good = call.isCard ? cardAt(random, call.url) : withId(random.pick(REPLIES), call);
  const headers = ["Content-Type: application/json", ...(random.int(2) === 0 ? [random.pick(HEADERS)] : [])];
  const status = call.isCard && random.int(2) === 0 ? "200 OK" : random.pick(STATUSES);
  const bytes = whole(status, headers, Buffer.from(JSON.stringify(good)));
  if (random.int(3) === 0) return bytes;
  const head = bytes.indexOf("\r\n\r\n") + 4;
  return Buffer.concat([mutateBytes(random, bytes.subarray(0, head)), bytes.subarray(head)]);
}

function withId(reply: unknown, { rpc }: PeerCall): object {
  return isRecord(reply) ? { ...reply, id: rpc.id } : { id: rpc.id, result: reply };
}

function http(random: Random, types: readonly string[], body: Buffer): Buffer {
  const type = random.int(3) === 0 ? random.pick(types) : (types[0] ?? "");
  return whole("200 OK", type === "" ? [] : [`Content-Type: ${type}`], body);
}

function whole(status: string, headers: readonly string[], body: Buffer): Buffer {
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${body.length}`, "Connection: close"];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]);
}
