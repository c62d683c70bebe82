// JSON-RPC calls and streams against a server under test, as a plain HTTP client makes them: one connection each.

import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

export interface WirePart {
  readonly text?: string;
}

export interface WireMessage {
  readonly messageId: string;
  readonly role: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly parts: readonly WirePart[];
}

export interface WireStatus {
  readonly state: string;
  readonly timestamp: string;
  readonly message?: WireMessage;
}

export interface WireArtifact {
  readonly artifactId: string;
  readonly parts: readonly WirePart[];
}

export interface WireTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: WireStatus;
  readonly artifacts?: readonly WireArtifact[];
  readonly history?: readonly WireMessage[];
  readonly metadata?: object;
}

export interface WireUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly metadata?: object;
}

/** A bare task, a result of a send, or a stream frame. */
export interface WireResult extends Partial<WireTask> {
  readonly task?: WireTask;
  readonly message?: WireMessage;
  readonly statusUpdate?: WireUpdate & { readonly status: WireStatus };
  readonly artifactUpdate?: WireUpdate & {
    readonly artifact: WireArtifact;
    readonly append?: boolean;
    readonly lastChunk?: boolean;
  };
}

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data: readonly {
    readonly reason?: string;
    readonly metadata?: object;
    readonly fieldViolations?: readonly { readonly field: string }[];
  }[];
}

/** A decoded JSON-RPC reply, checked by the tests that read it. */
export interface Body {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly result?: WireResult;
  readonly error?: WireError;
}

export interface CallOptions {
  readonly id?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

export interface CallReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Body;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The bytes so far. */
  text(): string;
  /** The `data` of every event so far, decoded. */
  events(): readonly Body[];
  /** The n-th event (from 1) once it is there; rejects when the stream ends before. */
  event(n: number): Promise<Body>;
  /** Resolves with all events when the server has ended the stream. */
  readonly ended: Promise<readonly Body[]>;
  destroy(): void;
}

let messages = 0;

/** Params of a send: one text part and a message id of its own. */
export function textParams(text: string, message: object = {}, configuration?: object): object {
  messages += 1;
  const sent = { messageId: `m-${messages}`, role: "ROLE_USER", parts: [{ text }], ...message };
  return configuration === undefined ? { message: sent } : { message: sent, configuration };
}

export function rpcBody(method: string, params?: unknown, id: unknown = 1): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

export async function call(
  port: number,
  method: string,
  params?: unknown,
  options: CallOptions = {},
): Promise<CallReply> {
  return post(port, rpcBody(method, params, "id" in options ? options.id : 1), options);
}

export async function post(port: number, body: string, options: CallOptions = {}): Promise<CallReply> {
  return collect(await open(port, "POST", body, options));
}

export async function get(
  port: number,
  path: string,
  options: { readonly method?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<CallReply> {
  return collect(await open(port, options.method ?? "GET", undefined, { ...options, path }));
}

export async function openStream(
  port: number,
  method: string,
  params: unknown,
  id: unknown = 1,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventStream> {
  const response = await open(port, "POST", rpcBody(method, params, id), { headers });
  const events: Body[] = [];
  const blocks: string[] = [];
  let rest = "";
  let over = false;
  const watchers = new Set<() => void>();
  const look = (): void => {
    for (const watcher of [...watchers]) watcher();
  };
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    const pieces = (rest + chunk).split("\n\n");
    rest = pieces.pop() ?? "";
    for (const block of pieces) {
      blocks.push(`${block}\n\n`);
      const data = /(?:^|\n)data: ([^\n]*)/.exec(block)?.[1];
      if (data !== undefined) events.push(JSON.parse(data));
    }
    look();
  });
  response.on("error", () => undefined);
  const ended = new Promise<readonly Body[]>((resolve) => {
    response.on("close", () => {
      over = true;
      look();
      resolve(events);
    });
  });
  const text = (): string => blocks.join("") + rest;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    events: () => events,
    event: (n) =>
      new Promise((resolve, reject) => {
        const watcher = (): void => {
          const event = events[n - 1];
          if (event !== undefined) resolve(event);
          else if (over) reject(new Error(`the stream ended before event ${n}: ${text()}`));
          else return;
          watchers.delete(watcher);
        };
        watchers.add(watcher);
        watcher();
      }),
    ended,
    destroy: () => void response.destroy(),
  };
}

function open(port: number, method: string, body: string | undefined, options: CallOptions): Promise<IncomingMessage> {
  const headers = { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...options.headers };
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, method, path: options.path ?? "/", headers, agent: false }, resolve)
      .on("error", reject)
      .end(body);
  });
}

async function collect(response: IncomingMessage): Promise<CallReply> {
  let text = "";
  response.setEncoding("utf8");
  for await (const chunk of response) text += chunk;
  const json: Body = text.trim() === "" ? {} : JSON.parse(text);
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}
