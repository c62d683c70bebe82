// What is decided from a request's head alone: host, origin, method, path, content type. Nothing runs for a refused one.

import assert from "node:assert/strict";
import { call, get, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, parseReply, postText, sendRaw } from "../support/raw-connection.ts";

const CARD = "/.well-known/agent-card.json";
const BODY = rpcBody("SendMessage", textParams("hello"));

describe("request heads", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ runner: createAnsweringRunner() });
  });
  afterEach(() => server.stop());

  const refusedWith = async (status: number, code: number, options: Parameters<typeof post>[2]): Promise<void> => {
    const reply = await post(server.port, BODY, options);
    assert.equal(reply.status, status);
    assert.equal(reply.json.error?.code, code);
    assert.equal(reply.json.id, null);
    assert.equal(server.engine.stats().tasks, 0);
  };

  const LOOPBACK = ["127.0.0.1", "127.0.0.1:9910", "[::1]", "[::1]:9910", "localhost", "LOCALHOST:9910", "127.1.2.3"];
  for (const host of LOOPBACK) {
    it(`are served for the host ${host}, calls and card (X04)`, async () => {
      assert.equal((await post(server.port, BODY, { headers: { Host: host } })).status, 200);
      assert.equal((await get(server.port, CARD, { headers: { Host: host } })).status, 200);
    });
  }

  const FOREIGN = [
    "evil.example:9910",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.nip.io",
    "10.0.0.1",
    "0.0.0.0:9910",
    "[::]",
    "a@127.0.0.1",
  ];
  for (const host of FOREIGN) {
    it(`are refused for the host ${JSON.stringify(host)}, calls and card (X04)`, async () => {
      await refusedWith(403, -32052, { headers: { Host: host } });
      const card = await get(server.port, CARD, { headers: { Host: host } });
      assert.equal(card.status, 403);
      assert.equal(card.json.error?.code, -32052);
    });
  }

  it("are refused without a host (X04)", async () => {
    for (const head of ["HTTP/1.0", "HTTP/1.1", "HTTP/1.1\r\nHost:"]) {
      const reply = await sendRaw(server.port, `GET ${CARD} ${head}\r\nConnection: close\r\n\r\n`);
      assert.equal(reply.status, 403);
    }
  });

  it("are judged by the host of an absolute target, which replaces the header (X04)", async () => {
    const head = "Host: 127.0.0.1\r\nConnection: close";
    const evil = await sendRaw(server.port, `GET http://evil.example${CARD} HTTP/1.1\r\n${head}\r\n\r\n`);
    assert.equal(evil.status, 403);
    const own = await sendRaw(server.port, `GET http://localhost${CARD} HTTP/1.1\r\n${head}\r\n\r\n`);
    assert.equal(own.status, 200);
  });

  it("are refused with the origin of another page, also on this machine (X04)", async () => {
    for (const origin of [
      "https://evil.example",
      "null",
      "http://localhost:1",
      "http://127.0.0.1",
      "file://",
      "garbage",
    ]) {
      await refusedWith(403, -32052, { headers: { Origin: origin } });
      assert.equal((await get(server.port, CARD, { headers: { Origin: origin } })).status, 403);
    }
  });

  it("are served with the server's own origin", async () => {
    const reply = await post(server.port, BODY, { headers: { Origin: server.origin } });
    assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
  });

  it("are checked in order: host, origin, method, content type, length", async () => {
    const all = "Host: evil\r\nOrigin: http://evil\r\nContent-Type: text/plain\r\nContent-Length: 99999999";
    const status = async (method: string, head: string): Promise<RegExpExecArray | null> => {
      const connection = await openConnection(server.port);
      connection.send(`${method} / HTTP/1.1\r\n${head}\r\n\r\n`);
      const text = await connection.until("error");
      connection.destroy();
      return /^HTTP\/1.1 (\d+).*"message":"(\w+ )/s.exec(text);
    };
    assert.equal((await status("PUT", all))?.[2], "host ");
    assert.equal((await status("PUT", all.replace("Host: evil", "Host: localhost")))?.[2], "origin ");
    const own = all.replace("Host: evil", "Host: localhost").replace("Origin: http://evil\r\n", "");
    assert.equal((await status("PUT", own))?.[1], "405");
    assert.equal((await status("POST", own))?.[2], "content ");
    assert.equal((await status("POST", own.replace("text/plain", "application/json")))?.[1], "413");
    await server.idle();
  });

  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
    it(`answer 405 with Allow and a JSON body to ${method} (S20)`, async () => {
      const reply = await get(server.port, "/", { method });
      assert.equal(reply.status, 405);
      assert.equal(reply.headers.allow, "GET, HEAD, POST");
      assert.equal(reply.headers["access-control-allow-origin"], undefined);
      assert.match(reply.json.error?.message ?? "", new RegExp(method));
    });
  }

  const WRONG_TYPES = [
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "json",
    "",
    "application/json; charset=utf-16",
    "application/json;charset=latin1",
  ];
  for (const type of WRONG_TYPES) {
    it(`answer -32005 to the content type ${JSON.stringify(type)} (S20)`, () =>
      refusedWith(200, -32005, { headers: { "Content-Type": type } }));
  }

  it("answer -32005 to a body without a content type", async () => {
    const reply = await sendRaw(
      server.port,
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    );
    assert.equal(reply.status, 200);
    assert.match(reply.body, /"code":-32005/);
  });

  it("answer -32005 to a packed body", () => refusedWith(200, -32005, { headers: { "Content-Encoding": "gzip" } }));

  const RIGHT_TYPES = [
    "application/json",
    "APPLICATION/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/a2a+json",
    "application/json; profile=x",
  ];
  for (const type of RIGHT_TYPES) {
    it(`are served with the content type ${type}`, async () => {
      const reply = await post(server.port, BODY, { headers: { "Content-Type": type } });
      assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
    });
  }

  it("take calls at every path, with and without a final slash (C07)", async () => {
    for (const path of ["/", "/a2a", "/a2a/", "//", "/a2a/v1", "/health", CARD, "/?x=1", "/%2e%2e/"]) {
      const reply = await call(server.port, "SendMessage", textParams("hello"), { path });
      assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED", path);
    }
  });

  it("are told the right path by a 404 with a JSON body (C07)", async () => {
    for (const path of ["/a2a", "/nope", "/.well-known/agent-card", "/healthz", "/a2a/../x"]) {
      const reply = await get(server.port, path);
      assert.equal(reply.status, 404, path);
      assert.match(reply.json.error?.message ?? "", /agent-card\.json.*\/health.*POST/);
    }
  });

  it("get the server's state at / and /health (C07)", async () => {
    for (const path of ["/", "/health", "/health/", "/?x"]) {
      const reply = await get(server.port, path);
      assert.equal(reply.status, 200);
      assert.deepEqual(JSON.parse(reply.text), { status: "ok", agent: "pi-test", card: CARD });
      assert.equal(reply.headers["cache-control"], "no-store");
    }
  });

  it("get the same headers and no body by HEAD (S20)", async () => {
    for (const path of ["/", "/health", CARD]) {
      const full = await get(server.port, path);
      const head = await get(server.port, path, { method: "HEAD" });
      assert.equal(head.status, 200);
      assert.equal(head.text, "");
      assert.equal(head.headers["content-length"], String(Buffer.byteLength(full.text)));
    }
    assert.equal((await get(server.port, "/nope", { method: "HEAD" })).status, 404);
  });

  it("speak v1.0 by header, by query, with a patch number, and with nothing", async () => {
    const spellings: [headers: Record<string, string>, path: string][] = [
      [{}, "/"],
      [{ "A2A-Version": "1.0" }, "/"],
      [{ "A2A-Version": " 1.0 " }, "/"],
      [{ "A2A-Version": "1.0.3" }, "/"],
      [{ "A2A-Version": "" }, "/"],
      [{ "A2A-Version": "  " }, "/?A2A-Version=1.0.0"],
      [{}, "/a2a?A2A-Version=1.0"],
      [{}, "/?A2A-Version="],
      [{ "A2A-Version": "1.0" }, "/?A2A-Version=9.9"],
    ];
    for (const [headers, path] of spellings) {
      const { json } = await call(server.port, "SendMessage", textParams("hello"), { headers, path });
      assert.equal(json.result?.task?.status.state, "TASK_STATE_COMPLETED", JSON.stringify([headers, path]));
    }
  });

  it("are served whatever else they expect", async () => {
    const reply = await post(server.port, BODY, { headers: { Expect: "magic" } });
    assert.equal(reply.json.result?.task?.status.state, "TASK_STATE_COMPLETED");
  });

  it("answer a GET that has a body without waiting for it", async () => {
    const connection = await openConnection(server.port);
    connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
    assert.equal(parseReply(await connection.until('"status":"ok"')).headers.connection, "close");
    connection.destroy();
    await server.idle();
  });

  it("of requests sent at once on one connection are answered in order", async () => {
    const connection = await openConnection(server.port);
    const ids = Array.from({ length: 20 }, (_, index) => `id-${index}-`);
    connection.send(ids.map((id) => postText(rpcBody("GetTask", { id: "none" }, id))).join(""));
    const text = await connection.until("id-19-");
    const places = ids.map((id) => text.indexOf(id));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    connection.destroy();
  });
});
