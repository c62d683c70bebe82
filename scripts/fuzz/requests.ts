// Owns what is sent to the server: good requests of every kind, and what becomes of them.

import { requestText } from "../../test/hostile/support/attacker.ts";
import type { Random } from "../../test/hostile/support/random.ts";
import { EXCHANGES } from "./corpus.ts";
import { mutateBytes, mutateMember } from "./mutate.ts";

/** Bytes of one connection, in the pieces in which they are sent. */
export type Pieces = readonly Buffer[];

const PAGES = ["/.well-known/agent-card.json", "/.well-known/agent.json", "/health", "/", "/nothing?x=1", "/a2a/"];

/** Headers that change what a request means, or that no client should send. */
const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { "A2A-Version": "0.3" },
  { "A2A-Version": "1.0.7" },
  { "A2A-Version": "9e9" },
  { "A2A-Extensions": "urn:pi-a2a:ext:v1,, ,a,a" },
  { "X-A2A-Identity": "%ff%00%E2%80%AE" },
  { Host: "evil.example" },
  { Host: "" },
  { Origin: "null" },
  { Origin: "http://127.0.0.1" },
  { "Content-Type": "text/plain" },
  { "Content-Type": 'application/json; charset="utf-16"' },
  { "Content-Encoding": "gzip" },
  { "Transfer-Encoding": "gzip, chunked" },
  { "Content-Length": "0" },
  { "Content-Length": "99999999999" },
  { "Content-Length": "-1" },
  { Expect: "100-continue" },
  { Expect: "the unexpected" },
  { Connection: "Upgrade", Upgrade: "websocket" },
  { Connection: "close" },
  { "X-Forwarded-For": "198.51.100.7, 127.0.0.1" },
  { Forwarded: "for=_hidden" },
  { Authorization: "Basic Og==" },
  { "If-None-Match": '*, W/"x"' },
  { "If-Modified-Since": "never" },
  { traceparent: "ff-00000000000000000000000000000000-0000000000000000-zz" },
  { tracestate: "=,=,=" },
  { Accept: "text/event-stream;q=0" },
  { Cookie: "x".repeat(12_000) },
];

/** One or two requests on a connection, odd in their headers, hit in their bytes, or both. */
export function httpPieces(random: Random, tokens: readonly string[]): Pieces {
  const requests = Array.from({ length: 1 + random.int(2) }, () => goodRequest(random, tokens, random.int(3)));
  const bytes = Buffer.from(requests.join(""));
  return cut(random, random.int(3) === 0 ? bytes : mutateBytes(random, bytes, 2));
}

/** A call that HTTP takes, with a body that is hit. */
export function rpcPieces(random: Random, tokens: readonly string[]): Pieces {
  const { request, headers } = random.pick(EXCHANGES);
  const body = mutateMember(random, request, "params");
  const head = requestText(
    undefined,
    { ...callHeaders(random, tokens, headers), "Content-Length": String(body.length) },
    "POST /",
  );
  return cut(random, Buffer.concat([Buffer.from(head), body]));
}

/** Good but for so many odd headers. */
function goodRequest(random: Random, tokens: readonly string[], odds: number): string {
  const odd = Object.assign({}, ...Array.from({ length: odds }, () => random.pick(ODD_HEADERS)));
  if (random.int(3) === 0) {
    return requestText(undefined, { ...login(random, tokens), ...odd }, `GET ${random.pick(PAGES)}`);
  }
  const { request, headers } = random.pick(EXCHANGES);
  const body = JSON.stringify(request);
  const all = { ...callHeaders(random, tokens, headers), ...odd };
  if (random.int(4) !== 0) return requestText(body, all);
  const chunked = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return requestText(undefined, { ...all, "Transfer-Encoding": "chunked" }, "POST /") + chunked;
}

function callHeaders(random: Random, tokens: readonly string[], more: Readonly<Record<string, string>>) {
  const trace = random.int(4) === 0 ? { traceparent: `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01` } : {};
  return { "Content-Type": "application/json", ...login(random, tokens), ...trace, ...more };
}

/** Mostly the right one. */
function login(random: Random, tokens: readonly string[]): Readonly<Record<string, string>> {
  if (tokens.length === 0) return {};
  const token = random.int(8) === 0 ? "wrong" : random.pick(tokens);
  return random.int(4) === 0 ? { "X-API-Key": token } : { Authorization: `Bearer ${token}` };
}

function cut(random: Random, bytes: Buffer): Pieces {
  const places = Array.from({ length: random.int(4) }, () => random.int(bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}
