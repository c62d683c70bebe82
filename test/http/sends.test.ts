// SendMessage, GetTask and CancelTask: what waits, what is kept alive, and what a lost connection changes (nothing).

import assert from "node:assert/strict";
import { BLANK_EVERY_MS, HEADERS_AFTER_MS } from "../../src/inbound/blocking-reply.ts";
import { call, rpcBody, textParams, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, parseReply, postText } from "../support/raw-connection.ts";

describe("SendMessage", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engineLimits: { maxConcurrent: 2 } });
  });
  afterEach(() => server.stop());

  const send = (text = "hello", message = {}, configuration?: object) =>
    call(server.port, "SendMessage", textParams(text, message, configuration));
  const get = async (id: string, more = {}): Promise<WireTask> => {
    const { json } = await call(server.port, "GetTask", { id, ...more });
    return taskOf(json.result);
  };
  /** A task that has completed with two messages in its history. */
  const conversation = async (): Promise<WireTask> => {
    const first = send("first");
    (await server.runner.next()).ask("which one?");
    const { id } = taskOf((await first).json.result?.task);
    const second = send("second", { taskId: id });
    (await server.runner.next()).complete();
    return taskOf((await second).json.result?.task);
  };

  it("waits for the end of the task and gives one plain reply", async () => {
    const sent = send("find the TODOs");
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, [{ text: "find the TODOs" }]);
    assert.deepEqual(run.request.caller, { key: "local", name: "ip:127.0.0.1" });
    run.working();
    run.text("three");
    run.complete();
    const { status, headers, json } = await sent;
    assert.equal(status, 200);
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["transfer-encoding"], undefined);
    assert.deepEqual(Object.keys(json.result ?? {}), ["task"]);
    const task = taskOf(json.result?.task);
    assert.equal(task.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(
      task.artifacts?.map(({ parts }) => parts),
      [[{ text: "three" }]],
    );
  });

  it("waits for a question, and the answer goes on in the same task", async () => {
    const asked = send("start");
    (await server.runner.next()).ask("which one?");
    const task = taskOf((await asked).json.result?.task);
    assert.equal(task.status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.deepEqual(task.status.message?.parts, [{ text: "which one?" }]);

    const answered = send("the second", { taskId: task.id });
    const run = await server.runner.next();
    assert.equal(run.request.resumes, true);
    run.complete();
    const done = taskOf((await answered).json.result?.task);
    assert.equal(done.id, task.id);
    assert.equal(done.contextId, task.contextId);
    assert.equal(done.status.state, "TASK_STATE_COMPLETED");
  });

  it("gives a direct message when the agent answers with one", async () => {
    const sent = send("hi");
    (await server.runner.next()).reply("hello yourself");
    const { json } = await sent;
    assert.deepEqual(Object.keys(json.result ?? {}), ["message"]);
    assert.equal(json.result?.message?.role, "ROLE_AGENT");
    assert.deepEqual(json.result?.message?.parts, [{ text: "hello yourself" }]);
    assert.equal(json.result?.message?.taskId, undefined);
  });

  it("gives failed and rejected tasks as results", async () => {
    const failed = send();
    (await server.runner.next()).fail("the model gave up");
    assert.equal((await failed).json.result?.task?.status.state, "TASK_STATE_FAILED");
    const rejected = send();
    (await server.runner.next()).reject("not my work");
    assert.equal((await rejected).json.result?.task?.status.state, "TASK_STATE_REJECTED");
  });

  it("with returnImmediately gives a task that can be read and canceled at once (S13)", async () => {
    const sent = send("long work", {}, { returnImmediately: true });
    const run = await server.runner.next();
    run.working();
    const task = taskOf((await sent).json.result?.task);
    assert.equal(task.status.state, "TASK_STATE_WORKING");
    assert.equal((await get(task.id)).status.state, "TASK_STATE_WORKING");
    const canceled = await call(server.port, "CancelTask", { id: task.id });
    assert.equal(canceled.json.result?.status?.state, "TASK_STATE_CANCELED");
    assert.equal(run.request.signal.aborted, true);
    assert.equal((await get(task.id)).status.state, "TASK_STATE_CANCELED");
  });

  it("with returnImmediately reads the snake_case spelling as well", async () => {
    const sent = send("work", {}, { return_immediately: true });
    const run = await server.runner.next();
    run.working();
    assert.equal((await sent).json.result?.task?.status.state, "TASK_STATE_WORKING");
    run.complete();
  });

  it("keeps a long call alive: headers after 2 s, then a blank every 3 s, then the JSON [send-keep-alive]", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendMessage", textParams("slow"), 7), { Connection: "close" }));
    const run = await server.runner.next();
    run.working();
    server.clock.tick(HEADERS_AFTER_MS - 1);
    server.clock.tick(1);
    const head = await connection.until("\r\n \r\n");
    assert.match(head, /^HTTP\/1.1 200 OK\r\n/);
    assert.match(head, /X-Accel-Buffering: no\r\n/);
    assert.match(head, /Cache-Control: no-store\r\n/);
    assert.match(head, /Content-Type: application\/json\r\n/);
    server.clock.tick(BLANK_EVERY_MS - 1);
    server.clock.tick(1);
    server.clock.tick(BLANK_EVERY_MS);
    run.complete();
    const text = await connection.closed;
    assert.equal(blanks(text), 3);
    assert.match(text, /"id":7,"result":\{"task":.*TASK_STATE_COMPLETED/);
  });

  it("keeps no call alive that ends before", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendMessage", textParams("quick")), { Connection: "close" }));
    const run = await server.runner.next();
    run.working();
    server.clock.tick(HEADERS_AFTER_MS - 1);
    run.complete();
    const { headers, body } = parseReply(await connection.closed);
    assert.equal(headers["content-length"], String(body.length));
    assert.equal(body.startsWith("{"), true);
  });

  it("sends an error behind the blanks when the server stops during a call", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendMessage", textParams("slow"), "x"), { Connection: "close" }));
    const run = await server.runner.next();
    run.working();
    server.clock.tick(HEADERS_AFTER_MS);
    await connection.until("\r\n \r\n");
    server.handler.close();
    assert.match(await connection.closed, /"id":"x","error":\{"code":-32053/);
    run.complete();
  });

  it("is answered 503 when the server stops before its headers are out", async () => {
    const sent = send();
    const run = await server.runner.next();
    server.handler.close();
    const { status, json } = await sent;
    assert.equal(status, 503);
    assert.equal(json.error?.code, -32053);
    const refused = await send();
    assert.equal(refused.status, 503);
    assert.equal(refused.headers["retry-after"], "5");
    assert.equal(server.runner.runs.length, 1);
    run.complete();
  });

  it("goes on when its connection is lost, and leaves no timer of the reply (T05)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendMessage", textParams("slow"))));
    const run = await server.runner.next();
    run.working();
    server.clock.tick(HEADERS_AFTER_MS);
    const before = server.clock.pending();
    connection.destroy();
    await server.idle();
    assert.equal(server.clock.pending(), before - 1);
    assert.equal(run.request.signal.aborted, false);
    run.text("still here");
    run.complete();
    const [task] = await settledTasks(server, 1);
    assert.equal((await get(task ?? "")).status.state, "TASK_STATE_COMPLETED");
  });

  it("is refused with 503 when every slot is taken, and nothing is started", async () => {
    const held = [send(), send()];
    const runs = [await server.runner.next(), await server.runner.next()];
    const { status, headers, json } = await send();
    assert.equal(status, 503);
    assert.match(headers["retry-after"] ?? "", /^\d+$/);
    assert.equal(json.error?.code, -32053);
    for (const run of runs) run.complete();
    await Promise.all(held);
    assert.equal(server.runner.runs.length, 2);
  });

  it("to an ended task is refused before any work (W11)", async () => {
    for (const ending of ["complete", "fail", "cancel"] as const) {
      const sent = send();
      const run = await server.runner.next();
      if (ending === "fail") run.fail("no");
      else run[ending]();
      const { id } = taskOf((await sent).json.result?.task);
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const reply = await call(server.port, method, textParams("go on", { taskId: id }));
        assert.equal(reply.headers["content-type"], "application/json");
        assert.equal(reply.json.error?.code, -32004, `${ending} ${method}`);
      }
    }
    assert.equal(server.runner.runs.length, 3);
  });

  it("with a context that is not the task's is refused", async () => {
    const sent = send();
    (await server.runner.next()).ask("?");
    const { id } = taskOf((await sent).json.result?.task);
    const reply = await send("go on", { taskId: id, contextId: "another" });
    assert.equal(reply.json.error?.code, -32602);
    assert.equal((await get(id)).status.state, "TASK_STATE_INPUT_REQUIRED");
  });

  it("honours historyLength, as GetTask does", async () => {
    const { id } = await conversation();
    const texts = (task: WireTask) => task.history?.flatMap(({ parts }) => parts.map(({ text }) => text));
    assert.deepEqual(texts(await get(id)), ["first", "which one?", "second"]);
    assert.deepEqual(texts(await get(id, { historyLength: 1 })), ["second"]);
    assert.deepEqual(texts(await get(id, { history_length: "2" })), ["which one?", "second"]);
    assert.equal(Object.hasOwn(await get(id, { historyLength: 0 }), "history"), false);

    const sent = send("again", {}, { historyLength: 0 });
    (await server.runner.next()).complete();
    assert.equal(Object.hasOwn(taskOf((await sent).json.result?.task), "history"), false);
  });

  it("ignores fields that it does not know, at every level (W21)", async () => {
    const extra = { futureField: { a: [1] } };
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello", ...extra }], ...extra };
    const sent = call(server.port, "SendMessage", { message, configuration: extra, ...extra });
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, [{ text: "hello" }]);
    run.complete();
    assert.equal((await sent).text.includes("futureField"), false);
  });

  it("shows UTF-8 text of every kind unchanged", async () => {
    const text = "grün 🙂 \u2028 \u0000 \ud800 <script>";
    const sent = send(text);
    const run = await server.runner.next();
    run.text(text);
    run.complete();
    const { json } = await sent;
    assert.equal(json.result?.task?.artifacts?.[0]?.parts[0]?.text, text);
  });
});

