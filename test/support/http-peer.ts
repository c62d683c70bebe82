// A peer over real sockets on 127.0.0.1 that answers as a test scripts it, and can be asked what it saw and which sockets are
// still open.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";

export interface PeerRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Fields of a JSON-RPC request; empty when the body is none. */
  readonly rpc: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown> };
  readonly socket: Socket;
}

export type Answer = (request: PeerRequest, response: ServerResponse) => void;

interface PeerSockets {
  readonly port: number;
  readonly origin: string;
  openSockets(): number;
  /** Resolves when no socket is open, with how many the peer has seen. */
  allClosed(): Promise<number>;
  /** Destroys every socket and frees the port. */
  stop(): Promise<void>;
}

export interface HttpPeer extends PeerSockets {
  /** Every request in the order of arrival. */
  readonly requests: readonly PeerRequest[];
  /** The JSON-RPC requests of one method. */
  calls(method: string): readonly PeerRequest[];
  /** Resolves with the n-th request (from 1) once it is there. */
  arrived(n: number): Promise<PeerRequest>;
  /** Replaces the script. */
  answer: Answer;
}

export async function startHttpPeer(answer: Answer = notFound, port = 0): Promise<HttpPeer> {
  const requests: PeerRequest[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("error", () => response.destroy());
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: path = "", headers, socket } = incoming;
      const request = { method, path, headers, body, rpc: rpcOf(body), socket };
      requests.push(request);
      for (const wake of [...waiting]) wake();
      peer.answer(request, response);
    });
  });
  // Idle connections stay until the client or the test closes them.
  server.keepAliveTimeout = 0;
  const sockets = await listen(server, port);
  const peer: HttpPeer = {
    ...sockets,
    requests,
    calls: (method) => requests.filter((request) => request.rpc.method === method),
    arrived: (n) =>
      new Promise((resolve) => {
        const look = (): void => {
          const request = requests[n - 1];
          if (request === undefined) return;
          waiting.delete(look);
          resolve(request);
        };
        waiting.add(look);
        look();
      }),
    answer,
  };
  return peer;
}

/** A peer below HTTP: `onData` sees the bytes of each socket and does with it what it likes. */
export async function startRawPeer(onData: (socket: Socket, bytes: Buffer) => void): Promise<PeerSockets> {
  const server = createNetServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => onData(socket, bytes));
  });
  return await listen(server, 0);
}

async function listen(server: Server, wanted: number): Promise<PeerSockets> {
  const open = new Set<Socket>();
  const waiting = new Set<() => void>();
  let seen = 0;
  server.on("connection", (socket: Socket) => {
    seen += 1;
    open.add(socket);
    socket.on("close", () => {
      open.delete(socket);
      if (open.size > 0) return;
      for (const wake of [...waiting]) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(wanted, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    openSockets: () => open.size,
    allClosed: () =>
      new Promise((resolve) => {
        const done = (): void => {
          waiting.delete(done);
          resolve(seen);
        };
        if (open.size === 0) done();
        else waiting.add(done);
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function rpcOf(body: string): PeerRequest["rpc"] {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as PeerRequest["rpc"]) : {};
  } catch {
    return {};
  }
}

function notFound(_request: PeerRequest, response: ServerResponse): void {
  response.writeHead(404).end();
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(value));
}

/** A JSON-RPC result for this request. */
export function sendResult(request: PeerRequest, response: ServerResponse, result: unknown): void {
  sendJson(response, { jsonrpc: "2.0", id: request.rpc.id, result });
}

export function sendError(
  request: PeerRequest,
  response: ServerResponse,
  code: number,
  message: string,
  status = 200,
): void {
  sendJson(response, { jsonrpc: "2.0", id: request.rpc.id, error: { code, message } }, status);
}

/** Opens an event stream: `frame` writes one JSON-RPC result, `raw` any text. */
export function openStream(
  request: PeerRequest,
  response: ServerResponse,
): { frame(result: unknown): void; raw(text: string): void; end(): void } {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  return {
    frame: (result) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, result })}\n\n`),
    raw: (text) => response.write(text),
    end: () => response.end(),
  };
}
