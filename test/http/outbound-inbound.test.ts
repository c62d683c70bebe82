// Our client against our server over real sockets, with runs that the test drives.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { A2aClient, CallProgress, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { createTestClient, failure, nextTurn, testSettings, whileTicking } from "../support/outbound-rig.ts";

describe("our client and our server", () => {
  let server: TestServer;
  let clock: FakeClock;
  let client: A2aClient;
  beforeEach(async () => {
    server = await startTestServer();
    clock = createFakeClock();
    client = createTestClient(clock, () => testSettings());
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
    assert.equal(clock.pending(), 0, "a timer of the client was left behind");
  });
  const call = (fields: Partial<CallRequest> = {}): Promise<CallResult> =>
    client.call({ agent: server.origin, text: "count the TODOs", detached: false, typed: false, ...fields });
  const ask = (taskId: string, waitSec = 0): Promise<CallResult> =>
    client.status({ agent: server.origin, taskId, waitSec, typed: false });
  /** Resolves with the first progress that fits. */
  const progressWith = (fits: (progress: CallProgress) => boolean) => {
    let found: (progress: CallProgress) => void;
    const seen = new Promise<CallProgress>((resolve) => {
      found = resolve;
    });
    const onProgress = (progress: CallProgress): void => {
      if (fits(progress)) found(progress);
    };
    return { onProgress, seen };
  };

  it("reads the card and finds the interface", async () => {
    const { card, chosen } = await client.discover(server.origin, { typed: true });
    assert.equal(card.name, "pi-test");
    assert.equal(chosen?.protocolVersion, "1.0");
  });

  it("streams live text, and holds the reply once", async () => {
    const { onProgress, seen } = progressWith(({ line }) => line === "4");
    const pending = call({ onProgress });
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, [{ text: "count the TODOs" }]);
    run.working("grep");
    run.text("4", { provisional: true });
    const progress = await whileTicking(clock, seen);
    assert.equal(progress.taskId, run.request.taskId);
    assert.equal(progress.state, "TASK_STATE_WORKING");
    run.text("2", { append: true, provisional: true });
    run.text("42");
    run.complete();
    const result = await pending;
    assert.equal(result.text, "42");
    assert.equal(result.state, "TASK_STATE_COMPLETED");
    assert.equal(result.contextId, run.request.contextId);
  });

  it("gives the same text by stream and by GetTask (S01)", async () => {
    const pending = call();
    const run = await server.runner.next();
    run.working();
    run.text("the reply");
    run.complete();
    const result = await pending;
    assert.equal((await ask(result.taskId ?? "")).text, result.text);
    assert.equal(result.text, "the reply");
  });

  it("returns a failed task with its reason", async () => {
    const pending = call();
    (await server.runner.next()).fail("no model");
    const result = await pending;
    assert.equal(result.state, "TASK_STATE_FAILED");
    assert.match(result.text, /no model/);
  });

  it("answers a question in the same task", async () => {
    const pending = call();
    const run = await server.runner.next();
    run.working();
    run.ask("Which branch?");
    const question = await pending;
    assert.equal(question.state, "TASK_STATE_INPUT_REQUIRED");
    assert.equal(question.text, "Which branch?");
    const { taskId = "", contextId = "" } = question;
    const answered = call({ text: "main", taskId, contextId });
    const second = await server.runner.next();
    assert.equal(second.request.taskId, taskId);
    second.text("done on main");
    second.complete();
    assert.equal((await answered).text, "done on main");
  });

  it("returns a direct Message", async () => {
    const pending = call();
    (await server.runner.next()).reply("hello");
    const result = await pending;
    assert.equal(result.text, "hello");
    assert.equal(result.taskId, undefined);
  });

  it("hands a task over and reads it later", async () => {
    const pending = call({ detached: true });
    const run = await server.runner.next();
    run.working();
    const { taskId = "", detached } = await pending;
    assert.equal(detached, true);
    assert.equal((await ask(taskId)).state, "TASK_STATE_WORKING");
    const waiting = whileTicking(clock, ask(taskId, 3000));
    run.text("later");
    run.complete();
    assert.equal((await waiting).text, "later");
  });

  it("stops the remote run when its caller's signal aborts", async () => {
    const stop = new AbortController();
    const { onProgress, seen } = progressWith(({ taskId }) => taskId !== undefined);
    const pending = failure(call({ signal: stop.signal, onProgress }), "CANCELLED");
    const run = await server.runner.next();
    run.working();
    await seen;
    stop.abort();
    assert.match((await pending).message, /was told, and the task is canceled/);
    assert.equal(run.request.signal.aborted, true);
  });

  it("cancels a task by its id", async () => {
    const pending = call({ detached: true });
    const run = await server.runner.next();
    run.working();
    const { taskId = "" } = await pending;
    assert.equal((await client.cancel(server.origin, taskId, { typed: false })).state, "TASK_STATE_CANCELED");
  });

  it("says what the server says of a task that it does not know", async () => {
    const error = await failure(ask("task-0000000000000fff"), "PEER_ERROR");
    assert.equal(error.metadata.rpcCode, "-32001");
  });

  it("keeps a stream alive over five minutes without an event (C28)", async () => {
    const pending = call();
    const run = await server.runner.next();
    run.working();
    for (let second = 0; second < 312; second += 3) {
      server.clock.tick(3000);
      for (let turn = 0; turn < 4; turn++) await nextTurn();
      clock.tick(3000);
    }
    run.text("late");
    run.complete();
    assert.equal((await pending).text, "late");
  });

  it("runs eight calls side by side, each with its own reply", async () => {
    await server.stop();
    server = await startTestServer({ engineLimits: { maxConcurrent: 8 } });
    const pending = Array.from({ length: 8 }, (_unused, n) => call({ text: `task ${n}` }));
    for (let n = 0; n < 8; n++) {
      const run = await server.runner.next();
      const [part] = run.request.message.parts;
      run.text(`reply to ${part !== undefined && "text" in part ? part.text : "?"}`);
      run.complete();
    }
    const texts = (await Promise.all(pending)).map(({ text }) => text);
    assert.deepEqual(
      texts,
      Array.from({ length: 8 }, (_unused, n) => `reply to task ${n}`),
    );
  });

  it("says that the server is busy", async () => {
    await server.stop();
    server = await startTestServer({ engineLimits: { maxConcurrent: 1 } });
    const first = call();
    const run = await server.runner.next();
    run.working();
    const error = await failure(whileTicking(clock, call()), "PEER_REFUSED");
    assert.match(error.message, /HTTP 503: .*-32053/);
    run.complete();
    await first;
  });

  it("fails clearly when the server stops in the middle", async () => {
    const pending = call();
    const run = await server.runner.next();
    run.working();
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    await server.engine.stop("the session ends");
    const result = await pending;
    assert.equal(result.state, "TASK_STATE_FAILED");
    assert.match(result.text, /the session ends/);
  });
});
