// Pieces of live text a second, one in each turn of the event loop, beside a bare loop that writes the same events.

import { askServer } from "./ask-server.ts";
import type { Bench, Server } from "./bench.ts";
import { type Answer, streamRequest } from "./calls.ts";
import { median, medianRatio, rotated } from "./figures.ts";
import type { Aim, Row } from "./report.ts";
import { pieceText } from "./servers/server-settings.ts";

const AIM: Aim = { figure: "ratio", atLeast: 0.8 };
const OWN_HEADERS = /^(?:date|connection|keep-alive|transfer-encoding)$/i;
/** Of the stream that is looked at before the measurement. */
const SAMPLE = 50;

interface StreamRow {
  readonly id: string;
  readonly title: string;
  readonly streams: number;
  readonly stalled: boolean;
}

const ROWS: readonly StreamRow[] = [
  { id: "stream-1", title: "Stream, pieces of text", streams: 1, stalled: false },
  { id: "stream-16", title: "Stream, pieces of text", streams: 16, stalled: false },
  { id: "stream-stalled", title: "Stream beside a stalled reader", streams: 1, stalled: true },
];

/** What one stream of ours looks like. */
interface Sample {
  readonly headers: readonly string[];
  /** Of one piece. */
  readonly frame: string;
  /** Events that are not pieces. */
  readonly others: number;
}

export async function measureStreams(bench: Bench, bare: Server): Promise<readonly Row[]> {
  const wanted = ROWS.filter(({ id }) => bench.wants(id));
  if (wanted.length === 0) return [];
  const ours = await bench.startOurs({ maxTasks: 10_000 });
  const sample = sampleOf(await askServer(ours.url, streamRequest(`stream ${SAMPLE}`)));
  const rows: Row[] = [];
  for (const row of wanted) {
    bench.tell(`${row.title}, ${row.streams}`);
    rows.push(await measureRow(bench, { ours, bare }, row, sample));
  }
  await ours.stop();
  return rows;
}

async function measureRow(
  bench: Bench,
  { ours, bare }: { readonly ours: Server; readonly bare: Server },
  { id, title, streams, stalled }: StreamRow,
  { headers, frame, others }: Sample,
): Promise<Row> {
  const pieces = Math.floor(bench.plan.pieces / streams);
  const frames = pieces + others;
  const rates = { ours: [] as number[], bare: [] as number[], sdk: [] as number[] };
  const costs = { ours: [] as number[], bare: [] as number[], sdk: [] as number[] };
  await bare.ask("stream", { headers, frame, frames });
  // The first round is for the compiler.
  for (let round = -1; round < bench.plan.rounds; round++) {
    for (const server of rotated([bare, ours], round + 1)) {
      bench.check();
      const before = await server.cpuMicros();
      const request = streamRequest(`stream ${pieces}`);
      const { ms } = await bench.readStreams({ url: server.url, request, streams, stalled, frames });
      await server.ask("ready");
      if (round < 0) continue;
      costs[server.name].push((await server.cpuMicros()) - before);
      rates[server.name].push(((pieces * streams) / ms) * 1000);
    }
  }
  return {
    ...{ id, title, unit: "/s", concurrency: streams, aim: AIM },
    ours: median(rates.ours),
    limit: median(rates.bare),
    ratio: medianRatio(rates.ours, rates.bare),
    cpuRatio: medianRatio(costs.bare, costs.ours),
  };
}

interface StreamFrame {
  readonly artifactUpdate?: { readonly artifact: { readonly parts: readonly { readonly text?: string }[] } };
  readonly statusUpdate?: { readonly status: { readonly state: string } };
}

/** Throws unless the stream has every piece in its place, and the end. */
function sampleOf({ status, rawHeaders, body }: Answer): Sample {
  const events = body.split("\n\n").filter((event) => event !== "");
  const results = events.map((event) => (JSON.parse(event.replace(/^data: ?/, "")) as { result?: StreamFrame }).result);
  const texts = results.flatMap((result) => result?.artifactUpdate?.artifact.parts.map(({ text }) => text) ?? []);
  const right = Array.from({ length: SAMPLE }, (_, n) => pieceText(n));
  const end = results.at(-1)?.statusUpdate?.status.state;
  if (status !== 200 || end !== "TASK_STATE_COMPLETED" || texts.join("|") !== right.join("|")) {
    throw new Error(`the stream is wrong (${status}, ${end}): ${body.slice(0, 400)}`);
  }
  const frame = events.find((event) => event.includes(pieceText(SAMPLE - 2)));
  if (frame === undefined) throw new Error(`no event has a piece of its own: ${body.slice(0, 400)}`);
  const headers = rawHeaders.filter((_, index) => !OWN_HEADERS.test(rawHeaders[index - (index % 2)] ?? ""));
  return { headers, frame: `${frame}\n\n`, others: events.length - SAMPLE };
}
