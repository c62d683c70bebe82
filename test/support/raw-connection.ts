// A bare TCP client: sends exactly the bytes it is told to and shows exactly what came back, which no HTTP library does.

import { connect } from "node:net";

export interface RawConnection {
  send(data: string | Uint8Array): void;
  /** Sends and resolves when the other side has taken it; rejects when the connection breaks before. */
  push(data: string): Promise<void>;
  /** Everything received so far. */
  received(): string;
  /** Resolves with everything received once it holds `text`; rejects when the connection ends before. */
  until(text: string): Promise<string>;
  /** Resolves with everything received once the server has closed the connection. */
  readonly closed: Promise<string>;
  /** Stops reading, so that the server's writes pile up. */
  pause(): void;
  resume(): void;
  /** Ends this side, so that the server sees that no more will come. */
  finish(): void;
  /** Cuts the connection from this side. */
  destroy(): void;
}

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export async function openConnection(port: number, host = "127.0.0.1"): Promise<RawConnection> {
  const socket = connect({ port, host });
  let text = "";
  let over = false;
  const watchers = new Set<() => void>();
  const look = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    look();
  });
  // A reset is one way for the server to close; what was received before it still counts.
  socket.on("error", () => undefined);
  const closed = new Promise<string>((resolve) => {
    socket.on("close", () => {
      over = true;
      look();
      resolve(text);
    });
  });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  return {
    send: (data) => void socket.write(data),
    push: (data) =>
      new Promise((resolve, reject) => socket.write(data, (error) => (error ? reject(error) : resolve()))),
    received: () => text,
    until: (wanted) =>
      new Promise((resolve, reject) => {
        const watcher = (): void => {
          if (text.includes(wanted)) resolve(text);
          else if (over) reject(new Error(`closed before ${JSON.stringify(wanted)}; received ${JSON.stringify(text)}`));
          else return;
          watchers.delete(watcher);
        };
        watchers.add(watcher);
        watcher();
      }),
    closed,
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    finish: () => void socket.end(),
    destroy: () => void socket.destroy(),
  };
}

/** The text of a POST with these headers; `Content-Length` is added unless the headers speak of the body's length. */
export function postText(body: string, headers: Readonly<Record<string, string>> = {}, path = "/"): string {
  const given = { Host: "127.0.0.1", "Content-Type": "application/json", ...headers };
  const sized = Object.keys(given).some((name) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = sized ? given : { ...given, "Content-Length": String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** One whole reply as received; throws when it is none. */
export function parseReply(text: string): RawReply {
  const end = text.indexOf("\r\n\r\n");
  const [first = "", ...lines] = text.slice(0, end).split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1];
  if (end === -1 || status === undefined) throw new Error(`not a reply: ${JSON.stringify(text.slice(0, 200))}`);
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return { status: Number(status), headers, body: text.slice(end + 4) };
}

/** Sends bytes on a new connection and gives the reply of a server that closes after it. */
export async function sendRaw(port: number, data: string): Promise<RawReply> {
  const connection = await openConnection(port);
  connection.send(data);
  return parseReply(await connection.closed);
}
