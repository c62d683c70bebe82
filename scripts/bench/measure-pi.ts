// What real Pi pays: the time from a request to the child's prompt, and what loading the extension adds to its start.

import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EXTENSION, REPOSITORY } from "../../test/support/e2e-host.ts";
import { announcedUrl } from "../../test/support/e2e-stage.ts";
import type { PiProcess } from "../../test/support/pi-process.ts";
import { askServer } from "./ask-server.ts";
import type { Bench } from "./bench.ts";
import { sendRequest, sentTask } from "./calls.ts";
import { median, medianDifference } from "./figures.ts";
import { measureFirstUse } from "./measure-first-use.ts";
import { startPiModel } from "./pi-model.ts";
import { forgetTransforms, hasTransforms, makePiHome, type PiHome, startTimedPi } from "./pi-sessions.ts";
import { publishedPackage } from "./published-package.ts";
import type { Aim, Row } from "./report.ts";

const PROMPT_ID = "pi-prompt";
/** Before, code runs that was not compiled. */
const WARM_PROMPTS = 25;
const PROBE = pathToFileURL(join(REPOSITORY, "scripts", "bench", "pi-probe.mjs")).href;
/** Any free port: another session may have the usual one. */
const SERVER_ON = { a2a: { server: { enabled: true, rateLimitPerMin: 0, maxPingpongTurns: 1000 } } };

interface StartRow {
  readonly id: string;
  readonly title: string;
  readonly server: boolean;
  readonly cold: boolean;
  /** The package as it is published, in place of the checkout. */
  readonly published?: boolean;
  readonly aim?: Aim;
}

const WARM_AIM: Aim = { figure: "added", atMost: 60 };

const STARTS: readonly StartRow[] = [
  { id: "pi-start-cold", title: "Start of Pi, cold", server: false, cold: true },
  { id: "pi-start-warm", title: "Start of Pi, warm", server: false, cold: false, aim: WARM_AIM },
  { id: "pi-start-cold-on", title: "Start of Pi, cold, server on", server: true, cold: true },
  { id: "pi-start-warm-on", title: "Start of Pi, warm, server on", server: true, cold: false },
  { id: "pi-start-published-cold", title: "Start of Pi, cold, published", server: false, cold: true, published: true },
  {
    ...{ id: "pi-start-published-warm", title: "Start of Pi, warm, published", server: false, cold: false },
    ...{ published: true, aim: WARM_AIM },
  },
];

/** The first start of Pi reads it from the disk: it is for nobody's figure. */
export async function readPi(bench: Bench): Promise<void> {
  if (!bench.wants(PROMPT_ID) && wantedStarts(bench).length === 0) return;
  await timeStart(bench, makePiHome(bench, "pi-first", { settings: {} }), undefined);
}

/** The starts come first: the session that is prompted finds what they have left transformed. */
export async function measurePi(bench: Bench): Promise<readonly Row[]> {
  const starts = await measureStarts(bench);
  return [...(await measurePrompts(bench)), ...starts, ...(await measureFirstUse(bench))];
}

function wantedStarts({ plan, wants }: Bench): readonly StartRow[] {
  return STARTS.filter(({ id, server, published }) => wants(id) && (plan.allStarts || !(server || published)));
}

async function measurePrompts(bench: Bench): Promise<readonly Row[]> {
  if (!bench.wants(PROMPT_ID)) return [];
  const title = "Pi, from request to the child's prompt";
  bench.tell(title);
  const model = await startPiModel();
  await bench.onClose(model.stop);
  const settings = { ...model.settings, ...SERVER_ON };
  const home = makePiHome(bench, "pi-prompts", { settings, models: model.models });
  const prompts = join(home.root, "prompts");
  writeFileSync(prompts, "");
  const more = { NODE_OPTIONS: `--import ${PROBE}`, BENCH_PROMPTS: prompts };
  const { pi } = await startTimedPi(bench, home, { extension: EXTENSION, more });
  const url = await servedAt(pi);
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true });
  await bench.onClose(async () => agent.destroy());
  for (let n = 0; n < WARM_PROMPTS + bench.plan.prompts; n++) {
    bench.check();
    let began = 0n;
    const onSend = (): void => {
      began = process.hrtime.bigint();
    };
    sentTask(await askServer(url, sendRequest("hello"), { agent, onSend }));
    if (n >= WARM_PROMPTS) times.push(Number(lastPrompt(prompts, n + 1) - began) / 1e6);
  }
  await pi.stop();
  return [{ id: PROMPT_ID, title, unit: "ms", ours: median(times), aim: { figure: "ours", atMost: 5 } }];
}

async function servedAt(pi: PiProcess): Promise<string> {
  const url = announcedUrl(await pi.notification(/listening on/));
  if (url === undefined) throw new Error("the session did not say where its server listens");
  return url;
}

/** Throws unless the child was prompted once for each request. */
function lastPrompt(path: string, wanted: number): bigint {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  if (lines.length !== wanted) throw new Error(`${lines.length} prompts came of ${wanted} requests`);
  return BigInt(lines.at(-1) ?? "");
}

/** Without and with the extension in turn; what it adds is the median of the differences. */
async function measureStarts(bench: Bench): Promise<readonly Row[]> {
  const rows = wantedStarts(bench);
  if (rows.length === 0) return [];
  const plain = makePiHome(bench, "pi-plain", { settings: {} });
  const off = makePiHome(bench, "pi-off", { settings: {} });
  const on = makePiHome(bench, "pi-on", { settings: SERVER_ON });
  const found: Row[] = [];
  for (const row of rows) {
    bench.tell(row.title);
    const extension = row.published === true ? await publishedPackage(bench) : EXTENSION;
    found.push(await measureStart(bench, row, extension, plain, row.server ? on : off));
  }
  return found;
}

async function measureStart(
  bench: Bench,
  { id, title, server, cold, aim }: StartRow,
  extension: string,
  plain: PiHome,
  home: PiHome,
): Promise<Row> {
  const without: number[] = [];
  const withIt: number[] = [];
  // Cold starts take long, and their differences are large.
  const pairs = cold ? bench.plan.coldPairs : bench.plan.warmPairs;
  if (!cold && !(extension === EXTENSION && hasTransforms(bench))) await timeStart(bench, home, extension, server);
  for (let pair = 0; pair < pairs; pair++) {
    without.push(await timeStart(bench, plain, undefined));
    if (cold) forgetTransforms(bench);
    withIt.push(await timeStart(bench, home, extension, server));
  }
  return {
    ...{ id, title, unit: "ms" },
    ours: median(withIt),
    limit: median(without),
    added: medianDifference(withIt, without),
    ...(aim === undefined ? {} : { aim }),
  };
}

/** Checks that what was asked for was loaded. */
async function timeStart(bench: Bench, home: PiHome, extension: string | undefined, server = false): Promise<number> {
  const { pi, startMs } = await startTimedPi(bench, home, { extension });
  const { commands } = (await pi.request("get_commands")) as { commands: readonly { readonly name: string }[] };
  if (commands.some(({ name }) => name === "a2a-server") !== (extension !== undefined))
    throw new Error("Pi has not loaded what it was to load");
  if (server) await servedAt(pi);
  await pi.stop();
  return startMs;
}
