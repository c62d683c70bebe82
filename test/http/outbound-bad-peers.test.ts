// Peers that answer nonsense, nothing, or too much: each ends in one clear error that names the peer, and nothing is left open.

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "mocha";
import type { ErrorCode } from "../../src/core/platform/errors.ts";
import { completedTask, task } from "../support/builders.ts";
import { openStream, type PeerRequest, sendError, sendJson } from "../support/http-peer.ts";
import { failure, type Rig, startRig } from "../support/outbound-rig.ts";

type Answer = (request: PeerRequest, response: ServerResponse) => void;
interface Case {
  readonly name: string;
  readonly answer: Answer;
  readonly code: ErrorCode;
  readonly says: RegExp;
}

const body =
  (text: string, type: string, status = 200): Answer =>
  (_request, response) =>
    response.writeHead(status, { "Content-Type": type }).end(text);
const json =
  (value: (id: unknown) => unknown): Answer =>
  (request, response) =>
    sendJson(response, value(request.rpc.id));
const result = { task: completedTask() };

/** Writes until the client has had enough. */
const endless =
  (type: string): Answer =>
  (_request, response) => {
    response.writeHead(200, { "Content-Type": type });
    const flood = (): void => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
      if (!response.destroyed) response.once("drain", flood);
    };
    flood();
  };

const BOTH: readonly Case[] = [
  {
    name: "HTML (C31)",
    answer: body("<html><h1>It works!</h1></html>", "text/html"),
    code: "PEER_BAD_REPLY",
    says: /HTTP 200 \(text\/html\).*"It works!"/,
  },
  {
    name: "an empty body (C24)",
    answer: body("", "application/json"),
    code: "PEER_BAD_REPLY",
    says: /HTTP 200 without a body/,
  },
  {
    name: "204",
    answer: (_request, response) => response.writeHead(204).end(),
    code: "PEER_BAD_REPLY",
    says: /without a body/,
  },
  {
    name: "half JSON",
    answer: body('{"jsonrpc":"2.0",', "application/json"),
    code: "PEER_BAD_REPLY",
    says: /not valid JSON/,
  },
  {
    name: "JSON 100,000 levels deep (C30)",
    answer: body("[".repeat(100_000) + "]".repeat(100_000), "application/json"),
    code: "PEER_BAD_REPLY",
    says: /nests more than 64/,
  },
  {
    name: "endless bytes (C30)",
    answer: endless("application/json"),
    code: "PEER_BAD_REPLY",
    says: /larger than 16 MiB/,
  },
  { name: "a list", answer: json(() => [1]), code: "PEER_BAD_REPLY", says: /not a JSON-RPC object but a list/ },
  { name: "null", answer: json(() => null), code: "PEER_BAD_REPLY", says: /not a JSON-RPC object/ },
  {
    name: "no version marker (W02)",
    answer: json((id) => ({ id, result })),
    code: "PEER_BAD_REPLY",
    says: /no "jsonrpc":"2\.0".*it holds/,
  },
  {
    name: "another version marker (W02)",
    answer: json((id) => ({ jsonrpc: "1.0", id, result })),
    code: "PEER_BAD_REPLY",
    says: /"1\.0"/,
  },
  {
    name: "another id (W03)",
    answer: json(() => ({ jsonrpc: "2.0", id: 8, result })),
    code: "PEER_BAD_REPLY",
    says: /id 8 but the request had "/,
  },
  {
    name: "neither result nor error",
    answer: json((id) => ({ jsonrpc: "2.0", id })),
    code: "PEER_BAD_REPLY",
    says: /neither result nor error/,
  },
  {
    name: "a result that is no task",
    answer: json((id) => ({ jsonrpc: "2.0", id, result: { answer: 42 } })),
    code: "PEER_BAD_REPLY",
    says: /must hold one task/,
  },
  {
    name: "an unknown state",
    answer: json((id) => ({
      jsonrpc: "2.0",
      id,
      result: { task: { ...task(), status: { state: "TASK_STATE_FROBNICATE" } } },
    })),
    code: "PEER_BAD_REPLY",
    says: /FROBNICATE/,
  },
  {
    name: "an error with hostile text",
    answer: (request, response) => sendError(request, response, -32603, `\u001b[2Jboom ${"x".repeat(5000)}`),
    code: "PEER_ERROR",
    says: /-32603: .*boom/,
  },
  {
    name: "401 with text (C31)",
    answer: body("who are you?", "text/plain", 401),
    code: "PEER_REFUSED",
    says: /HTTP 401: "who are you\?"/,
  },
  {
    name: "403 in HTML (C31)",
    answer: body("<h1>Forbidden</h1>", "text/html", 403),
    code: "PEER_REFUSED",
    says: /HTTP 403: "Forbidden"/,
  },
  {
    name: "429 with text (C31)",
    answer: body("slow down", "text/plain", 429),
    code: "PEER_REFUSED",
    says: /HTTP 429: "slow down"/,
  },
  {
    name: "502 in HTML (C31)",
    answer: body("<h1>Bad Gateway</h1>", "text/html", 502),
    code: "PEER_BAD_REPLY",
    says: /HTTP 502: "Bad Gateway"/,
  },
  {
    name: "404",
    answer: (_request, response) => response.writeHead(404).end(),
    code: "PEER_BAD_REPLY",
    says: /HTTP 404$/,
  },
  {
    name: "a JSON-RPC error in HTTP 400 (C31)",
    answer: (request, response) => sendError(request, response, -32602, "bad parts", 400),
    code: "PEER_ERROR",
    says: /HTTP 400: .*-32602: bad parts/,
  },
  {
    name: "a JSON-RPC error in HTTP 401 (C31)",
    answer: (request, response) => sendError(request, response, -32050, "token please", 401),
    code: "PEER_REFUSED",
    says: /HTTP 401: .*-32050: token please/,
  },
  {
    name: "a redirect (C10)",
    answer: (_request, response) => response.writeHead(307, { Location: "http://evil.example/rpc" }).end(),
    code: "PEER_BAD_REPLY",
    says: /HTTP 307: redirect to http:\/\/evil\.example\/rpc/,
  },
  {
    name: "a reset",
    answer: (request) => request.socket.resetAndDestroy(),
    code: "PEER_UNREACHABLE",
    says: /before it answered/,
  },
  {
    name: "an early end",
    answer: (request) => request.socket.end(),
    code: "PEER_UNREACHABLE",
    says: /before it answered/,
  },
  {
    name: "half an answer",
    answer: (request, response) => {
      response.writeHead(200, { "Content-Length": "1000", "Content-Type": "application/json" });
      response.write("{", () => request.socket.destroy());
    },
    code: "PEER_UNREACHABLE",
    says: /in the middle of its answer/,
  },
  {
    name: "half an error page",
    answer: (request, response) => {
      response.writeHead(500, { "Content-Length": "1000", "Content-Type": "text/plain" });
      response.write("out of disk", () => request.socket.destroy());
    },
    code: "PEER_BAD_REPLY",
    says: /HTTP 500: "out of disk"/,
  },
  {
    name: "no HTTP",
    answer: (request) => request.socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
    code: "PEER_BAD_REPLY",
    says: /did not answer in HTTP/,
  },
];

