// Many requests in one packet: they are answered in order, and hold up nobody.

import assert from "node:assert/strict";
import { MAX_AT_WORK, MAX_IN_LINE } from "../../src/inbound/pipelines.ts";
import { get, rpcBody, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText } from "../support/raw-connection.ts";

const UNKNOWN = postText(rpcBody("GetTask", { id: "task-0000000000000bad" }));

describe("requests in one packet", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  it("are all answered, in order", async () => {
    const connection = await openConnection(server.port);
    const bodies = Array.from({ length: 200 }, (_, n) => rpcBody("GetTask", { id: "x" }, n));
    connection.send(bodies.map((body) => postText(body)).join(""));
    const text = await connection.until('"id":199,');
    const ids = [...text.matchAll(/"jsonrpc":"2.0","id":(\d+)/g)].map(([, id]) => Number(id));
    assert.deepEqual(ids, [...bodies.keys()]);
    connection.destroy();
    await server.idle();
  });

  it("do not hold up a caller that comes after them", async () => {
    const greedy = await openConnection(server.port);
    const quiet = await openConnection(server.port);
    greedy.send(UNKNOWN.repeat(MAX_IN_LINE));
    await greedy.until("-32001");
    quiet.send(UNKNOWN);
    await quiet.until("-32001");
    const answered = greedy.received().split("HTTP/1.1 200").length - 1;
    assert.ok(answered < MAX_IN_LINE, `${answered} requests were answered before`);
    for (const connection of [greedy, quiet]) connection.destroy();
    await server.idle();
  });

  it("begin no more than some at a time behind one that takes long, and go with their connection", async () => {
    const connection = await openConnection(server.port);
    const send = postText(rpcBody("SendMessage", textParams("work")));
    connection.send(send + UNKNOWN.repeat(MAX_AT_WORK + 10));
    const run = await server.runner.next();
    connection.send(UNKNOWN.repeat(MAX_IN_LINE));
    assert.equal(await connection.closed, "");
    assert.equal(run.request.signal.aborted, false);
    run.complete();
    assert.equal((await get(server.port, "/health")).status, 200);
  });
});
