// Readers that take what waits for them too slowly, though never so slowly that their connection counts as dead.

import assert from "node:assert/strict";
import { READER_MS } from "../../src/inbound/exchange.ts";
import { call, rpcBody, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText, type RawConnection } from "../support/raw-connection.ts";

/** More than the buffers of a connection take. */
const MUCH = "x".repeat(20 * 1024 * 1024);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("readers that are too slow", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  /** A connection that has a large reply coming and does not read it. */
  const stalledReply = async (): Promise<RawConnection> => {
    const connection = await openConnection(server.port);
    connection.pause();
    connection.send(postText(rpcBody("SendMessage", textParams("much")), { Connection: "close" }));
    const run = await server.runner.next();
    run.text(MUCH);
    run.complete();
    while (server.engine.stats().completed === 0) await turn();
    await turn();
    return connection;
  };

  it("of a reply are cut, so that they do not hold a connection for ever", async () => {
    const connection = await stalledReply();
    server.clock.tick(READER_MS);
    await server.idle();
    connection.resume();
    assert.ok((await connection.closed).length < MUCH.length);
  });

  it("of a reply get all of it when they take it in time", async () => {
    const connection = await stalledReply();
    server.clock.tick(READER_MS - 1);
    connection.resume();
    assert.ok((await connection.closed).length > MUCH.length);
    await server.idle();
    assert.equal(server.clock.pending(), 0);
  });

  it("are not those whose reply waits behind another one on their connection", async () => {
    const sent = call(server.port, "SendMessage", textParams("short work"));
    (await server.runner.next()).complete();
    const { id } = (await sent).json.result?.task ?? {};
    const connection = await openConnection(server.port);
    connection.send(
      postText(rpcBody("SendMessage", textParams("long work"))) + postText(rpcBody("GetTask", { id }, 2)),
    );
    const run = await server.runner.next();
    // The second reply is made by then.
    for (let passed = 0; passed < 50; passed++) await turn();
    server.clock.tick(READER_MS + 1000);
    run.complete();
    await connection.until('"id":2');
    connection.destroy();
    await server.idle();
  });

  it("of a stream are cut, and their place is free", async () => {
    const sent = call(server.port, "SendMessage", textParams("work", {}, { returnImmediately: true }));
    const run = await server.runner.next();
    run.working();
    const { id } = (await sent).json.result?.task ?? {};
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SubscribeToTask", { id })));
    await connection.until('"task"');
    connection.pause();
    run.text(MUCH);
    while ((await server.engine.get({ key: "local", name: "" }, id ?? "")).artifacts === undefined) await turn();
    await turn();
    server.clock.tick(READER_MS);
    await server.idle();
    run.complete();
    connection.destroy();
  });
});
