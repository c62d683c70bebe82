// Owns how the clients of the chaos run speak: JSON-RPC and streams over kept connections. That a connection breaks is an answer: the
// server was killed.

import { Agent, type IncomingMessage, request } from "node:http";
import { type Body, rpcBody } from "../../test/support/a2a-calls.ts";

export interface Answer {
  readonly status: number;
  readonly body: Body;
}

export interface Client {
  /** undefined when the connection broke, or was cut by the signal. */
  call(token: string, method: string, params: object, signal?: AbortSignal): Promise<Answer | undefined>;
  /** Hands over each event; true when the server ended the stream, false when it broke. An answer that is no stream is one event. */
  stream(token: string, method: string, params: object, onEvent: (event: Body) => void): Promise<boolean>;
  close(): void;
}

export function createClient(port: number): Client {
  const agent = new Agent({ keepAlive: true });
  const open = (token: string, body: string, signal?: AbortSignal): Promise<IncomingMessage | undefined> =>
    new Promise((resolve) => {
      const headers = {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        Authorization: `Bearer ${token}`,
        "A2A-Version": "1.0",
      };
      request(
        { host: "127.0.0.1", port, method: "POST", path: "/", headers, agent, ...(signal && { signal }) },
        resolve,
      )
        .on("error", () => resolve(undefined))
        .end(body);
    });
  return {
    async call(token, method, params, signal) {
      const response = await open(token, rpcBody(method, params), signal);
      if (response === undefined) return undefined;
      const text = await readWhole(response, () => undefined);
      return text === undefined ? undefined : { status: response.statusCode ?? 0, body: JSON.parse(text) };
    },
    async stream(token, method, params, onEvent) {
      const response = await open(token, rpcBody(method, params));
      if (response === undefined) return false;
      if (response.headers["content-type"]?.startsWith("text/event-stream") !== true) {
        const text = await readWhole(response, () => undefined);
        if (text !== undefined) onEvent(JSON.parse(text));
        return text !== undefined;
      }
      let rest = "";
      const text = await readWhole(response, (piece) => {
        const blocks = (rest + piece).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = /(?:^|\n)data: ([^\n]*)/.exec(block)?.[1];
          if (data !== undefined) onEvent(JSON.parse(data));
        }
      });
      return text !== undefined;
    },
    close: () => agent.destroy(),
  };
}

/** undefined when it broke before its end. */
function readWhole(response: IncomingMessage, onPiece: (piece: string) => void): Promise<string | undefined> {
  let text = "";
  response.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
    onPiece(piece);
  });
  return new Promise((resolve) => {
    response.on("error", () => undefined);
    response.on("close", () => resolve(response.complete ? text : undefined));
  });
}
