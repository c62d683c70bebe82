// How many requests one caller gets through in a minute, over real sockets.

import assert from "node:assert/strict";
import type { KnownToken } from "../../src/inbound/admission/admission-types.ts";
import { type CallReply, call, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText } from "../support/raw-connection.ts";

const TOKENS: readonly KnownToken[] = [
  { token: "alice-token", key: "peer:alice", name: "alice" },
  { token: "bob-token", key: "peer:bob", name: "bob" },
];

describe("the rate of one caller", () => {
  let server: TestServer;
  const limits = { ratePerMin: 2 };
  const start = async (tokens: readonly KnownToken[] = [], trustedProxies: string[] = []): Promise<void> => {
    limits.ratePerMin = 2;
    const rules = { trustedPeers: [], allowAllUsers: false, trustedProxies, publicUrl: "", closed: false };
    server = await startTestServer({
      callerLimits: () => ({ ...limits, maxTurns: 20, chain: { sessionId: "here", maxHops: 4 } }),
      admission: () => ({ ...rules, tokens }),
    });
  };
  afterEach(() => server.stop());

  /** The head of the answer. */
  const answerTo = async (text: string): Promise<string> => {
    const connection = await openConnection(server.port);
    connection.send(text);
    const answer = await connection.until("\r\n\r\n");
    connection.destroy();
    return answer;
  };
  const list = (token?: string): Promise<CallReply> =>
    call(server.port, "ListTasks", {}, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });
  const poll = (): Promise<CallReply> => call(server.port, "GetTask", { id: "task-none" });

  it("ends with 429, -32051 and Retry-After, and goes on when the minute has rolled on (X18, G11) [sec-rate]", async () => {
    await start();
    await list();
    await list();
    const { status, headers, json } = await list();
    assert.equal(status, 429);
    assert.equal(json.error?.code, -32051);
    assert.equal(json.id, 1);
    assert.match(json.error?.message ?? "", /more than 2 requests within a minute/);
    assert.equal(headers["retry-after"], "61");
    server.clock.tick(61_000);
    assert.equal((await list()).status, 200);
  });

  it("starts no task beyond it", async () => {
    await start();
    await list();
    await list();
    const { status } = await call(server.port, "SendMessage", textParams("hello"));
    assert.equal(status, 429);
    assert.equal(server.runner.runs.length, 0);
  });

  it("is the principal's, not the address's, where callers have tokens of their own (X18)", async () => {
    await start(TOKENS);
    await list("alice-token");
    await list("alice-token");
    assert.equal((await list("alice-token")).status, 429);
    assert.equal((await list("bob-token")).status, 200);
  });

  it("is the address's behind a proxy that is trusted, where callers share a token (X03)", async () => {
    const from = (address: string): Promise<CallReply> =>
      call(server.port, "ListTasks", {}, { headers: { "x-api-key": "all-token", "x-forwarded-for": address } });
    await start([{ token: "all-token", key: "shared" }], ["127.0.0.1"]);
    await from("192.0.2.1");
    await from("192.0.2.1");
    assert.equal((await from("192.0.2.1")).status, 429);
    assert.equal((await from("192.0.2.2")).status, 200);
    assert.equal((await from("2001:db8::1")).status, 200);
    assert.equal((await from("2001:db8::2")).status, 200);
    assert.equal((await from("2001:db8::3")).status, 429);
  });

  it("leaves polls alone, which have a limit ten times as large [sec-rate-polls]", async () => {
    await start();
    await list();
    await list();
    for (let nth = 0; nth < 20; nth++) assert.equal((await poll()).json.error?.code, -32001);
    assert.equal((await poll()).json.error?.code, -32051);
  });

  it("counts what cannot be read, and what is no call", async () => {
    await start();
    await answerTo(postText("{"));
    await answerTo(postText('{"jsonrpc":"2.0","method":"ListTasks"}'));
    assert.equal((await list()).status, 429);
  });

  it("refuses a large body without reading it when the minute is full", async () => {
    await start();
    await list();
    await list();
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`;
    assert.match(await answerTo(head), /^HTTP\/1\.1 429 [\s\S]*Retry-After: \d/);
  });

  it("does not count cards and health", async () => {
    await start();
    for (let nth = 0; nth < 5; nth++) {
      const head = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      assert.match(await answerTo(head), /^HTTP\/1\.1 200/);
    }
    assert.equal((await list()).status, 200);
  });

  it("of wrong tokens is limited, too, and locks out nobody with a right one [sec-rate-credentials]", async () => {
    await start(TOKENS);
    assert.equal((await list("wrong")).status, 401);
    assert.equal((await list("wrong")).status, 401);
    const { status, headers } = await list("wrong");
    assert.equal(status, 429);
    assert.ok(Number(headers["retry-after"]) > 0);
    assert.equal((await list("alice-token")).status, 200);
  });

  it("has no limit at 0, from the next request on (G09)", async () => {
    await start();
    await list();
    await list();
    assert.equal((await list()).status, 429);
    limits.ratePerMin = 0;
    for (let nth = 0; nth < 10; nth++) assert.equal((await list()).status, 200);
  });
});
