// HTTP and the JSON-RPC envelope, over real sockets.

import assert from "node:assert/strict";
import { call, openStream, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText } from "../support/raw-connection.ts";
import { assertNothingStarted, errorOf, sendTo, taskOf } from "./stage.ts";

const METHODS = [
  ...["SendMessage", "SendStreamingMessage", "GetTask", "ListTasks", "CancelTask", "SubscribeToTask"],
  ...["CreateTaskPushNotificationConfig", "GetTaskPushNotificationConfig", "ListTaskPushNotificationConfigs"],
  ...["DeleteTaskPushNotificationConfig", "GetExtendedAgentCard"],
];

describe("the envelope of a call", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ runner: createAnsweringRunner() });
  });
  afterEach(() => server.stop());

  it("[env-post] is JSON both ways", async () => {
    const reply = await sendTo(server);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["content-type"], "application/json");
    assert.equal(reply.headers["content-length"], String(Buffer.byteLength(reply.text)));
    assert.deepEqual(Object.keys(reply.json), ["jsonrpc", "id", "result"]);
  });

  it("[env-every-path] is taken at every path", async () => {
    for (const path of ["/", "/a2a", "/a2a/", "/any/where", "/any/where/", "//", "/?x=1"]) {
      const reply = await call(server.port, "SendMessage", textParams("hello"), { path });
      assert.equal(reply.status, 200, path);
      assert.equal(taskOf(reply).status.state, "TASK_STATE_COMPLETED", path);
    }
  });

  it("[env-content-type-read] may name its type with parameters, in any case, and as a2a+json", async () => {
    const types = ["application/json; charset=utf-8", 'Application/JSON;charset="UTF-8"', "application/a2a+json"];
    for (const type of types) {
      const reply = await call(server.port, "SendMessage", textParams("a"), { headers: { "Content-Type": type } });
      assert.ok(reply.json.result !== undefined, type);
    }
  });

  it("[env-id-echo] has its id echoed, in the result and in each frame of a stream (W19)", async () => {
    for (const id of [null, 0, -7, 1.5, "", "a", "7", "\u2028\ud83d\ude00"]) {
      const reply = await call(server.port, "SendMessage", textParams("a"), { id });
      assert.deepEqual(reply.json.id, id);
      assert.ok(reply.json.result !== undefined);
      const stream = await openStream(server.port, "SendStreamingMessage", textParams("a"), id);
      const events = await stream.ended;
      assert.ok(events.length > 1);
      for (const event of events) assert.deepEqual(event.id, id);
    }
  });

  it("[env-pipelined] is answered in the order of its connection", async () => {
    const connection = await openConnection(server.port);
    connection.send(["a", "b", "c"].map((id) => postText(rpcBody("SendMessage", textParams(id), id))).join(""));
    const text = await connection.until('"id":"c"');
    assert.ok(text.indexOf('"id":"a"') < text.indexOf('"id":"b"'));
    assert.ok(text.indexOf('"id":"b"') < text.indexOf('"id":"c"'));
    connection.destroy();
  });
});

