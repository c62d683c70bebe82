// Following a task that was dispatched earlier: by subscription where the peer streams, and over the watch that does so again and again.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { createLog } from "../../src/core/platform/log.ts";
import type { CallResult } from "../../src/outbound/client-types.ts";
import { type Ending, watchTask } from "../../src/pi/dispatched/watch-task.ts";
import { CONTEXT_ID, completedTask, TASK_ID, task } from "../support/builders.ts";
import { openStream, sendError, sendResult } from "../support/http-peer.ts";
import { type Method, nextTurn, type Rig, startRig, whileTicking } from "../support/outbound-rig.ts";

const working: Method = (request, response) => sendResult(request, response, task());
const completed = {
  statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: { state: "TASK_STATE_COMPLETED" } },
};

describe("following a dispatched task", () => {
  let rig: Rig;
  afterEach(() => rig.end());
  const start = async (streaming: boolean, methods: Record<string, Method>): Promise<void> => {
    rig = await startRig({ streaming, methods });
  };
  const ask = (): Promise<CallResult> =>
    rig.client.status({ agent: rig.peer.origin, taskId: TASK_ID, waitSec: 600, follow: true, typed: false });
  const watch = (signal = new AbortController().signal): Promise<Ending | undefined> => {
    const { clock, client } = rig;
    const deps = { clock, client, log: createLog(clock, () => "log-1"), longestPauseMs: () => 30_000 };
    return watchTask(deps, { agent: rig.peer.origin, taskId: TASK_ID, at: clock.now() }, signal);
  };
  const count = (method: string): number => rig.peer.calls(method).length;

  it("subscribes where the peer streams, after one question", async () => {
    await start(true, {
      GetTask: working,
      SubscribeToTask: (request, response) => {
        const stream = openStream(request, response);
        stream.frame({
          task: task("TASK_STATE_WORKING", { artifacts: [{ artifactId: "r", parts: [{ text: "42" }] }] }),
        });
        stream.frame(completed);
        stream.end();
      },
    });
    const { state, text } = await ask();
    assert.deepEqual([state, text, count("GetTask"), count("SubscribeToTask")], ["TASK_STATE_COMPLETED", "42", 1, 1]);
  });

  it("does not subscribe to a task that has ended, nor where the peer does not stream", async () => {
    await start(true, { GetTask: (request, response) => sendResult(request, response, completedTask("42")) });
    assert.equal((await ask()).text, "42");
    assert.equal(count("SubscribeToTask"), 0);
    await rig.end();
    await start(false, { GetTask: working });
    assert.equal((await ask()).state, "TASK_STATE_WORKING");
    assert.deepEqual([count("GetTask"), count("SubscribeToTask")], [1, 0]);
  });

  for (const [what, method] of [
    ["is refused", (request, response) => sendError(request, response, -32601, "no such method")],
    ["ends early", (request, response) => openStream(request, response).end()],
    ["is cut", (_request, response) => void response.socket?.resetAndDestroy()],
  ] satisfies [string, Method][]) {
    it(`goes on by questions when the subscription ${what}`, async () => {
      await start(true, {
        GetTask: (request, response, nth) =>
          nth < 4 ? working(request, response, nth) : sendResult(request, response, completedTask("42")),
        SubscribeToTask: method,
      });
      const ending = await whileTicking(rig.clock, watch());
      assert.equal(ending?.kind === "settled" ? ending.result.text : "", "42");
      assert.equal(count("GetTask"), 4);
    });
  }

  it("goes on through answers that fail in passing", async () => {
    await start(false, {
      GetTask: (request, response, nth) => {
        if (nth === 1) response.writeHead(500).end();
        else if (nth === 2) response.socket?.resetAndDestroy();
        else sendResult(request, response, completedTask("42"));
      },
    });
    assert.equal((await whileTicking(rig.clock, watch()))?.kind, "settled");
  });

  it("ends as lost when the peer does not know the task", async () => {
    await start(false, { GetTask: (request, response) => sendError(request, response, -32001, "no such task") });
    assert.deepEqual(await whileTicking(rig.clock, watch()), { kind: "lost" });
  });

  it("ends at once by its signal, in a question, in a subscription and in a pause", async () => {
    const methods: Record<string, Method>[] = [
      { GetTask: () => undefined },
      { GetTask: working, SubscribeToTask: (request, response) => void openStream(request, response) },
      { GetTask: working, SubscribeToTask: (request, response) => openStream(request, response).end() },
    ];
    for (const [nth, some] of methods.entries()) {
      await start(true, some);
      const stop = new AbortController();
      const watching = watch(stop.signal);
      const last = nth === 0 ? "GetTask" : "SubscribeToTask";
      while (count(last) === 0) await nextTurn();
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      stop.abort();
      assert.equal(await watching, undefined);
      if (nth < methods.length - 1) await rig.end();
    }
  });
});
