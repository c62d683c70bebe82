// One hostile client: a bare socket that sends what it likes, breaks off as it likes, and notes what came back.

import { connect, type Socket } from "node:net";

export interface Attacker {
  readonly index: number;
  readonly socket: Socket;
  /** Sends bytes; resolves when they are handed over, or at once when the connection is gone. */
  send(data: string | Uint8Array): Promise<void>;
  /** Status codes of the replies so far. */
  statuses(): readonly number[];
  /** The same with the JSON-RPC error code that came with it, such as `200 -32600`. */
  labels(): readonly string[];
  /** The first task id that the server named. */
  taskId(): string | undefined;
  /** Bytes received. */
  received(): number;
  /** Resolves once `text` was received; false when the connection ended before. */
  until(text: string): Promise<boolean>;
  /** Resolves when `count` replies have begun; false when the connection ended before. */
  replies(count: number): Promise<boolean>;
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>;
  gone(): boolean;
  /** Cuts the connection, by a reset or by FIN. */
  drop(how: "reset" | "close"): void;
}

/** Connects; never throws: a refused connection is one that is closed. */
export async function openAttacker(port: number, index: number): Promise<Attacker> {
  const socket = connect({ port, host: "127.0.0.1" });
  const statuses: number[] = [];
  const codes: (string | undefined)[] = [];
  const watchers = new Set<() => void>();
  let taskId: string | undefined;
  let bytes = 0;
  let tail = "";
  let over = false;
  const look = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  socket.on("error", () => undefined);
  socket.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    // Enough is kept for a status line or an error code that is cut in two.
    const fresh = chunk.toString("latin1");
    const seam = tail.length;
    const text = tail + fresh;
    for (const found of text.matchAll(/HTTP\/1\.1 (\d{3}) |"code":(-\d{5})\b/g)) {
      if (found.index + found[0].length <= seam) continue;
      if (found[1] !== undefined) statuses.push(Number(found[1]));
      else codes[statuses.length - 1] = found[2];
    }
    taskId ??= /task-[0-9a-f]{16}/.exec(text)?.[0];
    tail = text.slice(-64);
    for (const [wanted, settle] of wanting) if (text.includes(wanted)) settle();
    look();
  });
  const wanting = new Map<string, () => void>();
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      over = true;
      look();
      resolve();
    });
  });
  const when = (isSo: () => boolean): Promise<boolean> =>
    new Promise((resolve) => {
      const watcher = (): void => {
        if (!isSo() && !over) return;
        watchers.delete(watcher);
        resolve(isSo());
      };
      watchers.add(watcher);
      watcher();
    });
  await new Promise<void>((resolve) => {
    socket.once("connect", resolve).once("close", () => resolve());
  });
  return {
    index,
    socket,
    send: (data) =>
      new Promise((resolve) => {
        if (over || !socket.writable) return resolve();
        socket.write(data, () => resolve());
      }),
    statuses: () => statuses,
    labels: () => statuses.map((status, index) => [status, codes[index]].filter((one) => one !== undefined).join(" ")),
    taskId: () => taskId,
    received: () => bytes,
    until(text) {
      let seen = false;
      wanting.set(text, () => {
        seen = true;
      });
      return when(() => seen);
    },
    replies: (count) => when(() => statuses.length >= count),
    closed,
    gone: () => over,
    drop(how) {
      if (how === "reset") socket.resetAndDestroy();
      else socket.destroy();
    },
  };
}

/** The text of a request; `Content-Length` is added to a body unless the headers speak of its length. */
export function requestText(
  body: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  line = body === undefined ? "GET /health" : "POST /",
): string {
  const given = {
    Host: "127.0.0.1",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
  };
  const sized = Object.keys(given).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  const length = body === undefined || sized ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ ...given, ...length }).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}

let messages = 0;

/** A JSON-RPC request. */
export function rpcText(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}

/** A message for the runner of ../fixtures/server-child.ts. */
export function sendText(text: string, method = "SendMessage", configuration: object = {}): string {
  messages += 1;
  const message = { messageId: `hostile-${messages}`, role: "ROLE_USER", parts: [{ text }] };
  return rpcText(method, { message, configuration });
}