const STREAMS: readonly Case[] = [
  {
    name: "an event stream without an event",
    answer: (request, response) => openStream(request, response).end(),
    code: "PEER_BAD_REPLY",
    says: /ended its stream without an event/,
  },
  {
    name: "an event stream of nonsense",
    answer: (request, response) => openStream(request, response).raw("hello\n\ndata: {broken\n\n"),
    code: "PEER_BAD_REPLY",
    says: /not valid JSON/,
  },
  {
    name: "a line without end (C30)",
    answer: (request, response) => {
      openStream(request, response).raw("data: ");
      endless("text/event-stream")(request, Object.assign(response, { writeHead: () => response }));
    },
    code: "PEER_BAD_REPLY",
    says: /more than \d+ bytes/,
  },
];

describe("a peer that answers", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  for (const streaming of [false, true]) {
    const method = streaming ? "SendStreamingMessage" : "SendMessage";
    for (const { name, answer, code, says } of streaming ? [...BOTH, ...STREAMS] : [...BOTH, ...STREAMS.slice(0, 2)]) {
      it(`${name} to ${method} gives a clear ${code}`, async () => {
        rig = await startRig({ streaming, methods: { [method]: answer } });
        const error = await failure(rig.call(), code);
        assert.match(error.message, says);
        assert.ok(error.message.includes(`127.0.0.1:${rig.peer.port}`), `does not name the peer: ${error.message}`);
        assert.ok(error.message.length < 2500);
        assert.equal(rig.peer.calls(method).length, 1);
      });
    }
  }
});
