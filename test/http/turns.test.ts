// How many messages start work in one context, over real sockets.

import assert from "node:assert/strict";
import { call, textParams, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";

describe("the turns of one context", () => {
  let server: TestServer;
  const limits = { ratePerMin: 0, maxTurns: 2, chain: { sessionId: "here", maxHops: 4 } };
  beforeEach(async () => {
    limits.maxTurns = 2;
    server = await startTestServer({ engineLimits: { maxConcurrent: 1 }, callerLimits: () => limits });
  });
  afterEach(() => server.stop());

  const send = async (message: object): Promise<WireTask | undefined> => {
    const { json } = await call(server.port, "SendMessage", textParams("hello", message));
    return json.result?.task;
  };
  /** A turn whose run is ended as the test says. */
  const turn = async (message: object = {}, end: "complete" | "ask" = "complete"): Promise<WireTask> => {
    const sent = send(message);
    const run = await server.runner.next();
    if (end === "ask") run.ask("Which?");
    else run.complete();
    const task = await sent;
    assert.ok(task !== undefined);
    return task;
  };

  it("end with a REJECTED task that says why (G11) [sec-turns]", async () => {
    const { contextId } = await turn();
    await turn({ contextId });
    const refused = await send({ contextId });
    assert.equal(refused?.status.state, "TASK_STATE_REJECTED");
    assert.equal(refused.contextId, contextId);
    assert.match(refused.status.message?.parts[0]?.text ?? "", /^Anti-loop protection: .* exceeded 2 turns/);
    assert.equal(server.runner.runs.length, 2);
    limits.maxTurns = 3;
    assert.equal((await turn({ contextId })).status.state, "TASK_STATE_COMPLETED");
  });

  it("are not used up by answers", async () => {
    const { id, contextId } = await turn({}, "ask");
    for (let nth = 0; nth < 5; nth++) await turn({ taskId: id }, "ask");
    await turn({ taskId: id });
    assert.equal((await turn({ contextId })).status.state, "TASK_STATE_COMPLETED");
  });

  it("are not used up by messages that were not taken", async () => {
    const { contextId } = await turn();
    const blocker = send({});
    const run = await server.runner.next();
    for (let nth = 0; nth < 5; nth++) assert.equal(await send({ contextId }), undefined);
    run.complete();
    await blocker;
    assert.equal((await turn({ contextId })).status.state, "TASK_STATE_COMPLETED");
  });

  it("are free again after an hour", async () => {
    const { contextId } = await turn();
    await turn({ contextId });
    server.clock.tick(3_600_000);
    assert.equal((await turn({ contextId })).status.state, "TASK_STATE_COMPLETED");
  });
});
