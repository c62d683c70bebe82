// SendStreamingMessage and SubscribeToTask: frames, their order, and what ends a stream.

import assert from "node:assert/strict";
import { COMMENT_AFTER_MS } from "../../src/inbound/event-writer.ts";
import { MAX_STREAMS } from "../../src/inbound/stream-slots.ts";
import { call, type EventStream, openStream, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { framesOf, kindOf, kindsOf } from "./frames.ts";
import { askingTask, endedTask, errorOf, getTask, sendTo, until, workingTask } from "./stage.ts";

const WORKING = "TASK_STATE_WORKING";
const COMPLETED = "TASK_STATE_COMPLETED";

describe("a stream", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engineLimits: { maxConcurrent: 64 } });
  });
  afterEach(() => server.stop());

  const stream = (message = {}, id: unknown = 1): Promise<EventStream> =>
    openStream(server.port, "SendStreamingMessage", textParams("hello", message), id);
  const subscribe = (id: string): Promise<EventStream> => openStream(server.port, "SubscribeToTask", { id }, "sub");

  it("[stream-task-first] [stream-one-member] [stream-ends-terminal] is the task, updates, and its end (T01)", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.working("read");
    run.text("Hel", { provisional: true });
    run.text("lo", { provisional: true, append: true });
    run.text("Hello");
    run.complete();
    assert.deepEqual(kindsOf(await opened.ended), ["task", WORKING, "artifact", "artifact", "artifact", COMPLETED]);
  });

  it("[stream-content-type] [stream-frame] has one data line per event, under its id", async () => {
    const opened = await stream({}, "id-1");
    const run = await server.runner.next();
    run.text("one\ntwo\r\nthree\u2028four\u0085five");
    run.complete();
    const events = await opened.ended;
    assert.equal(opened.status, 200);
    assert.equal(opened.headers["content-type"], "text/event-stream");
    assert.match(opened.text(), /^(data: \{[^\n]*\}\n\n)+$/);
    assert.doesNotMatch(opened.text(), /[\r\u0085\u2028]/);
    for (const event of events) assert.deepEqual(Object.keys(event), ["jsonrpc", "id", "result"]);
    assert.deepEqual(new Set(events.map(({ id }) => id)), new Set(["id-1"]));
    assert.equal(framesOf(events)[1]?.artifactUpdate?.artifact.parts[0]?.text, "one\ntwo\r\nthree\u2028four\u0085five");
  });

  it("[stream-message-only] is one Message when the agent answers with one", async () => {
    const opened = await stream({ contextId: "talk" });
    (await server.runner.next()).reply("hi");
    const frames = framesOf(await opened.ended);
    assert.deepEqual(frames.map(kindOf), ["message"]);
    assert.equal(frames[0]?.message?.contextId, "talk");
  });

  it("[stream-status-fields] [stream-artifact-fields] has the fields of the specification and no others", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.working("a note");
    run.text("a", { append: false, lastChunk: false });
    run.text("b", { append: true });
    run.metadata({ truncated: true });
    run.complete();
    const { contextId, taskId } = run.request;
    const [, working, first, second, end] = framesOf(await opened.ended);
    const message = working?.statusUpdate?.status.message;
    assert.deepEqual(working?.statusUpdate, {
      ...{ taskId, contextId },
      status: { state: WORKING, timestamp: working?.statusUpdate?.status.timestamp, message },
    });
    assert.deepEqual(first?.artifactUpdate, {
      ...{ taskId, contextId },
      artifact: { artifactId: "reply", parts: [{ text: "a" }] },
    });
    assert.deepEqual(second?.artifactUpdate, {
      ...{ taskId, contextId, append: true, lastChunk: true },
      artifact: { artifactId: "reply", parts: [{ text: "b" }] },
    });
    assert.deepEqual(Object.keys(end?.statusUpdate ?? {}), ["taskId", "contextId", "status", "metadata"]);
  });

  it("[stream-metadata] brings the task's metadata with the next status", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.working();
    run.metadata({ a: 1 });
    run.metadata({ b: 2 });
    run.complete();
    const frames = framesOf(await opened.ended);
    assert.deepEqual(frames.at(-1)?.statusUpdate?.metadata, { a: 1, b: 2 });
    assert.deepEqual((await getTask(server, run.request.taskId)).metadata, { a: 1, b: 2 });
  });

  it("[stream-artifact-merge] adds pieces to the artifact of their id, and replaces without append", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.text("draft", { lastChunk: false });
    run.text("one ", { lastChunk: false });
    run.text("other", { id: "b" });
    run.text("two", { append: true });
    await opened.event(5);
    const artifacts = async () =>
      (await getTask(server, run.request.taskId)).artifacts?.map(({ artifactId, parts }) => [
        artifactId,
        parts[0]?.text,
      ]);
    const merged = [
      ["reply", "one two"],
      ["b", "other"],
    ];
    assert.deepEqual(await artifacts(), merged);
    run.complete();
    await opened.ended;
    assert.deepEqual(await artifacts(), merged);
  });

  it("[stream-no-empty-parts] says nothing for a piece without parts", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.working();
    run.emit({ kind: "artifact", artifact: { artifactId: "a", parts: [] }, append: false, lastChunk: false });
    run.text("something");
    run.complete();
    assert.deepEqual(kindsOf(await opened.ended), ["task", WORKING, "artifact", COMPLETED]);
  });

  it("[stream-message-ids] gives each message an id of its own", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    for (const note of ["read", "read", "bash", "read"]) run.working(note);
    run.complete("done");
    const ids = framesOf(await opened.ended).flatMap(
      ({ statusUpdate }) => statusUpdate?.status.message?.messageId ?? [],
    );
    assert.equal(ids.length, 5);
    assert.equal(new Set(ids).size, 5);
  });

  it("[stream-real-state] shows what happened before its first byte (T02)", async () => {
    const opening = stream();
    (await server.runner.next()).fail("at once");
    assert.deepEqual(kindsOf(await (await opening).ended), ["task", "TASK_STATE_FAILED"]);
  });

  it("[stream-question-ends] of a send ends at a question", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.working();
    run.ask("which one?");
    const frames = framesOf(await opened.ended);
    assert.deepEqual(frames.map(kindOf), ["task", WORKING, "TASK_STATE_INPUT_REQUIRED"]);
    assert.deepEqual(frames.at(-1)?.statusUpdate?.status.message?.parts, [{ text: "which one?" }]);
  });

  it("[stream-login-open] of a send stays open while a login is awaited", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.askLogin("log in first");
    assert.equal(kindOf((await opened.event(2)).result), "TASK_STATE_AUTH_REQUIRED");
    const answered = sendTo(server, "done", { taskId: run.request.taskId });
    (await server.runner.next()).complete();
    await answered;
    assert.deepEqual(kindsOf(await opened.ended).slice(-2), [WORKING, COMPLETED]);
  });

  it("[stream-unbuffered] sends its headers at acceptance and each event as it comes (T08)", async () => {
    const opened = await stream();
    assert.match(String(opened.headers["cache-control"]), /no-store/);
    assert.equal(opened.headers["x-accel-buffering"], "no");
    assert.equal(opened.headers["content-encoding"], undefined);
    const run = await server.runner.next();
    run.working();
    await opened.event(2);
    run.text("a", { provisional: true });
    await opened.event(3);
    run.complete();
    await opened.ended;
  });

  it("[stream-heartbeat] has a comment after 3 s of silence, between events (T07)", async () => {
    const opened = await stream();
    const run = await server.runner.next();
    run.working();
    await opened.event(2);
    for (let passed = 0; passed < 3; passed++) server.clock.tick(COMMENT_AFTER_MS);
    run.complete();
    await opened.ended;
    assert.match(opened.text(), /^(data: \{[^\n]*\}\n\n){2}(: \n\n){3}data: \{[^\n]*\}\n\n$/);
  });

  it("[stream-same-order] [stream-independent] is the same for all readers, whoever else closes (T05)", async () => {
    const sender = await stream();
    const run = await server.runner.next();
    run.working();
    await sender.event(2);
    const readers = await Promise.all([1, 2, 3].map(() => subscribe(run.request.taskId)));
    await Promise.all(readers.map((reader) => reader.event(1)));
    sender.destroy();
    run.text("a");
    await Promise.all(readers.map((reader) => reader.event(2)));
    readers[0]?.destroy();
    run.text("b", { append: true });
    run.complete();
    const [second, third] = await Promise.all(readers.slice(1).map((reader) => reader.ended));
    assert.deepEqual(second, third);
    assert.deepEqual(kindsOf(second ?? []), ["task", "artifact", "artifact", COMPLETED]);
    assert.equal((await getTask(server, run.request.taskId)).status.state, COMPLETED);
  });

  it("[stream-early-error] is a plain error when it cannot begin", async () => {
    const { task } = await endedTask(server);
    const refusals: [string, object, number][] = [
      ["SendStreamingMessage", {}, -32602],
      ["SendStreamingMessage", textParams("a", { taskId: "none" }), -32001],
      ["SendStreamingMessage", textParams("a", { taskId: task.id }), -32004],
      ["SubscribeToTask", { id: task.id }, -32004],
      ["SubscribeToTask", { id: "none" }, -32001],
      ["SubscribeToTask", {}, -32602],
    ];
    for (const [method, params, code] of refusals) {
      const reply = await call(server.port, method, params);
      assert.equal(reply.status, 200);
      assert.equal(reply.headers["content-type"], "application/json");
      assert.equal(errorOf(reply).code, code, method);
    }
  });

  it("[stream-late-error] ends with an error event when it cannot go on", async () => {
    const opened = await stream({}, "mine");
    const run = await server.runner.next();
    run.working();
    await opened.event(2);
    server.handler.close();
    const events = await opened.ended;
    assert.match(opened.text(), /\n\nevent: error\ndata: [^\n]+\n\n$/);
    assert.deepEqual(Object.keys(events.at(-1) ?? {}), ["jsonrpc", "id", "error"]);
    assert.equal(events.at(-1)?.id, "mine");
    run.complete();
  });

  it("[stream-limit] is one of sixteen of its caller; the next is told to wait", async () => {
    const { run } = await workingTask(server);
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => subscribe(run.request.taskId)));
    assert.equal(streams.length, 16);
    for (const method of ["SubscribeToTask", "SendStreamingMessage"]) {
      const refused = await call(server.port, method, { ...textParams("one more"), id: run.request.taskId });
      assert.equal(refused.status, 429);
      assert.match(String(refused.headers["retry-after"]), /^[1-9]\d*$/);
      assert.equal(errorOf(refused).code, -32051);
    }
    assert.equal(server.runner.runs.length, 1);
    run.complete();
    await Promise.all(streams.map(({ ended }) => ended));
  });
});

