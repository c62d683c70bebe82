// The listening socket: which port, which limits, how the handler is replaced, and that nothing survives its end.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createLog } from "../../src/core/platform/log.ts";
import { startListener } from "../../src/inbound/listener.ts";
import type { Listener, ListenOptions, RequestHandler } from "../../src/inbound/server-types.ts";
import { call, get, openStream, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer } from "../support/a2a-server.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { openConnection, postText } from "../support/raw-connection.ts";
import { skipBecause } from "../support/skip-because.ts";

const CARD = "/.well-known/agent-card.json";

describe("listener", () => {
  const clock = createSystemClock();
  const log = createLog(clock, () => "id");
  const answering: RequestHandler = { handle: (_request, response) => void response.end("{}"), close: () => undefined };
  let cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
    cleanups = [];
  });

  const start = async (options: Partial<ListenOptions> = {}, limits = {}): Promise<Listener> => {
    const all = { host: "127.0.0.1", port: 0, portFallback: 0, ...options };
    const listener = await startListener({ clock, log, limits }, all, answering);
    cleanups.push(() => listener.stop());
    return listener;
  };
  const occupy = async (port = 0): Promise<number> => {
    const server: Server = createServer().listen(port, "127.0.0.1");
    await once(server, "listening");
    cleanups.push(async () => once(server.close(), "close"));
    return portOf(server.address());
  };

  it("takes the port that it is told", async () => {
    const free = await start();
    await free.stop();
    const listener = await start({ port: free.port });
    assert.equal(listener.port, free.port);
    assert.equal(listener.busyPort, undefined);
    assert.equal(listener.origin, `http://127.0.0.1:${free.port}`);
  });

  it("climbs to the next ports when that one is taken, and says which one was", async () => {
    const taken = await occupy();
    const listener = await start({ port: taken, portFallback: 20 });
    assert.ok(listener.port > taken && listener.port <= taken + 20, `${listener.port} after ${taken}`);
    assert.equal(listener.busyPort, taken);
  });

  it("takes any free port when all of those are taken", async () => {
    const taken = await occupy();
    const listener = await start({ port: taken, portFallback: 0 });
    assert.notEqual(listener.port, taken);
    assert.equal(listener.busyPort, taken);
    assert.equal((await get(listener.port, "/")).status, 200);
  });

  it("gives each of twelve that start at once a port of its own, around one that is taken (L13)", async () => {
    const taken = await occupy();
    const listeners = await Promise.all(Array.from({ length: 12 }, () => start({ port: taken, portFallback: 5 })));
    const ports = listeners.map(({ port }) => port);
    assert.equal(new Set(ports).size, 12);
    assert.ok(!ports.includes(taken));
    assert.ok(listeners.every(({ busyPort }) => busyPort === taken));
    for (const { origin } of listeners) assert.equal((await fetch(origin)).status, 200);
  });

  it("climbs no higher than the last port", async () => {
    const listener = await start({ port: 65_535, portFallback: 10 });
    const second = await start({ port: 65_535, portFallback: 10 });
    assert.ok(listener.port <= 65_535 && second.port < 65_535);
  });

  for (const host of ["0.0.0.0", "::", "192.168.1.1", "8.8.8.8", "example.com", "", "127.0.0.1.example.com"]) {
    it(`refuses the host ${JSON.stringify(host)}`, () =>
      assert.rejects(start({ host }), { code: "CONFIG_INVALID", hint: /127\.0\.0\.1/ }));
  }

  it("listens on IPv6 and writes it in brackets (X04)", async function () {
    const listener = await start({ host: "::1" }).catch(() => undefined);
    if (listener === undefined) {
      return skipBecause(this, "this machine has no IPv6 loopback");
    }
    assert.equal(listener.origin, `http://[::1]:${listener.port}`);
    const connection = await openConnection(listener.port, "::1");
    connection.send(`GET / HTTP/1.1\r\nHost: [::1]:${listener.port}\r\nConnection: close\r\n\r\n`);
    assert.match(await connection.closed, /^HTTP\/1\.1 200/);
  });

  it("cuts a head that does not arrive in time, with an answer", async () => {
    const listener = await start({}, { headersMs: 60, checkMs: 20 });
    const slow = await openConnection(listener.port);
    slow.send("POST / HTTP/1.1\r\nHost: local");
    assert.match(await slow.closed, /^HTTP\/1\.1 408 .*-32600/s);
  });

  it("cuts a connection that says nothing", async () => {
    const listener = await start({}, { headersMs: 60, checkMs: 20 });
    const silent = await openConnection(listener.port);
    await silent.closed;
    assert.equal(listener.connections(), 0);
  });

  it("takes no more connections than it may", async () => {
    const listener = await start({}, { maxConnections: 2 });
    const held = [await openConnection(listener.port), await openConnection(listener.port)];
    while (listener.connections() < 2) await new Promise((resolve) => setImmediate(resolve));
    const third = await openConnection(listener.port);
    assert.equal(await third.closed, "");
    held[0]?.destroy();
    while (listener.connections() === 2) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await get(listener.port, "/")).status, 200);
    held[1]?.destroy();
  });

  it("takes 256 connections, and no more, when nobody says otherwise [sec-connections]", async () => {
    const listener = await start();
    const held = await Promise.all(Array.from({ length: 256 }, () => openConnection(listener.port)));
    while (listener.connections() < 256) await new Promise((resolve) => setImmediate(resolve));
    const oneMore = await openConnection(listener.port);
    assert.equal(await oneMore.closed, "");
    for (const connection of held) connection.destroy();
  });

  it("closes connections that have nothing more to say at once, without waiting for its grace", async () => {
    const patient = { ...createFakeClock(), defer: clock.defer };
    const all = { host: "127.0.0.1", port: 0, portFallback: 0 };
    const listener = await startListener({ clock: patient, log }, all, answering);
    const idle = await openConnection(listener.port);
    idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await idle.until("{}");
    const silent = await openConnection(listener.port);
    while (listener.connections() < 2) await new Promise((resolve) => setImmediate(resolve));
    await listener.stop();
    await Promise.all([idle.closed, silent.closed]);
    assert.equal(patient.pending(), 0);
  });

  it("survives clients that reset, and garbage behind a reply", async () => {
    const listener = await start();
    for (const text of ["", "G", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\r\n\r\n\r\n", "\0".repeat(1000)]) {
      const connection = await openConnection(listener.port);
      connection.send(text);
      connection.destroy();
    }
    const garbled = await openConnection(listener.port);
    garbled.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await garbled.until("{}");
    garbled.send("garbage\r\n\r\n");
    assert.match(await garbled.closed, /^HTTP\/1\.1 200 .*HTTP\/1\.1 400 /s);
    while (listener.connections() > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await get(listener.port, "/")).status, 200);
  });
});

