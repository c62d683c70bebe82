// Requests that are no requests: every one gets a JSON-RPC error with the right id, and nothing runs.

import assert from "node:assert/strict";
import { call, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, parseReply, postText, sendRaw } from "../support/raw-connection.ts";

describe("broken requests", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    assert.equal(server.engine.stats().tasks, 0, "a broken request made a task");
    assert.equal(server.runner.runs.length, 0, "a broken request started a run");
    await server.stop();
  });

  const expectError = async (body: string, code: number, id: unknown = null): Promise<void> => {
    const reply = await post(server.port, body);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["content-type"], "application/json");
    assert.equal(reply.headers["content-length"], String(Buffer.byteLength(reply.text)));
    assert.equal(reply.json.error?.code, code, reply.text);
    assert.deepEqual(reply.json.id, id);
    assert.equal(reply.json.jsonrpc, "2.0");
    assert.equal(Object.hasOwn(reply.json, "result"), false);
  };

  const UNREADABLE = ['{"jsonrpc":"2.0","id":1,', "", "   ", "{", "undefined", "{'a':1}", "\u0000", '{"id":1}}'];
  for (const body of UNREADABLE) {
    it(`answer -32700 to the body ${JSON.stringify(body)} (W04)`, () => expectError(body, -32700));
  }

  for (const body of ["[]", '"x"', "null", "1", "true", "{}"]) {
    it(`answer -32600 to the body ${body} (W04)`, () => expectError(body, -32600));
  }

  it("answer -32700 to bytes that are not UTF-8", async () => {
    const text = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const connection = await openConnection(server.port);
    connection.send(
      `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${text.length}\r\n\r\n`,
    );
    connection.send(text);
    assert.match(parseReply(await connection.closed).body, /"code":-32700/);
  });

  it("answer -32600 to nesting 100,000 deep", async () => {
    await expectError(`${"[".repeat(100_000)}${"]".repeat(100_000)}`, -32600);
    await expectError(
      `{"jsonrpc":"2.0","id":1,"method":"GetTask","params":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`,
      -32600,
    );
  });

  it("answer -32600 to a wrong jsonrpc member, with the id that was sent", async () => {
    await expectError('{"jsonrpc":"1.0","id":5,"method":"GetTask"}', -32600, 5);
    await expectError('{"id":"a","method":"GetTask"}', -32600, "a");
    await expectError('{"jsonrpc":2,"id":"a","method":"GetTask"}', -32600, "a");
  });

  it("answer -32600 to a method that is no string", async () => {
    for (const method of ["null", "1", "{}", "[]", "true"]) {
      await expectError(`{"jsonrpc":"2.0","id":1,"method":${method}}`, -32600, 1);
    }
    await expectError('{"jsonrpc":"2.0","id":1}', -32600, 1);
  });

  it("answer -32601 to unknown methods, also to names that every object has", async () => {
    const names = ["", "Nope", "sendmessage", "SENDMESSAGE", " SendMessage", "constructor", "__proto__", "toString"];
    for (const name of names) await expectError(rpcBody(name, {}), -32601, 1);
  });

  it("answer -32601 to the names of A2A 0.3, whatever the version, where older dialects are not served", async () => {
    const pure = await startTestServer({ legacy: false });
    for (const name of ["message/send", "message/stream", "tasks/get", "tasks/cancel", "tasks/list"]) {
      for (const version of ["", "1.0", "0.3"]) {
        const { json } = await call(pure.port, name, textParams("hello"), { headers: { "A2A-Version": version } });
        assert.equal(json.error?.code, -32601, `${name} ${version}`);
      }
    }
    assert.equal(pure.engine.stats().tasks, 0);
    await pure.stop();
  });

  for (const id of [null, 0, "", "abc", 1.5, -1, "a\u2028b"]) {
    it(`carry the id ${JSON.stringify(id)} back unchanged (W19)`, () =>
      expectError(rpcBody("Nope", {}, id), -32601, id));
  }

  for (const id of [{ a: 1 }, [1], true]) {
    it(`answer -32600 with id null to the id ${JSON.stringify(id)} (W19)`, () =>
      expectError(rpcBody("GetTask", {}, id), -32600));
  }

  it("answer one -32600 to a batch (W19)", () => expectError(`[${rpcBody("GetTask")},${rpcBody("GetTask")}]`, -32600));

  it("run nothing and send no body for a request without an id (W19)", async () => {
    for (const method of ["SendMessage", "SendStreamingMessage", "Nope"]) {
      const reply = await post(server.port, JSON.stringify({ jsonrpc: "2.0", method, params: textParams("hello") }));
      assert.equal(reply.status, 204);
      assert.equal(reply.text, "");
    }
  });

  it("answer -32602 with the field to every kind of wrong params", async () => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }] };
    const wrong: [method: string, params: unknown, field: string][] = [
      ["SendMessage", undefined, "params"],
      ["SendMessage", null, "params"],
      ["SendMessage", [], "params"],
      ["SendMessage", "x", "params"],
      ["SendMessage", {}, "message"],
      ["SendMessage", { message: null }, "message"],
      ["SendMessage", { message: [] }, "message"],
      ["SendMessage", { message: { ...message, messageId: "" } }, "message.messageId"],
      ["SendMessage", { message: { ...message, messageId: 7 } }, "message.messageId"],
      ["SendMessage", { message: { ...message, role: "ROLE_AGENT" } }, "message.role"],
      ["SendMessage", { message: { ...message, role: 9 } }, "message.role"],
      ["SendMessage", { message, configuration: [] }, "configuration"],
      ["SendMessage", { message, configuration: { historyLength: -1 } }, "configuration.historyLength"],
      ["SendMessage", { message, configuration: { returnImmediately: "yes" } }, "configuration.returnImmediately"],
      ["SendStreamingMessage", { message: { ...message, parts: {} } }, "message.parts"],
      ["SendStreamingMessage", {}, "message"],
      ["GetTask", {}, "id"],
      ["GetTask", { id: 1 }, "id"],
      ["GetTask", { id: "" }, "id"],
      ["GetTask", { id: "x".repeat(5000) }, "id"],
      ["GetTask", { id: "x", historyLength: -1 }, "historyLength"],
      ["GetTask", { id: "x", historyLength: 1.5 }, "historyLength"],
      ["CancelTask", { id: {} }, "id"],
      ["SubscribeToTask", { id: null }, "id"],
    ];
    for (const [method, params, field] of wrong) {
      const { json, status } = await call(server.port, method, params);
      assert.equal(status, 200);
      assert.equal(json.error?.code, -32602, `${method} ${JSON.stringify(params)}`);
      const violations = json.error?.data.flatMap((entry) => entry.fieldViolations ?? []);
      assert.deepEqual(
        violations?.map((violation) => violation.field),
        [field],
        JSON.stringify(json),
      );
    }
  });

  it("answer -32602 to messages that say nothing (W18)", async () => {
    const empty = [[], undefined, [{}], [{ text: "a", data: 1 }], [{ text: "" }], [{ text: " \n\t " }]];
    for (const parts of empty) {
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const message = { messageId: "m", role: "ROLE_USER", parts };
        const { json, headers } = await call(server.port, method, { message });
        assert.equal(headers["content-type"], "application/json");
        assert.equal(json.error?.code, -32602, JSON.stringify(parts));
        const violations = json.error?.data.flatMap((entry) => entry.fieldViolations ?? []) ?? [];
        assert.match(violations[0]?.field ?? "", /^message\.parts/);
      }
    }
  });

  it("answer -32001 to a task that was never issued (W10)", async () => {
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      const { json } = await call(server.port, method, textParams("go on", { taskId: "made-up" }));
      assert.equal(json.error?.code, -32001);
      assert.equal(json.error?.data[0]?.reason, "TASK_NOT_FOUND");
    }
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"]) {
      const { json } = await call(server.port, method, { id: "made-up" });
      assert.equal(json.error?.code, -32001, method);
    }
  });

  it("answer -32009 to versions that are not served, with those that are", async () => {
    for (const version of ["99.0", "1", "0.30", "2.0", "1.1", "1.0-beta", "v1.0", "1.0.0.0", "x".repeat(2000)]) {
      const { json } = await call(server.port, "SendMessage", textParams("hello"), {
        headers: { "A2A-Version": version },
      });
      assert.equal(json.error?.code, -32009, version);
      assert.deepEqual(json.error?.data[0]?.metadata, { supportedVersions: "1.0, 0.3" });
    }
    const { json } = await call(server.port, "Nope", {}, { path: "/?A2A-Version=9.9" });
    assert.equal(json.error?.code, -32009);
  });

  it("answer -32601 to a v1.0 method in an explicit 0.3", async () => {
    for (const version of ["0.3", "0.3.1"]) {
      const { json } = await call(server.port, "SendMessage", textParams("hello"), {
        headers: { "A2A-Version": version },
      });
      assert.equal(json.error?.code, -32601);
    }
  });

  it("say which v1.0 methods are not offered", async () => {
    assert.equal((await call(server.port, "GetExtendedAgentCard")).json.error?.code, -32004);
  });

  it("are answered by 400, 431 or 405 with a JSON body when they are not HTTP (S20)", async () => {
    const broken: [text: string, status: number][] = [
      ["garbage\r\n\r\n", 400],
      ["\x16\x03\x01\x02\x00\x01\x00", 400],
      ["FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
      ["POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400],
      ["POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
      [
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        400,
      ],
      [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(17_000)}\r\n\r\n`, 431],
      ["CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405],
    ];
    for (const [text, status] of broken) {
      const reply = await sendRaw(server.port, text);
      assert.equal(reply.status, status, text.slice(0, 40));
      assert.match(reply.body, /^\{"jsonrpc":"2.0","id":null,"error":\{"code":-32600,/);
    }
  });

  it("never show a stack, a path or a cause of a fault inside", async () => {
    const failing = await startTestServer({
      runner: createAnsweringRunner(),
      cardFacts: () => {
        throw new Error("secret at /root/somewhere");
      },
    });
    const reply = parseReply(
      await (async () => {
        const connection = await openConnection(failing.port);
        connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        return connection.closed;
      })(),
    );
    assert.equal(reply.status, 200);
    assert.match(reply.body, /"code":-32603,"message":"internal error [0-9a-f]{16}"/);
    assert.doesNotMatch(reply.body, /secret|root|\.ts/);
    assert.match(failing.log.lines()[0]?.text ?? "", /secret at/);
    await failing.stop();
  });

  it("leave a connection usable for the next request", async () => {
    const connection = await openConnection(server.port);
    connection.send(postText("{"));
    await connection.until("-32700");
    connection.send(postText(rpcBody("Nope", {}, 77)));
    await connection.until('"id":77');
    connection.destroy();
  });
});
