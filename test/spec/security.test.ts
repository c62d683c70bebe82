// Who sees what, what is refused before it is read, and the pages beside the calls.

import assert from "node:assert/strict";
import { call, get, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, parseReply, postText, sendRaw } from "../support/raw-connection.ts";
import { askingTask, assertNothingStarted, errorOf, foreignTask, getTask, sendTo, until } from "./stage.ts";

const MAX_BODY = 5 * 1024 * 1024;

describe("a task of another owner", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engineLimits: { maxConcurrent: 1 }, push: {} });
  });
  afterEach(() => server.stop());

  it("[sec-own-tasks] [err-same-not-found] is what an unknown one is, in every operation (P04)", async () => {
    const foreign = await foreignTask(server);
    const operations: [string, (id: string) => object][] = [
      ["GetTask", (id) => ({ id })],
      ["CancelTask", (id) => ({ id })],
      ["SubscribeToTask", (id) => ({ id })],
      ["SendMessage", (taskId) => textParams("go on", { taskId, messageId: "m" })],
      ["SendStreamingMessage", (taskId) => textParams("go on", { taskId, messageId: "m" })],
      ["CreateTaskPushNotificationConfig", (taskId) => ({ taskId, url: "https://example.com" })],
      ["GetTaskPushNotificationConfig", (taskId) => ({ taskId, id: "a" })],
      ["ListTaskPushNotificationConfigs", (taskId) => ({ taskId })],
      ["DeleteTaskPushNotificationConfig", (taskId) => ({ taskId, id: "a" })],
    ];
    for (const [method, params] of operations) {
      const theirs = await call(server.port, method, params(foreign));
      const nobodys = await call(server.port, method, params("task-00000000000000ff"));
      assert.equal(errorOf(theirs).code, -32001, method);
      assert.equal(
        theirs.text.replaceAll(foreign, "ID"),
        nobodys.text.replaceAll("task-00000000000000ff", "ID"),
        method,
      );
    }
    assert.equal(server.runner.runs[0]?.request.signal.aborted, false);
    assert.equal(server.runner.runs.length, 1);
    server.runner.runs[0]?.complete();
  });

  it("[list-own] is neither listed nor counted", async () => {
    const foreign = await foreignTask(server);
    const listed = await call(server.port, "ListTasks", {});
    assert.deepEqual(listed.json.result, { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
    assert.equal(listed.text.includes(foreign), false);
    server.runner.runs[0]?.complete();
  });

  it("[sec-busy-tells-nothing] is not named when it takes the last slot", async () => {
    const foreign = await foreignTask(server);
    const refused = await sendTo(server);
    assert.equal(refused.status, 503);
    assert.equal(refused.text.includes(foreign), false);
    assert.equal(refused.text.includes("other"), false);
    server.runner.runs[0]?.complete();
  });

  it("[sec-loopback-owner] is no task of this machine, whose callers are one owner", async () => {
    const { task } = await askingTask(server);
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("GetTask", { id: task.id }), { Connection: "close", "User-Agent": "another" }));
    assert.match(parseReply(await connection.closed).body, /TASK_STATE_INPUT_REQUIRED/);
  });
});

