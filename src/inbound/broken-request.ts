// Answers what the HTTP parser could not read, with a JSON body like every other error. Never throws: it runs on sockets that
// may be gone.

import type { Duplex } from "node:stream";
import { A2aError } from "../core/platform/errors.ts";
import { encodeRpcError } from "../core/protocol/jsonrpc.ts";

type Answer = readonly [status: string, text: string];

const NOT_HTTP: Answer = ["400 Bad Request", "this is not a valid HTTP/1.1 request"];
const ANSWERS: Readonly<Record<string, Answer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not arrive in time"],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the request's headers are larger than 16 KiB"],
};

/** Answers and closes; `replying` says that a reply has begun on this connection, which an answer would garble. */
export function answerBrokenRequest(socket: Duplex, code: string | undefined, replying: boolean): void {
  if (replying || !socket.writable || code === "ECONNRESET" || code === "EPIPE") {
    socket.destroy();
    return;
  }
  answer(socket, ANSWERS[code ?? ""] ?? NOT_HTTP);
}

/** CONNECT asks for a tunnel, which HTTP servers hand over as a bare socket. */
export function answerTunnel(socket: Duplex): void {
  socket.on("error", () => undefined);
  answer(socket, ["405 Method Not Allowed", "HTTP method CONNECT is not served"], ["Allow: GET, HEAD, POST"]);
}

function answer(socket: Duplex, [status, text]: Answer, headers: readonly string[] = []): void {
  const body = encodeRpcError(null, new A2aError("INVALID_REQUEST", text));
  const head = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...headers,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
