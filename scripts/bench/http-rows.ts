// The rows over plain requests: what is asked, of which servers, and what the design wants of it.

import { askServer } from "./ask-server.ts";
import type { Bench, Server } from "./bench.ts";
import {
  cardRequest,
  checkCard,
  checkGotTask,
  checkList,
  checkNotModified,
  rpcRequest,
  sendRequest,
  sentTask,
} from "./calls.ts";
import { etagOf, type HttpRow, measureHttp, type Trio } from "./measure-http.ts";
import type { Row } from "./report.ts";

const FEW_TASKS = 100;
/** As for users. */
const MAX_TASKS = 10_000;
/** Asked for in turn. */
const TASKS_TO_GET = 64;
const TOKEN = "4b1f0c2d9e8a7766554433221100ffee";

const LIST_FEW: HttpRow = {
  id: "list-100",
  title: "ListTasks, of 100",
  requests: async () => [rpcRequest("ListTasks", {})],
  check: (answer) => checkList(answer, FEW_TASKS),
};

const CARD: HttpRow = {
  id: "card-200",
  title: "Agent card, 200",
  aim: { figure: "ratio", atLeast: 0.8 },
  requests: async () => [cardRequest()],
  check: checkCard,
};

const CARD_UNCHANGED: HttpRow = {
  id: "card-304",
  title: "Agent card, 304",
  aim: { figure: "ratio", atLeast: 0.8 },
  requests: async (server) => [cardRequest({ "If-None-Match": await etagOf(server, cardRequest()) })],
  check: checkNotModified,
};

const GET: HttpRow = {
  id: "get",
  title: "GetTask",
  aim: { figure: "ratio", atLeast: 0.6 },
  requests: async (server) => (await makeTasks(server, TASKS_TO_GET)).map((id) => rpcRequest("GetTask", { id })),
  check: checkGotTask,
};

const SEND: HttpRow = {
  id: "send",
  title: "SendMessage",
  aim: { figure: "ratio", atLeast: 0.4 },
  requests: async () => [sendRequest("hello")],
  makesTasks: true,
  check: sentTask,
};

const SEND_WITH_TOKEN: HttpRow = {
  ...SEND,
  id: "send-token",
  title: "SendMessage, with a token",
  requests: async () => [sendRequest("hello", { Authorization: `Bearer ${TOKEN}` })],
};

async function makeTasks(server: Server, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(sentTask(await askServer(server.url, sendRequest("hello"))).id);
  return ids;
}

/** Rows that one pair of servers is enough for. The list comes first, while there are so few tasks. */
export async function measurePlainRows(bench: Bench, bare: Server): Promise<readonly Row[]> {
  const rows = [LIST_FEW, CARD, CARD_UNCHANGED, GET, SEND].filter(({ id }) => bench.wants(id));
  if (rows.length === 0) return [];
  const ours = await bench.startOurs({ maxTasks: MAX_TASKS });
  await ours.ask("fill", { count: FEW_TASKS, text: "hello" });
  return measureRows(bench, { ours, bare, sdk: await bench.startSdk({ tasks: FEW_TASKS }) }, rows);
}

export async function measureTokenRow(bench: Bench, bare: Server): Promise<readonly Row[]> {
  if (!bench.wants(SEND_WITH_TOKEN.id)) return [];
  const ours = await bench.startOurs({ maxTasks: MAX_TASKS, token: TOKEN });
  const sdk = await bench.startSdk({ tasks: 0, token: TOKEN });
  return measureRows(bench, { ours, bare, sdk }, [SEND_WITH_TOKEN]);
}

export const MANY_ID = "list-many";

/** `ours` has the tasks already. */
export async function measureManyRow(bench: Bench, { ours, bare }: Omit<Trio, "sdk">): Promise<readonly Row[]> {
  if (!bench.wants(MANY_ID)) return [];
  const { manyTasks } = bench.plan;
  const row: HttpRow = {
    ...LIST_FEW,
    id: MANY_ID,
    title: `ListTasks, of ${manyTasks.toLocaleString("en-US")}`,
    check: (answer) => checkList(answer, manyTasks),
  };
  return measureRows(bench, { ours, bare, sdk: await bench.startSdk({ tasks: manyTasks }) }, [row], false);
}

/** Stops the pair afterwards, unless somebody else has made ours. */
async function measureRows(
  bench: Bench,
  trio: Trio,
  httpRows: readonly HttpRow[],
  oursToo = true,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const row of httpRows) {
    bench.tell(row.title);
    rows.push(...(await measureHttp(bench, trio, row)));
  }
  await trio.sdk.stop();
  if (oursToo) await trio.ours.stop();
  return rows;
}