describe("a call that is none", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    assertNothingStarted(server);
    await server.stop();
  });

  const refused = async (body: string, code: number, id: unknown = null): Promise<void> => {
    const reply = await post(server.port, body);
    assert.equal(reply.status, 200, body);
    assert.equal(reply.headers["content-type"], "application/json");
    assert.equal(errorOf(reply).code, code, body);
    assert.deepEqual(reply.json.id, id, body);
  };

  it("[env-method-names] names one of eleven methods exactly, or an unknown one", async () => {
    for (const method of METHODS) {
      const known = await call(server.port, method, {});
      assert.notEqual(known.json.error?.code, -32601, method);
      for (const other of [method.toLowerCase(), ` ${method}`, `${method}s`, `a2a.v1.A2AService/${method}`]) {
        await refused(rpcBody(other, {}), -32601, 1);
      }
    }
  });

  it("[env-unknown-method] is -32601, whatever name it has (W25)", async () => {
    for (const name of [
      "",
      "x",
      "constructor",
      "__proto__",
      "toString",
      "hasOwnProperty",
      "\u0000",
      "x".repeat(9999),
    ]) {
      await refused(rpcBody(name, textParams("a")), -32601, 1);
    }
  });

  it("[env-parse-error] is -32700 when it is no JSON (W04)", async () => {
    for (const body of ["", " ", "{", '{"jsonrpc":"2.0","id":1,', "nope", "{'a':1}", "[1,]", "\ufeff", "NaN"]) {
      await refused(body, -32700);
    }
  });

  it("[env-invalid-request] is -32600 when it is no request object", async () => {
    for (const body of ["null", "true", "1", '"x"', "[]", "{}"]) await refused(body, -32600);
    for (const method of ["null", "1", "{}", "[]", "true"]) {
      await refused(`{"jsonrpc":"2.0","id":1,"method":${method}}`, -32600, 1);
    }
    await refused('{"jsonrpc":"2.0","id":1}', -32600, 1);
  });

  it("[env-jsonrpc-version] is -32600 without the version marker, under its id", async () => {
    const params = JSON.stringify(textParams("hello"));
    for (const marker of ["", '"jsonrpc":"1.0",', '"jsonrpc":2.0,', '"jsonrpc":null,', '"jsonRpc":"2.0",']) {
      await refused(`{${marker}"id":"a","method":"SendMessage","params":${params}}`, -32600, "a");
    }
  });

  it("[env-id-echo] is -32600 with an id that is no id", async () => {
    for (const id of ["{}", "[1]", "true", "1e400", "9007199254740993", `"${"x".repeat(2000)}"`]) {
      await refused(`{"jsonrpc":"2.0","id":${id},"method":"GetTask","params":{"id":"x"}}`, -32600);
    }
  });

  it("[env-batch] is one -32600 when it is a batch (W19)", async () => {
    const one = rpcBody("SendMessage", textParams("hello"));
    for (const body of [`[${one}]`, `[${one},${one}]`]) await refused(body, -32600);
  });

  it("[env-notification] runs nothing and is answered by 204 without an id (W19)", async () => {
    for (const method of ["SendMessage", "SendStreamingMessage", "CancelTask", "Nope"]) {
      const reply = await post(server.port, JSON.stringify({ jsonrpc: "2.0", method, params: textParams("hello") }));
      assert.equal(reply.status, 204, method);
      assert.equal(reply.text, "");
    }
  });

  it("[env-invalid-params] is -32602 when its params are missing or no object (W25)", async () => {
    const methods = ["SendMessage", "SendStreamingMessage", "GetTask", "CancelTask", "SubscribeToTask"];
    for (const method of methods) {
      for (const params of ["", ',"params":null', ',"params":[]', ',"params":"x"', ',"params":1', ',"params":{}']) {
        await refused(`{"jsonrpc":"2.0","id":1,"method":"${method}"${params}}`, -32602, 1);
      }
    }
  });

  it("[env-error-200] is told with HTTP 200", async () => {
    await refused("{", -32700);
    await refused("[]", -32600);
    await refused(rpcBody("Nope"), -32601, 1);
    await refused(rpcBody("GetTask", {}), -32602, 1);
    await refused(rpcBody("GetTask", { id: "none" }), -32001, 1);
    const version = await call(server.port, "GetTask", { id: "x" }, { headers: { "A2A-Version": "7.0" } });
    assert.equal(version.status, 200);
    assert.equal(errorOf(version).code, -32009);
  });

  it("[env-content-type-refused] is -32005 in another content type, charset or encoding", async () => {
    const body = rpcBody("SendMessage", textParams("hello"));
    const cases = [
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/jsonp" },
      { "Content-Type": "application/json; charset=latin1" },
      { "Content-Encoding": "gzip" },
    ];
    for (const headers of cases) {
      const reply = await post(server.port, body, { headers });
      assert.equal(reply.status, 200);
      const error = errorOf(reply);
      assert.equal(error.code, -32005, JSON.stringify(headers));
      assert.equal(error.data[0]?.reason, "CONTENT_TYPE_NOT_SUPPORTED");
    }
    const plain = await post(server.port, "this is no JSON at all", { headers: { "Content-Type": "text/plain" } });
    assert.equal(errorOf(plain).code, -32005);
  });
});

describe("a fault inside the server", () => {
  it("[env-internal] is -32603 and shows nothing of itself", async () => {
    const server = await startTestServer({ engineLimits: {} });
    server.engine.get = () => {
      throw new TypeError("secret at /home/somebody/file.ts");
    };
    const reply = await call(server.port, "GetTask", { id: "x" });
    assert.equal(reply.status, 200);
    assert.equal(errorOf(reply).code, -32603);
    assert.doesNotMatch(reply.text, /secret|home|\.ts|TypeError|stack/);
    assert.match(server.log.lines()[0]?.text ?? "", /secret at/);
    await server.stop();
  });
});
