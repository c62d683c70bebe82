// Large replies that are asked for in one packet and not read: they must not fill the memory of the process.

import assert from "node:assert/strict";
import { call, rpcBody, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText } from "../support/raw-connection.ts";

describe("replies that nobody reads", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  it("cost their connection when they take too much memory, and nobody else", async () => {
    const sent = call(server.port, "SendMessage", textParams("much"));
    const run = await server.runner.next();
    run.text("x".repeat(4 * 1024 * 1024));
    run.complete();
    const { id } = (await sent).json.result?.task ?? {};
    const greedy = await openConnection(server.port);
    const quiet = await openConnection(server.port);
    greedy.pause();
    greedy.send(postText(rpcBody("GetTask", { id })).repeat(20));
    while (server.listener.connections() > 1) await new Promise((resolve) => setImmediate(resolve));
    greedy.resume();
    assert.ok((await greedy.closed).length < 60 * 1024 * 1024);
    quiet.send(postText(rpcBody("GetTask", { id }), { Connection: "close" }));
    assert.match(await quiet.closed, /TASK_STATE_COMPLETED/);
  });
});