describe("a request that is not let in", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    assertNothingStarted(server);
    await server.stop();
  });

  const send = (headers: Readonly<Record<string, string>>) =>
    post(server.port, rpcBody("SendMessage", textParams("hello")), { headers });

  it("[sec-host] names another host", async () => {
    for (const Host of [
      "example.com",
      "127.0.0.1.example.com",
      "localhost.example.com",
      "[::2]",
      "10.0.0.1",
      "0.0.0.0",
    ]) {
      const refused = await send({ Host });
      assert.equal(refused.status, 403, Host);
      assert.equal(errorOf(refused).code, -32052);
      assert.equal((await get(server.port, "/.well-known/agent-card.json", { headers: { Host } })).status, 403);
    }
  });

  it("[sec-origin] comes from a page of another origin", async () => {
    const port = server.port === 1 ? 2 : 1;
    for (const Origin of ["https://example.com", `http://127.0.0.1:${port}`, "null", "file://", "x"]) {
      const refused = await send({ Origin });
      assert.equal(refused.status, 403, Origin);
      assert.equal(errorOf(refused).code, -32052);
    }
  });

  it("[sec-body-size] is larger than 5 MiB", async () => {
    const text = rpcBody("SendMessage", textParams("x".repeat(MAX_BODY)));
    const refused = parseReply(
      await (async () => {
        const connection = await openConnection(server.port);
        connection.send(postText(text));
        return connection.closed;
      })(),
    );
    assert.equal(refused.status, 413);
    assert.match(refused.body, /"code":-32600/);
  });

  it("[sec-depth] is nested deeper than 64 levels", async () => {
    const nested = (levels: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    assert.equal(errorOf(await post(server.port, nested(63))).code, -32602);
    for (const levels of [64, 100_000]) assert.equal(errorOf(await post(server.port, nested(levels))).code, -32600);
  });

  it("[sec-pieces] has more pieces than can be read in a moment", async () => {
    const pieces = (count: number): string =>
      `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":[[]${",[]".repeat(count - 1)}]}`;
    // Beside the lists inside there are the request, its four members and the params.
    assert.equal(errorOf(await post(server.port, pieces(500_000 - 6))).code, -32602);
    assert.equal(errorOf(await post(server.port, pieces(500_000 - 5))).code, -32600);
  });

  it("[sec-head-size] has headers of more than 16 KiB", async () => {
    const refused = await sendRaw(server.port, `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(17_000)}\r\n\r\n`);
    assert.equal(refused.status, 431);
  });

  it("[sec-slow-body] pauses for 15 s", async () => {
    const connection = await openConnection(server.port);
    const before = server.clock.pending();
    connection.send(postText('{"jsonrpc":', { "Content-Length": "1000" }));
    await until(() => server.clock.pending() > before);
    server.clock.tick(15_000);
    const reply = await connection.until("}}");
    assert.match(reply, /^HTTP\/1.1 408/);
    server.clock.tick(60_000);
    await connection.closed;
  });

  it("[page-method] uses another HTTP method", async () => {
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS"]) {
      const refused = await get(server.port, "/", { method });
      assert.equal(refused.status, 405, method);
      assert.equal(refused.headers.allow, "GET, HEAD, POST");
      assert.equal(errorOf(refused).code, -32600);
    }
  });

  it("[page-not-found] asks for a page that is not there, and is told those that are", async () => {
    for (const path of ["/nothing", "/a2a/tasks/x", "/..%2f..%2fetc/passwd", "/.well-known/other.json"]) {
      const refused = await get(server.port, path);
      assert.equal(refused.status, 404, path);
      const { message } = errorOf(refused);
      assert.match(message, /\/\.well-known\/agent-card\.json/);
      assert.match(message, /\/health/);
    }
  });
});

describe("the pages of the server", () => {
  it("[page-health] say that it is there", async () => {
    const server = await startTestServer();
    for (const path of ["/", "/health", "/health/"]) {
      const page = await get(server.port, path);
      assert.equal(page.status, 200, path);
      assert.equal(JSON.parse(page.text).status, "ok");
    }
    await server.stop();
  });

  it("[sec-body-size] take a body of exactly 5 MiB", async () => {
    const server = await startTestServer({ runner: createAnsweringRunner() });
    const frame = rpcBody("SendMessage", textParams("", { messageId: "big" }, { historyLength: 0 }));
    const text = rpcBody(
      "SendMessage",
      textParams("x".repeat(MAX_BODY - Buffer.byteLength(frame)), { messageId: "big" }, { historyLength: 0 }),
    );
    assert.equal(Buffer.byteLength(text), MAX_BODY);
    assert.ok((await post(server.port, text)).json.result !== undefined);
    assert.equal(
      (await getTask(server, "task-0000000000000001", { historyLength: 0 })).status.state,
      "TASK_STATE_COMPLETED",
    );
    await server.stop();
  });
});