describe("listener with a server behind it", () => {
  it("frees its port although a stream and an idle connection are open, for the next start (L02)", async () => {
    const first = await startTestServer();
    const idle = await openConnection(first.port);
    idle.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await idle.until('"ok"');
    const stream = await openStream(first.port, "SendStreamingMessage", textParams("work"));
    const run = await first.runner.next();
    run.working();
    await stream.event(2);
    await first.stop();
    const events = await stream.ended;
    assert.equal(events.at(-1)?.result?.statusUpdate?.status.state, "TASK_STATE_FAILED");
    await idle.closed;

    const clock = createSystemClock();
    const options = { host: "127.0.0.1", port: first.port, portFallback: 0 };
    const again = await startListener({ clock, log: first.log }, options, first.newHandler());
    assert.equal(again.port, first.port);
    await again.stop();
  });

  it("stops within its grace although a reader stalls, and stops once however often it is told", async () => {
    const server = await startTestServer({ runner: createAnsweringRunner("x".repeat(20_000_000)) });
    const stalled = await openConnection(server.port);
    stalled.pause();
    stalled.send(postText(rpcBody("SendMessage", textParams("much"))));
    while (server.engine.stats().completed === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopping = server.listener.stop();
    assert.equal(server.listener.stop(), stopping);
    await stopping;
    await server.stop();
    stalled.destroy();
  });

  it("answers an upload that is under way when it stops", async () => {
    const server = await startTestServer();
    const upload = await openConnection(server.port);
    upload.send(postText("{", { "Content-Length": "1000" }));
    while (server.clock.pending() === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.stop();
    assert.match(await upload.closed, /^HTTP\/1\.1 503 .*-32053/s);
  });

  it("lets callers hear how their tasks ended when it stops", async () => {
    const server = await startTestServer();
    const waiting = [];
    for (let n = 0; n < 3; n++) {
      waiting.push(call(server.port, "SendMessage", textParams("work")));
      (await server.runner.next()).working();
    }
    // The engine ends with the turn in which its callers are told, and the handler closes in the same one.
    void server.engine.stop("over").then(() => server.handler.close());
    for (const reply of waiting) assert.equal((await reply).json.result?.task?.status.state, "TASK_STATE_FAILED");
    await server.stop();
  });

  it("replaces its handler without refusing a request, while the old one finishes its own", async () => {
    const server = await startTestServer();
    const old = call(server.port, "SendMessage", textParams("old"));
    const run = await server.runner.next();
    let going = true;
    const statuses = new Set<number>();
    const load = async (): Promise<void> => {
      while (going) statuses.add((await get(server.port, CARD)).status);
    };
    const loads = [load(), load(), load()];
    const handlers = [];
    for (let round = 0; round < 5; round++) {
      const next = server.newHandler();
      handlers.push(next);
      server.listener.replaceHandler(next);
      await get(server.port, CARD);
    }
    going = false;
    await Promise.all(loads);
    assert.deepEqual([...statuses], [200]);
    run.complete();
    assert.equal((await old).json.result?.task?.status.state, "TASK_STATE_COMPLETED");
    server.handler.close();
    assert.equal((await get(server.port, CARD)).status, 200);
    handlers.at(-1)?.close();
    assert.equal((await get(server.port, CARD)).status, 503);
    await server.stop();
  });

  it("never keeps a process alive that forgets to stop it (L01)", async function () {
    this.timeout(30_000);
    const script = fileURLToPath(new URL("./fixtures/unattended-server.ts", import.meta.url));
    const child = spawn(process.execPath, ["--import", "tsx", script], { stdio: ["pipe", "pipe", "inherit"] });
    const [line] = await once(child.stdout, "data");
    const port = Number(String(line).trim());
    const idle = await openConnection(port);
    idle.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await idle.until('"ok"');
    const stream = await openStream(port, "SendStreamingMessage", textParams("work"));
    await stream.event(2);
    const blocking = await openConnection(port);
    blocking.send(postText(rpcBody("SendMessage", textParams("more"))));
    child.stdin.end();
    const [code] = await once(child, "exit");
    assert.equal(code, 0);
    await Promise.all([idle.closed, stream.ended, blocking.closed]);
  });
});

function portOf(address: string | AddressInfo | null): number {
  assert.ok(typeof address === "object" && address !== null);
  return address.port;
}
