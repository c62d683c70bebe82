// Peers that are bad from their card on.

import { gzipSync } from "node:zlib";
import { sendJson } from "../../support/http-peer.ts";
import { type Asked, type BadPeer, drip, pump } from "../support/bad-peer.ts";

const PIECE = Buffer.alloc(64 * 1024, "x");
const STATUSES = [301, 302, 303, 307, 308];
const GOOD_CARD = { name: "x", description: "", version: "1", supportedInterfaces: [], skills: [] };
const PACKED: readonly (string | Buffer)[] = [
  ...[JSON.stringify(GOOD_CARD), "\x1f\x8b"],
  ...[gzipSync(JSON.stringify(GOOD_CARD)), gzipSync(Buffer.alloc(2_000_000))],
];
/** Longer than the client waits. */
const SHORT = { send: 3_000 };

export const BAD_CARDS: readonly BadPeer[] = [
  {
    name: "a card of 300 MB in chunks (C30)",
    kind: "discover",
    card({ response }) {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.write('{"name":"');
      pump(response, (n) => (n < 4_800 ? PIECE : undefined));
    },
    ends: ["PEER_BAD_REPLY"],
    maxSentMb: 16,
  },
  {
    name: "a card that announces 300 MB",
    kind: "discover",
    card({ response }) {
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "300000000" });
      pump(response, (n) => (n < 4_500 ? PIECE : undefined));
    },
    ends: ["PEER_BAD_REPLY"],
    maxSentMb: 16,
  },
  { name: "a card that never comes", kind: "discover", timeouts: SHORT, card: () => undefined, ends: ["PEER_TIMEOUT"] },
  {
    name: "a card of one byte a second",
    kind: "discover",
    timeouts: SHORT,
    card({ response }) {
      response.writeHead(200, { "Content-Type": "application/json" });
      drip(response, 100, () => " ");
    },
    ends: ["PEER_TIMEOUT"],
  },
  {
    name: "a card nested 100,000 deep (C30)",
    kind: "discover",
    card: ({ response }) => response.end("[".repeat(100_000)),
    ends: ["PEER_BAD_REPLY"],
  },
  {
    name: "a card that redirects",
    kind: "discover",
    card: redirect,
    ends: ["PEER_BAD_REPLY"],
  },
  {
    name: "a head without end",
    kind: "discover",
    card({ request }) {
      request.socket.write("HTTP/1.1 200 OK\r\nX-Endless: ");
      pump(request.socket, () => PIECE);
    },
    ends: ["PEER_BAD_REPLY"],
    maxSentMb: 16,
  },
  {
    name: "interim answers without end",
    kind: "discover",
    timeouts: SHORT,
    card({ request }) {
      drip(request.socket, 5, () =>
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n".repeat(20),
      );
    },
    ends: ["PEER_TIMEOUT"],
  },
  {
    name: "no HTTP at all",
    kind: "discover",
    calls: 100,
    card({ request, random }) {
      const hellos = [
        "SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/9.9 200\r\n\r\n",
        "\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        random.bytes(500),
      ];
      request.socket.end(random.pick(hellos));
    },
    ends: ["PEER_BAD_REPLY", "PEER_UNREACHABLE"],
  },
  {
    name: "lies about packing",
    kind: "discover",
    calls: 100,
    card({ response, random }) {
      response.writeHead(200, {
        "Content-Type": "application/json",
        "Content-Encoding": random.pick(["gzip", "br", "x"]),
      });
      response.end(random.pick(PACKED));
    },
    ends: ["PEER_BAD_REPLY", "a card"],
  },
  {
    name: "lies about lengths",
    kind: "discover",
    calls: 100,
    card({ request, random }) {
      const json = JSON.stringify(GOOD_CARD);
      const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
      request.socket.end(
        random.pick([
          `${head}Content-Length: ${json.length + 5}\r\n\r\n${json}`,
          `${head}Content-Length: ${json.length - 5}\r\n\r\n${json}`,
          `${head}Content-Length: -1\r\n\r\n${json}`,
          `${head}Content-Length: 5\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
          `${head}Transfer-Encoding: chunked\r\n\r\nfffffff\r\n${json}`,
          `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${json}`,
          `${head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${json}`,
          `${head}\r\n${json}`,
          `${head}Content-Length: ${json.length}\r\n\r\n${json}${head}Content-Length: 2\r\n\r\n{}`,
        ]),
      );
    },
    ends: ["PEER_BAD_REPLY", "PEER_UNREACHABLE", "a card"],
  },
  {
    name: "busy for ever, to be asked again at once",
    kind: "discover",
    card: ({ response }) => response.writeHead(503, { "Retry-After": "0" }).end("busy"),
    ends: ["PEER_REFUSED"],
  },
  {
    name: "a card full of what nobody expects",
    kind: "call",
    calls: 50,
    card: ({ response, random }) => sendJson(response, random.pick(ODD_CARDS)),
    ends: ["PEER_BAD_REPLY", "PEER_UNREACHABLE", "ADDRESS_REFUSED"],
  },
];

/** Sends the client on to somebody else. */
export function redirect({ response, random, bystander }: Asked): void {
  response
    .writeHead(random.pick(STATUSES), { Location: random.pick([`${bystander}/`, `//${bystander.slice(7)}/x`]) })
    .end();
}

function withUrls(urls: readonly string[]): object {
  const at = (url: string) => ({ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" });
  return { ...GOOD_CARD, supportedInterfaces: urls.map(at) };
}

const ODD_CARDS: readonly unknown[] = [
  withUrls(["javascript:alert(1)", "file:///etc/passwd", "data:,x", "", " ", "http://", "http://[", "//"]),
  withUrls(Array.from({ length: 9_000 }, (_, n) => `ftp://h/${n}`)),
  withUrls(["http://169.254.169.254/latest/meta-data"]),
  withUrls(["http://10.0.0.1/"]),
  withUrls(["http://127.0.0.1:9/"]),
  { ...GOOD_CARD, name: "\u001b]0;x\u0007\u202e".repeat(50_000) },
  { ...GOOD_CARD, skills: Array.from({ length: 20_000 }, () => ({})) },
  { ...GOOD_CARD, capabilities: [], supportedInterfaces: {} },
  null,
  [],
  "card",
];