describe("CancelTask", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  it("of a canceled task gives it again, of another ended one -32002", async () => {
    const sent = call(server.port, "SendMessage", textParams("a"));
    (await server.runner.next()).cancel();
    const canceled = taskOf((await sent).json.result?.task);
    const again = await call(server.port, "CancelTask", { id: canceled.id });
    assert.equal(again.json.result?.status?.state, "TASK_STATE_CANCELED");

    const other = call(server.port, "SendMessage", textParams("b"));
    (await server.runner.next()).complete();
    const { id } = taskOf((await other).json.result?.task);
    assert.equal((await call(server.port, "CancelTask", { id })).json.error?.code, -32002);
  });

  it("stops its keep-alive when its connection is lost, although the runner takes its time", async () => {
    const sent = call(server.port, "SendMessage", textParams("a"));
    const run = await server.runner.next();
    run.working();
    run.ignoreAbort();
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("CancelTask", { id: run.request.taskId })));
    while (!run.request.signal.aborted) await new Promise((resolve) => setImmediate(resolve));
    const before = server.clock.pending();
    connection.destroy();
    while (server.listener.connections() > 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(server.clock.pending(), before - 1);
    run.complete();
    await sent;
  });

  it("ends the call that waits for the task with the canceled task", async () => {
    const sent = call(server.port, "SendMessage", textParams("a"));
    const run = await server.runner.next();
    run.working();
    await call(server.port, "CancelTask", { id: run.request.taskId });
    assert.equal((await sent).json.result?.task?.status.state, "TASK_STATE_CANCELED");
  });
});

function taskOf(task: Partial<WireTask> | undefined): WireTask {
  const { id, contextId, status } = task ?? {};
  assert.ok(id !== undefined && contextId !== undefined && status !== undefined, JSON.stringify(task));
  return { ...task, id, contextId, status };
}

/** The ids of the tasks whose runs have begun, once so many have completed. */
async function settledTasks(server: TestServer, count: number): Promise<string[]> {
  while (server.engine.stats().completed < count) await new Promise((resolve) => setImmediate(resolve));
  return server.runner.runs.map((run) => run.request.taskId);
}

/** Chunks that are one blank. */
function blanks(text: string): number {
  return text.split("\r\n").filter((line) => line === " ").length;
}
