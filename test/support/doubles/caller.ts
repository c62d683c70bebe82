// What the doubles of other people's clients have in common: requests over real sockets without any of our code, and what a client
// makes of the answer. Each double says in its own file whom it stands for and what it insists on.

import { type IncomingHttpHeaders, request } from "node:http";

/** JSON of the wire, in whatever dialect. */
// biome-ignore lint/suspicious/noExplicitAny: each client reads it in its own way
export type Wire = any;

/** What the client hands to whoever asked for it. */
export interface Said {
  /** As the agent spelled it. */
  readonly state: string;
  readonly text: string;
  readonly contextId?: string;
  readonly taskId?: string;
}

/** `before` is what was said last in the same conversation. */
export type Say = (text: string, before?: Said) => Promise<Said>;

export interface Caller {
  /** Reads the card as this client does, and gives the agent's name. */
  discover(): Promise<string>;
  readonly send: Say;
  /** Absent for clients that do not stream. */
  readonly stream?: Say;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** One request on a connection of its own, with these headers and no others but Host and Content-Length. */
export function fetchText(url: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<Answer> {
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const options = { method: body === undefined ? "GET" : "POST", headers: { ...headers, ...length }, agent: false };
  return new Promise((resolve, reject) => {
    request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on("error", reject);
    })
      .on("error", reject)
      .end(body);
  });
}

/** The JSON of a 200 answer. */
export async function fetchJson(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Wire> {
  const { status, text } = await fetchText(url, headers, body);
  if (status !== 200) throw new Error(`HTTP ${status}: ${text}`);
  return JSON.parse(text);
}

let requests = 0;

export function rpc(method: string, params: object, id?: string | number): string {
  requests += 1;
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? requests, method, params });
}

/** The result of a JSON-RPC answer; its error is thrown. */
export function resultOf(answer: Wire): Wire {
  if (answer.error !== undefined) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.result;
}

/** The results in the data lines of an event stream. */
export function resultsIn({ headers, text }: Answer): Wire[] {
  if (!String(headers["content-type"]).startsWith("text/event-stream")) {
    throw new Error(`expected an event stream, not ${headers["content-type"]}: ${text}`);
  }
  const data = text.split("\n").filter((line) => line.startsWith("data:"));
  return data.map((line) => resultOf(JSON.parse(line.slice("data:".length))));
}

/** The texts of parts in any spelling. */
export function textIn(parts: Wire, between = ""): string {
  return (parts ?? [])
    .map(({ text }: Wire) => text)
    .filter((text: unknown) => typeof text === "string")
    .join(between);
}

/** The texts of artifacts by their ids, pieces put together as `append` says. */
export interface Artifacts {
  add(artifact: Wire, append: boolean | undefined): void;
  text(between: string): string;
}

export function gatherArtifacts(): Artifacts {
  const texts = new Map<string, string>();
  return {
    add({ artifactId, parts }, append) {
      const old = append === true ? (texts.get(artifactId) ?? "") : "";
      texts.set(artifactId, old + textIn(parts));
    },
    text: (between) => [...texts.values()].join(between),
  };
}

export function hex(length: number): string {
  return Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join("");
}
