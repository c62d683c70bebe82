// What our client makes of the Gemini CLI's server. A finished turn of it waits for input, and its words are all in the history.

import assert from "node:assert/strict";
import { isA2aError } from "../../src/core/platform/errors.ts";
import type { A2aClient, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import { cancelByCaller } from "../interop/cancel-by-caller.ts";
import { type Cell, cellOf } from "../interop/cell.ts";
import { createClient } from "../interop/client.ts";

const SLOW_SECONDS = 12;
const TYPED = { typed: true } as const;

interface Bench {
  readonly origin: string;
  readonly client: A2aClient;
  call(text: string, fields?: Partial<CallRequest>): Promise<CallResult>;
}

const OPERATIONS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  card: async ({ client, origin }) => {
    const { card, dialect } = await client.discover(origin, TYPED);
    assert.equal(card.name, "Gemini SDLC Agent");
    assert.equal(dialect, "0.3");
  },
  stream: async ({ call }) => isTurn(await call("hello you"), "hello you, said the model"),
  "stream, thoughts left out": async ({ call }) => isTurn(await call("think hard"), "think hard, said the model"),
  "stream, failure": failure,
  "stream, 12 s": async ({ call }) =>
    isTurn(await call(`slow ${SLOW_SECONDS}`), `slow ${SLOW_SECONDS}, said the model`),
  "stream, next turn of the task": nextTurn,
  get: getTask,
  cancel: cancelTask,
  "cancel by the caller": ({ client, origin }) => cancelByCaller(client, origin),
};

/** One after another: the server has one workspace. */
export async function geminiCells(peer: string, origin: string): Promise<readonly Cell[]> {
  const { client, close } = createClient();
  const bench: Bench = {
    ...{ origin, client },
    call: (text, fields = {}) => client.call({ agent: origin, text, detached: false, typed: true, ...fields }),
  };
  const cells: Cell[] = [];
  for (const [operation, work] of Object.entries(OPERATIONS)) {
    cells.push(await cellOf({ peer, direction: "serves" }, operation, () => work(bench)));
  }
  await close();
  return cells;
}

function isTurn({ state, text }: CallResult, wanted: string): void {
  assert.equal(text, wanted);
  assert.equal(state, "TASK_STATE_INPUT_REQUIRED");
}

/** It tells of a model that fails in the words of a turn. */
async function failure({ call }: Bench): Promise<void> {
  const { state, text } = await call("fail now");
  assert.match(text, /the model is broken/);
  assert.equal(state, "TASK_STATE_INPUT_REQUIRED");
}

async function nextTurn({ call }: Bench): Promise<void> {
  const { taskId = "", contextId = "" } = await call("hello you");
  const next = await call("and more", { taskId, contextId });
  isTurn(next, "and more, said the model");
  assert.equal(next.taskId, taskId);
}

async function getTask({ client, origin, call }: Bench): Promise<void> {
  const { taskId = "" } = await call("slow 1", { detached: true });
  const { state } = await client.status({ agent: origin, taskId, waitSec: 20, ...TYPED });
  assert.equal(state, "TASK_STATE_INPUT_REQUIRED");
  await assert.rejects(client.status({ agent: origin, taskId: "no-such-task", waitSec: 0, ...TYPED }), (error) => {
    assert.ok(isA2aError(error, "PEER_ERROR"), String(error));
    assert.equal(error.metadata.rpcCode, "-32001");
    return true;
  });
}

async function cancelTask({ client, origin, call }: Bench): Promise<void> {
  const { taskId = "" } = await call("wait", { detached: true });
  assert.equal((await client.cancel(origin, taskId, TYPED)).state, "TASK_STATE_CANCELED");
}
