// Peers with a good card that are bad at answering a message.

import { sendError, sendJson, sendResult } from "../../support/http-peer.ts";
import { type Asked, type BadPeer, CUTS, cutAt, drip, pump, WORKING, wholeReply } from "../support/bad-peer.ts";
import { redirect } from "./bad-cards.ts";

const PIECE = Buffer.alloc(64 * 1024, "x");
const SHORT = { send: 4_000 };
const COMPLETED = { id: "task-1", contextId: "ctx-1", status: { state: "TASK_STATE_COMPLETED" } };

export const BAD_REPLIES: readonly BadPeer[] = [
  {
    name: "a reply of 300 MB",
    kind: "call",
    calls: 5,
    methods: {
      SendMessage({ response }) {
        response.writeHead(200, { "Content-Type": "application/json" });
        pump(response, (n) => (n < 4_800 ? PIECE : undefined));
      },
    },
    ends: ["PEER_BAD_REPLY"],
    maxSentMb: 48,
  },
  {
    name: "a reply of five million empty lists",
    kind: "call",
    calls: 2,
    methods: {
      SendMessage({ request, response }) {
        response.writeHead(200, { "Content-Type": "application/json" });
        const lists = "[],".repeat(5_000_000);
        response.end(
          `{"jsonrpc":"2.0","id":${JSON.stringify(request.rpc.id)},"result":{"task":{"id":"t","artifacts":[${lists}[]]}}}`,
        );
      },
    },
    ends: ["PEER_BAD_REPLY"],
  },
  {
    name: "no reply",
    kind: "call",
    calls: 100,
    timeouts: SHORT,
    methods: { SendMessage: () => undefined },
    ends: ["PEER_TIMEOUT"],
  },
  {
    name: "a reply of one byte a second",
    kind: "call",
    timeouts: SHORT,
    methods: {
      SendMessage({ response }) {
        response.writeHead(200, { "Content-Type": "application/json" });
        drip(response, 100, () => " ");
      },
    },
    ends: ["PEER_TIMEOUT"],
  },
  {
    name: "a message that is redirected",
    kind: "call",
    methods: { SendMessage: redirect },
    ends: ["PEER_BAD_REPLY"],
  },
  {
    name: "replies to somebody else (W03)",
    kind: "call",
    calls: 100,
    methods: {
      SendMessage({ request, response, random }) {
        const { id } = request.rpc;
        const ids = [8, null, "", `${id}x`, [id], { id }, undefined];
        sendJson(response, { jsonrpc: "2.0", id: random.pick(ids), result: { task: COMPLETED } });
      },
    },
    ends: ["PEER_BAD_REPLY"],
  },
  {
    name: "resets and ends at every stage of a reply",
    kind: "call",
    calls: CUTS,
    methods: { SendMessage: cutReply },
    ends: ["PEER_BAD_REPLY", "PEER_UNREACHABLE", "TASK_STATE_COMPLETED"],
  },
  {
    name: "a task that works for ever",
    kind: "call",
    timeouts: SHORT,
    methods: {
      SendMessage: ({ request, response }) => sendResult(request, response, WORKING),
      GetTask: ({ request, response }) => sendResult(request, response, WORKING.task),
    },
    ends: ["PEER_TIMEOUT"],
  },
  {
    name: "a task whose questions are all cut off",
    kind: "call",
    methods: {
      SendMessage: ({ request, response }) => sendResult(request, response, WORKING),
      GetTask: ({ request }) => request.socket.resetAndDestroy(),
    },
    ends: ["PEER_UNREACHABLE"],
  },
  {
    name: "a wait whose questions are answered in every bad way",
    kind: "wait",
    calls: 50,
    methods: {
      GetTask({ request, response, random }) {
        switch (random.int(4)) {
          case 0:
            request.socket.resetAndDestroy();
            break;
          case 1:
            response.writeHead(500).end("<html>fault");
            break;
          case 2:
            request.socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{");
            break;
          default:
            sendResult(request, response, WORKING.task);
        }
      },
    },
    ends: ["TASK_STATE_WORKING"],
  },
  {
    name: "errors of every shape",
    kind: "hand over",
    calls: 100,
    methods: { SendMessage: oddError },
    ends: ["PEER_ERROR", "PEER_BAD_REPLY", "PEER_REFUSED"],
  },
];

/** A good reply that breaks off somewhere, by a reset or by FIN. */
function cutReply({ request, nth }: Asked): void {
  const body = JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, result: { task: COMPLETED } });
  cutAt(request.socket, wholeReply("application/json", body), nth);
}

function oddError({ request, response, random }: Asked): void {
  const error = random.pick<unknown>([
    null,
    "x",
    [],
    {},
    { code: "1" },
    { code: 1.5 },
    { code: -32001, message: "\u001b[2J".repeat(100_000), data: [[[[]]]] },
    { code: -32001, message: 5, data: { "@type": 1, reason: "X".repeat(1000) } },
  ]);
  const status = random.pick([200, 400, 401, 403, 404, 500, 502]);
  const page = "<p>".repeat(500_000);
  switch (random.int(3)) {
    case 0:
      sendError(request, response, -32603, "x".repeat(1_000_000), status);
      break;
    case 1:
      response.writeHead(status, { "Content-Type": "text/html" }).end(page);
      break;
    default:
      sendJson(response, { jsonrpc: "2.0", id: request.rpc.id, error }, status);
  }
}
