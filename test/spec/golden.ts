// Golden files: requests, and the bytes with which they are answered by the real server and the scripted agent. Ids count and the
// clock stands still, so the same requests give the same bytes. WRITE_WIRE=1 fills in the replies, for a look at what changed.

import { type IncomingMessage, request } from "node:http";
import { CARD_FACTS, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createPrefixRunner } from "../support/scripted-runner.ts";

export interface Exchange {
  readonly what: string;
  readonly request: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Exchanges that are played once the first frame of this one has come. */
  readonly meanwhile?: readonly Exchange[];
  /** The reply, or the frames of the stream. */
  readonly reply?: unknown;
  readonly frames?: readonly unknown[];
}

export interface GoldenFile {
  readonly exchanges: readonly Exchange[];
}

/** One exchange as it was played. */
export interface Played {
  readonly exchange: Exchange;
  readonly text: string;
  readonly isStream: boolean;
}

/** Cards name the address that was asked for. */
const HOST = "127.0.0.1:9910";

/** Plays all exchanges in their order; those of `meanwhile` stand before the one that they belong to. */
export async function playGolden(file: GoldenFile): Promise<Played[]> {
  const server = await startTestServer({
    runner: createPrefixRunner(createFakeClock()),
    features: { extendedCard: true },
    cardFacts: () => ({ ...CARD_FACTS, session: { cwd: "/work", pid: 4711, tools: ["read", "bash"] } }),
  });
  try {
    const played: Played[] = [];
    for (const exchange of file.exchanges) played.push(...(await play(server, exchange)));
    return played;
  } finally {
    await server.stop();
  }
}

/** The bytes that the golden file asks for. */
export function expectedText({ reply, frames }: Exchange): string {
  return frames === undefined
    ? JSON.stringify(reply)
    : frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
}

/** The exchange with what came back, as the file would hold it. */
export function asPlayed(exchange: Exchange, played: readonly Played[]): Exchange {
  const { reply: _reply, frames: _frames, meanwhile, ...rest } = exchange;
  const own = played.find((each) => each.exchange === exchange);
  const text = own?.text ?? "";
  const inner = meanwhile === undefined ? {} : { meanwhile: meanwhile.map((each) => asPlayed(each, played)) };
  return { ...rest, ...inner, ...(own?.isStream ? { frames: framesIn(text) } : { reply: JSON.parse(text) }) };
}

export function framesIn(text: string): unknown[] {
  return text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => JSON.parse(block.replace(/^data: /, "")));
}

async function play(server: TestServer, exchange: Exchange): Promise<Played[]> {
  const response = await open(server.port, exchange);
  const isStream = response.headers["content-type"] === "text/event-stream";
  let text = "";
  response.setEncoding("utf8");
  const ended = new Promise<void>((resolve, reject) => response.on("end", resolve).on("error", reject));
  const begun = new Promise<void>((resolve) => response.once("data", () => resolve()));
  response.on("data", (chunk: string) => {
    text += chunk;
  });
  const inner: Played[] = [];
  if (exchange.meanwhile !== undefined) await begun;
  for (const each of exchange.meanwhile ?? []) inner.push(...(await play(server, each)));
  await ended;
  return [...inner, { exchange, text, isStream }];
}

function open(port: number, { request: body, headers }: Exchange): Promise<IncomingMessage> {
  const all = { "Content-Type": "application/json", "A2A-Version": "1.0", Host: HOST, ...headers };
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, method: "POST", headers: all, agent: false }, resolve)
      .on("error", reject)
      .end(JSON.stringify(body));
  });
}
