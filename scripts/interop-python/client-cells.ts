// What our client makes of an agent of words: every operation it has, with its own default limits, over the real port and clock.

import assert from "node:assert/strict";
import { isA2aError } from "../../src/core/platform/errors.ts";
import type { A2aClient, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import { cancelByCaller } from "../interop/cancel-by-caller.ts";
import { type Cell, cellOf } from "../interop/cell.ts";
import { createClient } from "../interop/client.ts";

const SLOW_SECONDS = 12;
const TYPED = { typed: true } as const;

export interface Agent {
  readonly peer: string;
  /** As its card says. */
  readonly name: string;
  /** Serves streams below `/stream/` and none below `/poll/`. */
  readonly origin: string;
  /** Breaks every open connection. */
  cut(): void;
}

interface Bench {
  readonly agent: Agent;
  readonly client: A2aClient;
  call(path: "stream" | "poll", text: string, fields?: Partial<CallRequest>): Promise<CallResult>;
}

type Work = (bench: Bench) => Promise<void>;

const OPERATIONS: Readonly<Record<string, Work>> = {
  card: async ({ agent, client }) => {
    const { card, chosen } = await client.discover(`${agent.origin}/stream/`, TYPED);
    assert.equal(card.name, agent.name);
    assert.equal(card.capabilities.streaming, true);
    assert.equal(chosen?.url, `${agent.origin}/stream/`);
  },
  ...bothWays("", async (call) => hasReply(await call("hello you"), "hello you, said the agent")),
  ...bothWays(", direct message", async (call) => hasReply(await call("message you"), "direct you")),
  ...bothWays(", failure", async (call) => {
    const { state, text } = await call("fail it broke");
    assert.equal(state, "TASK_STATE_FAILED");
    assert.equal(text, "because it broke");
  }),
  ...bothWays(", files and data", async (call) => {
    const parts = (await call("files")).attachments.flatMap((artifact) => artifact.parts);
    const file = { raw: "JVBERi0=", filename: "report.pdf", mediaType: "application/pdf" };
    assert.deepEqual(parts, [file, { data: { rows: [1, 2] } }]);
  }),
  ...bothWays(", pieces", async (call) => hasReply(await call("pieces"), "one, two, three")),
  ...bothWays(", question and answer", askAndAnswer),
  ...bothWays(", 12 s", async (call) => hasReply(await call(`slow ${SLOW_SECONDS}`), `slept ${SLOW_SECONDS} s`)),
  get: getTask,
  cancel: cancelTask,
  "cancel by the caller": ({ agent, client }) => cancelByCaller(client, `${agent.origin}/stream/`),
  subscribe: subscribeAgain,
};

const NO_WEBHOOK = "our client has no address for webhooks";
const ABSENT = {
  list: "our client keeps no list of the peer's tasks",
  ...{ "push set": NO_WEBHOOK, "push get": NO_WEBHOOK, "push list": NO_WEBHOOK },
  ...{ "push delivered": NO_WEBHOOK, "push delete": NO_WEBHOOK },
  "extended card": "our client reads the public card",
} as const;

/** Side by side, in the order of the list. */
export async function clientCells(agent: Agent): Promise<readonly Cell[]> {
  const { client, close } = createClient();
  const bench: Bench = {
    agent,
    client,
    call: (path, text, fields = {}) =>
      client.call({ agent: `${agent.origin}/${path}/`, text, detached: false, typed: true, ...fields }),
  };
  const column = { peer: agent.peer, direction: "serves" } as const;
  const { subscribe, ...others } = OPERATIONS;
  const cells = await Promise.all(
    Object.entries(others).map(([operation, work]) => cellOf(column, operation, () => work(bench))),
  );
  // It breaks the connections of all others.
  if (subscribe !== undefined) cells.push(await cellOf(column, "subscribe", () => subscribe(bench)));
  await close();
  const absent = Object.entries(ABSENT).map(
    ([operation, why]): Cell => ({ ...column, operation, verdict: "absent", why }),
  );
  return [...cells, ...absent];
}

type Call = (text: string, fields?: Partial<CallRequest>) => Promise<CallResult>;

function bothWays(suffix: string, work: (call: Call) => Promise<void>): Record<string, Work> {
  return {
    [`send${suffix}`]: ({ call }) => work((text, fields) => call("poll", text, fields)),
    [`stream${suffix}`]: ({ call }) => work((text, fields) => call("stream", text, fields)),
  };
}

function hasReply({ state, text }: CallResult, wanted: string): void {
  assert.equal(text, wanted);
  assert.equal(state, "TASK_STATE_COMPLETED");
}

async function askAndAnswer(call: Call): Promise<void> {
  const { state, text, taskId = "", contextId = "" } = await call("ask");
  assert.equal(state, "TASK_STATE_INPUT_REQUIRED");
  assert.equal(text, "Which branch?");
  const answered = await call("main", { taskId, contextId });
  hasReply(answered, "merged into main");
  assert.equal(answered.taskId, taskId);
}

async function getTask({ agent, client, call }: Bench): Promise<void> {
  const { taskId = "" } = await call("poll", "slow 1", { detached: true });
  const status = (id: string, waitSec: number): Promise<CallResult> =>
    client.status({ agent: `${agent.origin}/poll/`, taskId: id, waitSec, ...TYPED });
  assert.equal((await status(taskId, 0)).taskId, taskId);
  hasReply(await status(taskId, 20), "slept 1 s");
  await assertCode(status("no-such-task", 0), "-32001");
}

async function cancelTask({ agent, client, call }: Bench): Promise<void> {
  const url = `${agent.origin}/poll/`;
  const { taskId = "" } = await call("poll", "wait", { detached: true });
  assert.equal((await client.cancel(url, taskId, TYPED)).state, "TASK_STATE_CANCELED");
  const done = await call("poll", "hello you");
  await assertCode(client.cancel(url, done.taskId ?? "", TYPED), "-32002");
}

/** The stream breaks in the middle of a task; the client subscribes again. */
async function subscribeAgain({ agent, call }: Bench): Promise<void> {
  let cuts = 0;
  const called = call("stream", "slow 2", {
    onProgress({ taskId }) {
      if (taskId === undefined || cuts > 0) return;
      cuts += 1;
      agent.cut();
    },
  });
  hasReply(await called, "slept 2 s");
  assert.equal(cuts, 1);
}

async function assertCode(work: Promise<unknown>, rpcCode: string): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(isA2aError(error, "PEER_ERROR"), String(error));
    assert.equal(error.metadata.rpcCode, rpcCode);
    return true;
  });
}
