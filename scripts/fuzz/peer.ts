// Owns the peer that answers with bad bytes: each case calls it below a path of its own, which says what to answer. Every answer
// ends its connection.

import { type AddressInfo, createServer, type Socket } from "node:net";
import { isRecord } from "./json.ts";

export interface PeerCall {
  /** The path's first step: which case asks. */
  readonly name: string;
  readonly isCard: boolean;
  /** Counts the requests of the case, from 0. */
  readonly nth: number;
  readonly rpc: { readonly id?: unknown; readonly method?: unknown };
  /** Where the case's peer is, with a final slash. */
  readonly url: string;
}

export interface FuzzPeer {
  urlFor(name: string): string;
  /** All that was answered to the case so far; nothing is kept of it after that. */
  take(name: string): Buffer;
  stop(): Promise<void>;
}

const NOT_FOUND = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

export async function startFuzzPeer(answer: (call: PeerCall) => Buffer): Promise<FuzzPeer> {
  const sent = new Map<string, Buffer[]>();
  const open = new Set<Socket>();
  const reply = (socket: Socket, { path, body }: Request): void => {
    const name = path.split("/")[1] ?? "";
    const before = sent.get(name);
    // Cards are looked for at the root, too; a case that is over gets nothing more.
    if (before === undefined) return void socket.end(NOT_FOUND);
    const call = { name, nth: before.length, isCard: path.endsWith(".json"), rpc: rpcOf(body), url: urlFor(name) };
    const bytes = answer(call);
    before.push(bytes);
    socket.end(bytes);
  };
  const server = createServer((socket) => {
    let received = Buffer.alloc(0);
    open.add(socket);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      const request = wholeRequest(received);
      if (request === undefined) return;
      received = Buffer.alloc(0);
      reply(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const urlFor = (name: string): string => `http://127.0.0.1:${port}/${name}/`;
  return {
    urlFor(name) {
      sent.set(name, []);
      return urlFor(name);
    },
    take(name) {
      const bytes = Buffer.concat(sent.get(name) ?? []);
      sent.delete(name);
      return bytes;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

interface Request {
  readonly path: string;
  readonly body: string;
}

/** Our own client writes well: only its whole requests are looked for. */
function wholeRequest(received: Buffer): Request | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = received.subarray(0, end).toString("latin1");
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  return { path: head.split(" ")[1] ?? "/", body: received.subarray(end + 4).toString() };
}

function rpcOf(body: string): PeerCall["rpc"] {
  const value: unknown = body === "" ? {} : JSON.parse(body);
  return isRecord(value) ? value : {};
}