describe("a subscription", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  const subscribe = (id: string): Promise<EventStream> => openStream(server.port, "SubscribeToTask", { id });

  it("[subscribe-snapshot] begins with the whole task as it stands", async () => {
    const { run } = await workingTask(server);
    run.text("so far", { provisional: true });
    const opened = await subscribe(run.request.taskId);
    const snapshot = (await opened.event(1)).result?.task;
    assert.deepEqual(snapshot, await getTask(server, run.request.taskId));
    assert.deepEqual(snapshot?.artifacts?.[0]?.parts, [{ text: "so far" }]);
    assert.equal(snapshot?.history?.length, 1);
    run.complete();
    await opened.ended;
  });

  it("[subscribe-ends-terminal] carries every later event, then closes (T04)", async () => {
    const { run } = await workingTask(server);
    const opened = await subscribe(run.request.taskId);
    await opened.event(1);
    for (let step = 1; step <= 4; step++) {
      run.working(`step ${step}`);
      server.clock.tick(2000);
      await opened.event(1 + step);
    }
    run.fail("no luck");
    assert.deepEqual(kindsOf(await opened.ended), ["task", WORKING, WORKING, WORKING, WORKING, "TASK_STATE_FAILED"]);
  });

  it("[subscribe-question-open] stays open through a question until the task ends", async () => {
    const { task } = await askingTask(server);
    const opened = await subscribe(task.id);
    assert.equal((await opened.event(1)).result?.task?.status.state, "TASK_STATE_INPUT_REQUIRED");
    const answered = sendTo(server, "that one", { taskId: task.id });
    const run = await server.runner.next();
    run.ask("really?");
    await answered;
    assert.equal(kindOf((await opened.event(3)).result), "TASK_STATE_INPUT_REQUIRED");
    const again = sendTo(server, "yes", { taskId: task.id });
    (await server.runner.next()).complete();
    await again;
    assert.deepEqual(kindsOf(await opened.ended).slice(-2), [WORKING, COMPLETED]);
  });

  it("[subscribe-no-gap] around the end has the end, or is refused (T03)", async () => {
    for (let round = 0; round < 60; round++) {
      const { run } = await workingTask(server);
      const opening = subscribe(run.request.taskId);
      // From before the request arrives to after its first frame, whatever the machine does meanwhile.
      for (let turn = 0; turn < round % 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      run.text("last words");
      run.complete();
      const opened = await opening;
      const events = await opened.ended;
      if (opened.headers["content-type"] === "application/json") {
        assert.match(opened.text(), /-32004/);
        continue;
      }
      const [first] = framesOf(events);
      assert.equal(kindsOf(events).at(-1), COMPLETED, opened.text());
      const pieces = events.filter(({ result }) => result?.artifactUpdate !== undefined).length;
      assert.equal((first?.task?.artifacts?.length ?? 0) + pieces, 1, opened.text());
    }
  });

  it("[subscribe-ended] to a task that has ended is -32004, whatever its end (W12)", async () => {
    for (const ending of ["complete", "fail", "reject", "cancel"] as const) {
      const { task } = await endedTask(server, ending);
      const reply = await call(server.port, "SubscribeToTask", { id: task.id });
      assert.equal(errorOf(reply).code, -32004, ending);
    }
    await until(() => server.engine.stats().running === 0);
  });

  it("[subscribe-unknown] to an unknown task is -32001 (W12)", async () => {
    const reply = await call(server.port, "SubscribeToTask", { id: "task-0000000000000bad" });
    assert.equal(errorOf(reply).code, -32001);
    assert.equal(errorOf(reply).data[0]?.reason, "TASK_NOT_FOUND");
  });
});
