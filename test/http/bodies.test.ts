// Bodies that are too large, too slow, cut off or of another length than was said. None of them starts a run.

import assert from "node:assert/strict";
import { MAX_BODY_BYTES } from "../../src/inbound/body.ts";
import { LINGER_MS } from "../../src/inbound/reply.ts";
import { post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, parseReply, postText } from "../support/raw-connection.ts";

const BODY = rpcBody("SendMessage", textParams("hello"));

describe("request bodies", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ runner: createAnsweringRunner() });
  });
  afterEach(() => server.stop());

  const started = (): number => server.engine.stats().tasks;

  it("are served up to the limit and refused by one byte more (X12)", async () => {
    const padded = (bytes: number): string => BODY + " ".repeat(bytes - BODY.length);
    const fits = await post(server.port, padded(MAX_BODY_BYTES));
    assert.equal(fits.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
    const over = await post(server.port, padded(MAX_BODY_BYTES + 1));
    assert.equal(over.status, 413);
    assert.equal(over.json.error?.code, -32600);
    assert.equal(over.headers.connection, "close");
    assert.equal(started(), 1);
  });

  it("are refused by their announced length before a byte of them comes (X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("", { "Content-Length": "500000000" }));
    const reply = parseReply(await connection.until("}}"));
    assert.equal(reply.status, 413);
    assert.match(reply.body, /500000000 bytes/);
    server.clock.tick(LINGER_MS);
    await connection.closed;
  });

  it("of 50 MB are refused in a way that the sender can read (X12)", async () => {
    const reply = await post(server.port, "x".repeat(50_000_000));
    assert.equal(reply.status, 413);
  });

  it("in chunks without a length are refused at the limit (X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("", { "Transfer-Encoding": "chunked" }));
    const chunk = `${(64 * 1024).toString(16)}\r\n${"x".repeat(64 * 1024)}\r\n`;
    for (let sent = 0; sent <= MAX_BODY_BYTES; sent += 64 * 1024) connection.send(chunk);
    const reply = parseReply(await connection.until("}}"));
    assert.equal(reply.status, 413);
    connection.destroy();
    await server.idle();
  });

  it("in chunks are served", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("", { "Transfer-Encoding": "chunked", Connection: "close" }));
    for (const piece of BODY) connection.send(`1\r\n${piece}\r\n`);
    connection.send("0\r\n\r\n");
    assert.match(await connection.closed, /TASK_STATE_COMPLETED/);
  });

  it("in chunks that never end are cut by silence (S20, X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("", { "Transfer-Encoding": "chunked" }));
    connection.send("1\r\n{\r\n");
    await timersSet(server, 1);
    server.clock.tick(14_999);
    assert.equal(connection.received(), "");
    server.clock.tick(1);
    const reply = parseReply(await connection.until("}}"));
    assert.equal(reply.status, 408);
    assert.match(reply.body, /15 s/);
    server.clock.tick(LINGER_MS);
    await connection.closed;
  });

  it("that are cut off leave nothing behind", async () => {
    for (const sent of ["", "{", BODY.slice(0, -1)]) {
      const connection = await openConnection(server.port);
      connection.send(postText(sent, { "Content-Length": String(BODY.length) }));
      await timersSet(server, 1);
      connection.destroy();
      await server.idle();
      assert.equal(server.clock.pending(), 0);
    }
    assert.equal(started(), 0);
  });

  it("of which the sender closes its side early get an answer or an end, and run nothing", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(BODY.slice(0, 20), { "Content-Length": String(BODY.length) }));
    await timersSet(server, 1);
    connection.finish();
    await connection.closed;
    assert.equal(started(), 0);
  });

  it("longer than announced are read as announced, and the rest ends the connection (X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(BODY, { "Content-Length": "10" }));
    const text = await connection.closed;
    assert.match(text, /^HTTP\/1\.1 (200 OK.*-32700|400 Bad Request)/s);
    assert.equal(started(), 0);
  });

  it("shorter than announced run nothing until they are whole (X12)", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText(BODY, { "Content-Length": String(BODY.length + 2), Connection: "close" }));
    await timersSet(server, 1);
    assert.equal(started(), 0);
    connection.send("  ");
    assert.match(await connection.closed, /TASK_STATE_COMPLETED/);
  });

  it("are asked for by 100 Continue only when the head is accepted", async () => {
    const polite = await openConnection(server.port);
    const expect = { Expect: "100-continue", Connection: "close", "Content-Length": String(BODY.length) };
    polite.send(postText("", expect));
    await polite.until("HTTP/1.1 100 Continue");
    polite.send(BODY);
    assert.match(await polite.closed, /TASK_STATE_COMPLETED/);

    const large = await openConnection(server.port);
    large.send(postText("", { ...expect, "Content-Length": "99999999" }));
    assert.equal(parseReply(await large.until("}}")).status, 413);
    large.destroy();
    await server.idle();
  });

  it("that nobody reads are let in for a second, so that the reply is not lost, and then cut", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("", { "Content-Length": "99999999" }));
    await connection.until("}}");
    // More than the buffers of a connection hold: it must be read to be taken.
    await connection.push("x".repeat(7_000_000));
    server.clock.tick(LINGER_MS);
    await connection.closed;
  });

  it("that nobody reads are not let in without end", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("", { "Content-Length": "999999999" }));
    await connection.until("}}");
    const flood = assert.rejects(connection.push("x".repeat(100_000_000)));
    server.clock.tick(LINGER_MS);
    await flood;
    await connection.closed;
  });
});

/** Waits until the server has set so many timers: it then reads the body. */
async function timersSet(server: TestServer, count: number): Promise<void> {
  while (server.clock.pending() < count) await new Promise((resolve) => setImmediate(resolve));
}
