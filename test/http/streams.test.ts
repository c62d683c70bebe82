// SendStreamingMessage and SubscribeToTask over real sockets: what comes when, in which order, and who ends what.

import assert from "node:assert/strict";
import { COMMENT_AFTER_MS } from "../../src/inbound/event-writer.ts";
import { MAX_STREAMS } from "../../src/inbound/stream-slots.ts";
import { type Body, call, openStream, rpcBody, textParams, type WireResult } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText } from "../support/raw-connection.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

describe("streams", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engineLimits: { maxConcurrent: 64 } });
  });
  afterEach(() => server.stop());

  const send = (text = "hello", message = {}, configuration?: object) =>
    openStream(server.port, "SendStreamingMessage", textParams(text, message, configuration));
  const subscribe = (id: string) => openStream(server.port, "SubscribeToTask", { id }, "sub");

  it("show the task first, then updates only, and close after the terminal state (T01)", async () => {
    const stream = await send();
    const run = await server.runner.next();
    run.working();
    run.working("read");
    run.text("Hel", { provisional: true });
    run.text("lo", { provisional: true, append: true });
    run.text("Hello");
    run.complete();
    const frames = resultsOf(await stream.ended);
    assert.equal(stream.status, 200);
    assert.equal(stream.headers["content-type"], "text/event-stream");
    assert.deepEqual(frames.map(kindOf), [
      "task",
      "TASK_STATE_WORKING",
      "TASK_STATE_WORKING",
      "artifact",
      "artifact",
      "artifact",
      "TASK_STATE_COMPLETED",
    ]);
    const pieces = frames.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    assert.deepEqual(
      pieces.map(({ artifact, append, lastChunk }) => [artifact.parts[0]?.text, append, lastChunk]),
      [
        ["Hel", undefined, undefined],
        ["lo", true, undefined],
        ["Hello", undefined, true],
      ],
    );
    const ids = frames.flatMap(({ statusUpdate }) => statusUpdate?.status.message?.messageId ?? []);
    assert.equal(new Set(ids).size, ids.length, "a message id was used twice");
  });

  it("put one frame into one line, with the id of the request", async () => {
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("a"), "id-1");
    const run = await server.runner.next();
    run.text("line one\nline two\r\nthree\u2028four\u2029five\u0085six");
    run.complete();
    const events = await stream.ended;
    assert.match(stream.text(), /^(data: \{.*\}\n\n)+$/);
    assert.doesNotMatch(stream.text(), /[\r\u0085\u2028\u2029]/);
    const [text] = resultsOf(events).flatMap(({ artifactUpdate }) => artifactUpdate?.artifact.parts ?? []);
    assert.equal(text?.text, "line one\nline two\r\nthree\u2028four\u2029five\u0085six");
    assert.deepEqual(
      events.map(({ jsonrpc, id }) => [jsonrpc, id]),
      events.map(() => ["2.0", "id-1"]),
    );
  });

  it("send headers and the first frames before the work ends, unbuffered (T08)", async () => {
    const stream = await send();
    assert.equal(stream.headers["cache-control"], "no-store, no-transform");
    assert.equal(stream.headers["x-accel-buffering"], "no");
    assert.equal(stream.headers["content-encoding"], undefined);
    const run = await server.runner.next();
    run.working();
    assert.equal(kindOf((await stream.event(1)).result ?? {}), "task");
    assert.equal(kindOf((await stream.event(2)).result ?? {}), "TASK_STATE_WORKING");
    assert.equal(run.over(), false);
    run.complete();
    await stream.ended;
  });

  it("reach a proxy that speaks HTTP/1.0 frame by frame, too (T08)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendStreamingMessage", textParams("work"))).replace("HTTP/1.1", "HTTP/1.0"));
    const run = await server.runner.next();
    run.working();
    const text = await connection.until("TASK_STATE_WORKING");
    assert.match(text, /\r\n\r\ndata: \{/, "not in chunks");
    run.complete();
    assert.match(await connection.closed, /TASK_STATE_COMPLETED"[^\n]*\n\n$/);
  });

  it("send headers at acceptance, before the agent says anything (T08)", async () => {
    const stream = await send();
    const run = await server.runner.next();
    assert.equal(stream.status, 200);
    server.clock.tick(COMMENT_AFTER_MS);
    run.reply("done at once");
    const [only, ...rest] = resultsOf(await stream.ended);
    assert.deepEqual(only?.message?.parts, [{ text: "done at once" }]);
    assert.deepEqual(rest, []);
    assert.match(stream.text(), /^: \n\ndata: /);
  });

  it("show the real state, also when it came before the first write (T02)", async () => {
    const stream = await send();
    (await server.runner.next()).ask("which one?");
    const frames = resultsOf(await stream.ended);
    assert.deepEqual(frames.map(kindOf), ["task", "TASK_STATE_INPUT_REQUIRED"]);
    assert.deepEqual(frames[1]?.statusUpdate?.status.message?.parts, [{ text: "which one?" }]);
  });

  it("of a send end at a question, stay open while a login is awaited", async () => {
    const asking = await send();
    (await server.runner.next()).ask("which one?");
    await asking.ended;

    const login = await send();
    const run = await server.runner.next();
    run.askLogin("log in at …");
    assert.equal(kindOf((await login.event(2)).result ?? {}), "TASK_STATE_AUTH_REQUIRED");
    const answered = call(server.port, "SendMessage", textParams("done", { taskId: run.request.taskId }));
    (await server.runner.next()).complete();
    await answered;
    assert.equal(
      resultsOf(await login.ended)
        .map(kindOf)
        .at(-1),
      "TASK_STATE_COMPLETED",
    );
  });

  it("of an answer show the task at work again, not its old question", async () => {
    const asking = await send();
    const asked = await server.runner.next();
    asked.ask("?");
    await asking.ended;
    const answer = await send("an answer", { taskId: asked.request.taskId });
    (await server.runner.next()).complete();
    const frames = resultsOf(await answer.ended);
    assert.equal(frames[0]?.task?.status.state, "TASK_STATE_WORKING");
    assert.equal(frames.map(kindOf).at(-1), "TASK_STATE_COMPLETED");
  });

  it("of a subscription begin with the whole task and stay open through a question", async () => {
    const { run } = await workingTask();
    run.text("so far");
    await settled(server);
    const stream = await subscribe(run.request.taskId);
    const snapshot = (await stream.event(1)).result?.task;
    assert.equal(snapshot?.status.state, "TASK_STATE_WORKING");
    assert.deepEqual(snapshot?.artifacts?.[0]?.parts, [{ text: "so far" }]);
    run.ask("which one?");
    assert.equal(kindOf((await stream.event(2)).result ?? {}), "TASK_STATE_INPUT_REQUIRED");
    const answered = call(server.port, "SendMessage", textParams("that one", { taskId: run.request.taskId }));
    (await server.runner.next()).complete();
    await answered;
    const events = await stream.ended;
    assert.deepEqual(resultsOf(events).map(kindOf).slice(-2), ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    assert.deepEqual(new Set(events.map(({ id }) => id)), new Set(["sub"]));
  });

  it("of a subscription carry every later event, then close (T04)", async () => {
    const { run } = await workingTask();
    const stream = await subscribe(run.request.taskId);
    await stream.event(1);
    for (let step = 1; step <= 5; step++) {
      run.working(`step ${step}`);
      server.clock.tick(1000);
      await stream.event(1 + step);
    }
    run.complete();
    assert.equal(resultsOf(await stream.ended).length, 7);
  });

  it("of a subscription to an ended task are refused, to a foreign or wrong one alike (W12)", async () => {
    const { run } = await workingTask();
    run.complete();
    await settled(server);
    const ended = await call(server.port, "SubscribeToTask", { id: run.request.taskId });
    assert.equal(ended.headers["content-type"], "application/json");
    assert.equal(ended.json.error?.code, -32004);

    const foreign = await server.engine.submit({
      caller: { key: "peer:other", name: "other" },
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }] },
      detached: true,
    });
    foreign.subscription.close();
    const others = await call(server.port, "SubscribeToTask", { id: foreign.taskId });
    const wrong = await call(server.port, "SubscribeToTask", { id: "task-0000000000000bad" });
    assert.equal(others.json.error?.code, -32001);
    assert.equal(
      others.json.error?.message.replace(foreign.taskId, "ID"),
      wrong.json.error?.message.replace("task-0000000000000bad", "ID"),
    );
  });

  it("opened while a task ends give snapshot and end, or the refusal (T03)", async () => {
    const seen = { streams: 0, refusals: 0 };
    for (let round = 0; round < 120; round++) {
      const { run } = await workingTask();
      const opening = openStream(server.port, "SubscribeToTask", { id: run.request.taskId });
      for (let turn = 0; turn < round % 8; turn++) await new Promise((resolve) => setImmediate(resolve));
      run.complete();
      const stream = await opening;
      const text = await stream.ended.then(() => stream.text());
      if (stream.headers["content-type"] === "application/json") {
        assert.match(text, /-32004/);
        seen.refusals++;
      } else {
        const kinds = resultsOf(stream.events()).map(kindOf);
        assert.deepEqual(kinds, ["task", "TASK_STATE_COMPLETED"], text);
        seen.streams++;
      }
    }
    assert.ok(seen.streams > 0 && seen.refusals > 0, JSON.stringify(seen));
  });

  it("that are dropped end neither the task nor other streams, in any order (T05)", async () => {
    const sender = await send();
    const run = await server.runner.next();
    run.working();
    await sender.event(2);
    const first = await subscribe(run.request.taskId);
    const second = await subscribe(run.request.taskId);
    await Promise.all([first.event(1), second.event(1)]);
    sender.destroy();
    run.working("one");
    await Promise.all([first.event(2), second.event(2)]);
    first.destroy();
    run.working("two");
    await second.event(3);
    const late = await subscribe(run.request.taskId);
    await late.event(1);
    assert.equal(run.request.signal.aborted, false);
    run.complete();
    const kinds = resultsOf(await second.ended).map(kindOf);
    assert.deepEqual(kinds, ["task", "TASK_STATE_WORKING", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    assert.deepEqual(resultsOf(await late.ended).map(kindOf), ["task", "TASK_STATE_COMPLETED"]);
  });

  it("of one task carry the same events to all readers", async () => {
    const { run } = await workingTask();
    const readers = await Promise.all(Array.from({ length: 5 }, () => subscribe(run.request.taskId)));
    await Promise.all(readers.map((reader) => reader.event(1)));
    for (let step = 0; step < 50; step++) run.text(`piece ${step} `, { append: step > 0, provisional: true });
    run.complete();
    const [expected, ...others] = await Promise.all(readers.map((reader) => reader.ended));
    assert.equal(expected?.length, 52);
    for (const events of others) assert.deepEqual(events, expected);
  });

  it("that are dropped by hundreds leave no timer, listener or slot (T06)", async () => {
    const rest = server.clock.pending();
    for (let round = 0; round < 200 / MAX_STREAMS; round++) {
      const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => send()));
      const runs: RunHandle[] = [];
      for (const _ of streams) runs.push(await server.runner.next());
      for (const stream of streams) stream.destroy();
      await server.idle();
      for (const run of runs) {
        assert.equal(run.request.signal.aborted, false);
        run.complete();
      }
      await settled(server);
      assert.equal(server.clock.pending(), rest);
    }
    const next = await send();
    (await server.runner.next()).complete();
    assert.equal(
      resultsOf(await next.ended)
        .map(kindOf)
        .at(-1),
      "TASK_STATE_COMPLETED",
    );
  });

  it("are bounded per caller, and a closed one makes room", async () => {
    const { run } = await workingTask();
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => subscribe(run.request.taskId)));
    for (const method of ["SubscribeToTask", "SendStreamingMessage"]) {
      const params = method === "SubscribeToTask" ? { id: run.request.taskId } : textParams("one more");
      const refused = await call(server.port, method, params);
      assert.equal(refused.status, 429);
      assert.equal(refused.headers["retry-after"], "5");
      assert.equal(refused.json.error?.code, -32051);
    }
    assert.equal(server.runner.runs.length, 1);
    streams[0]?.destroy();
    while (server.listener.connections() >= MAX_STREAMS) await new Promise((resolve) => setImmediate(resolve));
    const again = await subscribe(run.request.taskId);
    assert.equal(again.status, 200);
    assert.equal((await call(server.port, "GetTask", { id: "nope" })).json.error?.code, -32001);
    run.complete();
    await Promise.all([...streams.slice(1), again].map((stream) => stream.ended));
  });

  it("say a comment after 3 s without a byte, counted from the last byte (T07)", async () => {
    const stream = await send();
    const run = await server.runner.next();
    run.working();
    await stream.event(2);
    server.clock.tick(COMMENT_AFTER_MS - 1);
    run.working("a tool");
    await stream.event(3);
    server.clock.tick(COMMENT_AFTER_MS - 1);
    run.working("another");
    await stream.event(4);
    assert.equal(comments(stream.text()), 0);
    server.clock.tick(COMMENT_AFTER_MS);
    server.clock.tick(COMMENT_AFTER_MS);
    run.complete();
    await stream.ended;
    assert.equal(comments(stream.text()), 2);
    assert.match(stream.text(), /^((data: \{.*\}|: )\n\n)+$/);
    const after = stream.text();
    server.clock.tick(60_000);
    assert.equal(stream.text(), after);
  });

  it("stay alive while a child says nothing for three minutes (T07)", async () => {
    const stream = await send();
    const run = await server.runner.next();
    run.working();
    await stream.event(2);
    for (let passed = 0; passed < 180_000; passed += 500) server.clock.tick(500);
    run.complete();
    await stream.ended;
    assert.equal(comments(stream.text()), 60);
  });

  it("end with a last event when the server stops", async () => {
    const stream = await send();
    const run = await server.runner.next();
    run.working();
    await stream.event(2);
    await server.engine.stop("closed by the person");
    const events = await stream.ended;
    assert.equal(kindOf(events.at(-1)?.result ?? {}), "TASK_STATE_FAILED");
  });

  it("end with an error event when their handler closes before the task ends", async () => {
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("a"), 9);
    const run = await server.runner.next();
    run.working();
    await stream.event(2);
    server.handler.close();
    const events = await stream.ended;
    assert.equal(events.at(-1)?.error?.code, -32053);
    assert.equal(events.at(-1)?.id, 9);
    assert.match(stream.text(), /\n\nevent: error\ndata: [^\n]+\n\n$/);
    assert.equal(run.request.signal.aborted, false);
    run.complete();
  });

  it("carry the task's metadata with the status that follows it", async () => {
    const stream = await send();
    const run = await server.runner.next();
    run.working();
    run.metadata({ truncated: true });
    run.complete();
    const frames = resultsOf(await stream.ended);
    assert.deepEqual(frames.map(kindOf), ["task", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    assert.deepEqual(frames.at(-1)?.statusUpdate?.metadata, { truncated: true });
  });

  it("honour historyLength in the task that opens them", async () => {
    const stream = await send("hello", {}, { historyLength: 0 });
    (await server.runner.next()).complete();
    const [first] = resultsOf(await stream.ended);
    assert.equal(Object.hasOwn(first?.task ?? {}, "history"), false);
  });

  it("that nobody reads lose their place, hold no memory without bound, and slow nobody [stream-slow-reader]", async () => {
    const { run } = await workingTask();
    const stalled = await openConnection(server.port);
    stalled.send(postText(rpcBody("SubscribeToTask", { id: run.request.taskId }), { Connection: "close" }));
    await stalled.until('"task"');
    stalled.pause();
    const reader = await subscribe(run.request.taskId);
    await reader.event(1);
    const piece = "x".repeat(256 * 1024);
    const pieces = 80;
    for (let sent = 1; sent <= pieces; sent++) {
      run.text(piece, { append: sent > 1, provisional: true });
      await reader.event(1 + sent);
    }
    for (let passed = 0; passed < 10; passed++) server.clock.tick(COMMENT_AFTER_MS);
    run.complete();
    await reader.ended;
    stalled.resume();
    const text = await stalled.closed;
    assert.doesNotMatch(text, /\n: /, "comments piled up before a reader that does not read");
    assert.ok(text.length < pieces * piece.length, `${text.length} bytes were kept for a reader that did not read`);
    assert.match(text, /event: error\r?\ndata: .*"code":-32053/);
  });

  it("that wait behind another one on their connection go with it, and nothing warns on the terminal", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const rest = server.clock.pending();
    const connection = await openConnection(server.port);
    const bodies = Array.from({ length: 12 }, () => postText(rpcBody("SendStreamingMessage", textParams("work"))));
    connection.send(bodies.join(""));
    const runs: RunHandle[] = [];
    for (const _ of bodies) runs.push(await server.runner.next());
    for (const run of runs) run.working();
    await connection.until("TASK_STATE_WORKING");
    connection.destroy();
    await server.idle();
    for (const run of runs) run.complete();
    await settled(server);
    assert.equal(server.clock.pending(), rest);
    const streams = await Promise.all(Array.from({ length: MAX_STREAMS }, () => send()));
    for (const _ of streams) (await server.runner.next()).complete();
    await Promise.all(streams.map((stream) => stream.ended));
    process.off("warning", onWarning);
    assert.deepEqual(warnings, []);
  });

  it("are not garbled by an answer to garbage on their connection", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendStreamingMessage", textParams("work"))));
    const run = await server.runner.next();
    run.working();
    await connection.until("TASK_STATE_WORKING");
    connection.send("garbage\r\n\r\n");
    assert.doesNotMatch(await connection.closed, /400/);
    assert.equal(run.request.signal.aborted, false);
    run.complete();
  });

  it("that stall for long are cut", async () => {
    const strict = await startTestServer({
      listenerLimits: { stallMs: 100 },
      runner: createAnsweringRunner("x".repeat(20_000_000)),
    });
    const stalled = await openConnection(strict.port);
    stalled.pause();
    stalled.send(postText(rpcBody("SendMessage", textParams("much"))));
    while (strict.engine.stats().completed === 0) await new Promise((resolve) => setImmediate(resolve));
    await strict.idle();
    stalled.destroy();
    await strict.stop();
  });

  /** A detached task at work. */
  async function workingTask(): Promise<{ run: RunHandle }> {
    const sent = call(server.port, "SendMessage", textParams("work", {}, { returnImmediately: true }));
    const run = await server.runner.next();
    run.working();
    await sent;
    return { run };
  }
});

/** Waits until every run is over and its end is stored. */
async function settled(server: TestServer): Promise<void> {
  const over = (): boolean => server.runner.runs.every((run) => !run.over()) || server.engine.stats().running === 0;
  await new Promise((resolve) => setImmediate(resolve));
  while (!over()) await new Promise((resolve) => setImmediate(resolve));
}

function resultsOf(events: readonly Body[]): WireResult[] {
  return events.map(({ result, error }) => {
    assert.ok(result !== undefined, JSON.stringify(error));
    return result;
  });
}

/** What a frame is: `task`, `message`, `artifact`, or the state it announces. Each has exactly one member. */
function kindOf(frame: WireResult): string {
  const [member, ...others] = Object.keys(frame);
  assert.deepEqual(others, []);
  const parts = frame.artifactUpdate?.artifact.parts ?? frame.statusUpdate?.status.message?.parts;
  assert.notEqual(parts?.length, 0, "an event with empty parts");
  if (member === "artifactUpdate") return "artifact";
  return frame.statusUpdate?.status.state ?? member ?? "nothing";
}

function comments(text: string): number {
  return text.split("\n").filter((line) => line.startsWith(":")).length;
}
