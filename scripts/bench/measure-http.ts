// Requests a second, side by side: the servers in turn, several rounds, each pair with the bare server one right after the other.

import { askServer } from "./ask-server.ts";
import type { Bench, Server } from "./bench.ts";
import { type Answer, headerOf, sendRequest } from "./calls.ts";
import { median, medianRatio, rotated } from "./figures.ts";
import type { HttpLoadResult, LoadRequest } from "./load-types.ts";
import type { Aim, Row } from "./report.ts";
import type { BareAnswer } from "./servers/server-settings.ts";

export interface HttpRow {
  readonly id: string;
  readonly title: string;
  /** At concurrency 16. */
  readonly aim?: Aim;
  /** What to ask this server, in turn; may ask it for what it has first. */
  readonly requests: (server: Server) => Promise<readonly LoadRequest[]>;
  /** Each request makes a task, and none leads to that of another one. */
  readonly makesTasks?: boolean;
  /** Throws for a wrong answer. */
  readonly check: (answer: Answer) => void;
}

/** Ours, the limit, and the SDK. */
export interface Trio {
  readonly ours: Server;
  readonly bare: Server;
  readonly sdk: Server;
}

const AIMED_AT = 16;
/** To the limit before all rows, and how long they may take. */
const BARE_REQUESTS = 60_000;
const BARE_MS = 5_000;
/** At the beginning of each measurement, while its connections open. */
const SETTLE_MS = 40;
/** Headers that node:http sends by itself. */
const OWN_HEADERS = /^(?:date|connection|keep-alive)$/i;

/** Starts the limit, and sends it so much that neither its code nor that of the load is new in the first row. */
export async function startWarmBare(bench: Bench): Promise<Server> {
  const bare = await bench.startBare();
  const [status, body] = [200, JSON.stringify({ warm: "x".repeat(1_000) })];
  await bare.ask("answer", { status, headers: ["Content-Length", String(body.length)], body } satisfies BareAnswer);
  const requests = [sendRequest("hello")];
  const work = { url: bare.url, requests, connections: AIMED_AT, warmMs: 0, measureMs: 0, status };
  await bench.sendRequests({ ...work, amount: BARE_REQUESTS, atMostMs: BARE_MS });
  await bare.ask("ready");
  return bare;
}

/** One server with what it is asked, and what a right reply is. */
interface Contestant {
  readonly server: Server;
  readonly requests: readonly LoadRequest[];
  readonly status: number;
  readonly bytes: number;
}

/** One row for each concurrency. */
export async function measureHttp(bench: Bench, { ours, bare, sdk }: Trio, row: HttpRow): Promise<readonly Row[]> {
  const requests = await row.requests(ours);
  const answer = await rightAnswer(ours, requests, row);
  await bare.ask("answer", bareAnswer(answer));
  const contestants = [
    await contest(bench, bare, requests, answer.status),
    await contest(bench, ours, requests, answer.status),
    await contestSdk(bench, sdk, row),
  ];
  for (const one of contestants) await warm(bench, one);
  const rows: Row[] = [];
  for (const concurrency of bench.plan.concurrencies) rows.push(await measureAt(bench, contestants, row, concurrency));
  return rows;
}

async function contestSdk(bench: Bench, sdk: Server, row: HttpRow): Promise<Contestant> {
  const requests = await row.requests(sdk);
  const { status } = await rightAnswer(sdk, requests, row);
  return contest(bench, sdk, requests, status);
}

/** Checked before anything is measured: a bench that measures errors is worthless. */
async function rightAnswer(server: Server, [first]: readonly LoadRequest[], row: HttpRow): Promise<Answer> {
  if (first === undefined) throw new Error(`${row.title}: nothing to ask`);
  const answer = await askServer(server.url, first);
  try {
    row.check(answer);
  } catch (error) {
    throw new Error(`${row.title}: ${server.name} is wrong: ${error instanceof Error ? error.message : error}`);
  }
  return answer;
}

function bareAnswer({ status, rawHeaders, body }: Answer): BareAnswer {
  const headers = rawHeaders.filter((_, index) => !OWN_HEADERS.test(rawHeaders[index - (index % 2)] ?? ""));
  return { status, headers, body };
}

/** The size of a right reply is taken from one; under load all must have it. */
async function contest(
  bench: Bench,
  server: Server,
  requests: readonly LoadRequest[],
  status: number,
): Promise<Contestant> {
  const once = { url: server.url, requests, connections: 1, warmMs: 0, measureMs: 0, amount: 1, status };
  const { bytes } = await bench.sendRequests(once);
  return { server, requests, status, bytes };
}

async function warm({ plan, sendRequests, check }: Bench, { server, ...contestant }: Contestant): Promise<void> {
  check();
  const work = { url: server.url, ...contestant, connections: AIMED_AT, warmMs: 0, measureMs: 0 };
  // The limit has been warmed for all rows, and no ratio is made of the SDK.
  const atMostMs = server.name === "ours" ? plan.warmMs : plan.warmOthersMs;
  await sendRequests({ ...work, amount: plan.warmRequests, atMostMs });
  await server.ask("ready");
}

async function load(
  bench: Bench,
  { server, requests, status, bytes }: Contestant,
  connections: number,
): Promise<HttpLoadResult> {
  bench.check();
  const { measureMs } = bench.plan;
  const work = { url: server.url, requests, connections, warmMs: SETTLE_MS, measureMs, status, bytes };
  const result = await bench.sendRequests(work);
  // What is still under way there must not disturb the next one.
  await server.ask("ready");
  return result;
}

/** Also checks that the server has completed as many tasks as it has sent replies. */
async function checkedLoad(bench: Bench, contestant: Contestant, connections: number): Promise<HttpLoadResult> {
  const { server } = contestant;
  const before = await server.ask<number>("completed");
  const result = await load(bench, contestant, connections);
  const made = (await server.ask<number>("completed")) - before;
  if (made >= result.all) return result;
  throw new Error(`${result.all} messages made ${made} tasks`);
}

async function measureAt(
  bench: Bench,
  contestants: readonly Contestant[],
  { id, title, aim, makesTasks = false }: HttpRow,
  concurrency: number,
): Promise<Row> {
  const rates = { ours: [] as number[], bare: [] as number[], sdk: [] as number[] };
  const costs = { ours: [] as number[], bare: [] as number[], sdk: [] as number[] };
  for (let round = 0; round < bench.plan.rounds; round++) {
    for (const contestant of rotated(contestants, round)) {
      const { server } = contestant;
      if (server.name === "sdk" && round >= bench.plan.sdkRounds) continue;
      const before = await server.cpuMicros();
      const run = makesTasks && server.name === "ours" ? checkedLoad : load;
      const { all, counted, ms } = await run(bench, contestant, concurrency);
      costs[server.name].push(((await server.cpuMicros()) - before) / all);
      rates[server.name].push((counted / ms) * 1000);
    }
  }
  return {
    ...{ id, title, unit: "/s", concurrency },
    ours: median(rates.ours),
    limit: median(rates.bare),
    sdk: median(rates.sdk),
    ratio: medianRatio(rates.ours, rates.bare),
    cpuRatio: medianRatio(costs.bare, costs.ours),
    ...(aim === undefined || concurrency !== AIMED_AT ? {} : { aim }),
  };
}

/** The tag of the card that the server has now. */
export async function etagOf(server: Server, request: LoadRequest): Promise<string> {
  const etag = headerOf(await askServer(server.url, request), "etag");
  if (etag === undefined) throw new Error(`the card of ${server.name} has no ETag`);
  return etag;
}
