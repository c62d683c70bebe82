// The error object on the wire, and the code for each way to fail.

import assert from "node:assert/strict";
import { type CallReply, call, post, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { errorOf, sendTo } from "./stage.ts";

const TYPE = "type.googleapis.com/google.rpc.";

/** The codes of the specification with their reasons, as they must stand on the wire. */
const REASONS: Readonly<Record<number, string>> = {
  [-32001]: "TASK_NOT_FOUND",
  [-32002]: "TASK_NOT_CANCELABLE",
  [-32003]: "PUSH_NOTIFICATION_NOT_SUPPORTED",
  [-32004]: "UNSUPPORTED_OPERATION",
  [-32005]: "CONTENT_TYPE_NOT_SUPPORTED",
  [-32007]: "EXTENDED_AGENT_CARD_NOT_CONFIGURED",
  [-32008]: "EXTENSION_SUPPORT_REQUIRED",
  [-32009]: "VERSION_NOT_SUPPORTED",
};

describe("an error", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({
      features: { push: false, extendedCard: true, requiredExtension: "urn:test:needed" },
    });
  });
  afterEach(() => server.stop());

  const withExtension = { headers: { "A2A-Extensions": "urn:test:needed" } };
  /** One reply for each code of the specification that this server can give. */
  const oneOfEach = async (): Promise<Map<number, CallReply>> => {
    const sent = call(server.port, "SendMessage", textParams("a"), withExtension);
    const run = await server.runner.next();
    run.complete();
    const id = (await sent).json.result?.task?.id ?? "";
    return new Map([
      [-32001, await call(server.port, "GetTask", { id: "none" })],
      [-32002, await call(server.port, "CancelTask", { id })],
      [-32003, await call(server.port, "ListTaskPushNotificationConfigs", { taskId: id })],
      [-32004, await call(server.port, "SubscribeToTask", { id })],
      [-32005, await post(server.port, "x", { headers: { "Content-Type": "text/plain" } })],
      [-32007, await call(server.port, "GetExtendedAgentCard")],
      [-32008, await call(server.port, "SendMessage", textParams("a"))],
      [-32009, await call(server.port, "GetTask", { id }, { headers: { "A2A-Version": "9.9" } })],
    ]);
  };

  it("[err-reasons] [err-info] has ErrorInfo with the reason of its code first", async () => {
    for (const [code, reply] of await oneOfEach()) {
      assert.equal(errorOf(reply).code, code, reply.text);
      const [info] = JSON.parse(reply.text).error.data;
      assert.equal(info["@type"], `${TYPE}ErrorInfo`);
      assert.equal(info.reason, REASONS[code]);
      assert.equal(info.domain, "a2a-protocol.org");
      const metadata: unknown[] = Object.values(info.metadata ?? {});
      assert.ok(metadata.every((value) => typeof value === "string"));
    }
  });

  it("[err-object] [err-data-types] has code, message and a list of typed details, and nothing else", async () => {
    const replies = [
      ...(await oneOfEach()).values(),
      await post(server.port, "{"),
      await post(server.port, "[]"),
      await call(server.port, "Nope"),
      await call(server.port, "GetTask", {}),
    ];
    for (const { text } of replies) {
      const reply = JSON.parse(text);
      assert.deepEqual(Object.keys(reply), ["jsonrpc", "id", "error"]);
      assert.deepEqual(Object.keys(reply.error), ["code", "message", "data"]);
      assert.equal(typeof reply.error.message, "string");
      assert.notEqual(reply.error.message, "");
      assert.ok(reply.error.data.length > 0);
      for (const detail of reply.error.data) assert.match(detail["@type"], /^type\.googleapis\.com\/google\.rpc\.\w+$/);
    }
  });

  it("[err-bad-request] names the bad field by its path", async () => {
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }, { raw: 7 }] };
    const { text } = await call(server.port, "SendMessage", { message }, withExtension);
    const { code, data } = JSON.parse(text).error;
    assert.equal(code, -32602);
    assert.equal(data.length, 2);
    assert.equal(data[0].reason, "INVALID_PARAMS");
    assert.equal(data[1]["@type"], `${TYPE}BadRequest`);
    assert.deepEqual(Object.keys(data[1]), ["@type", "fieldViolations"]);
    assert.equal(data[1].fieldViolations.length, 1);
    assert.equal(data[1].fieldViolations[0].field, "message.parts[1].raw");
    assert.match(data[1].fieldViolations[0].description, /string/);
    assert.deepEqual(Object.keys(data[1].fieldViolations[0]), ["field", "description"]);
  });
});

describe("an error of our own", () => {
  it("[err-own-codes] stays outside the codes of the specification", async () => {
    const server = await startTestServer({ engineLimits: { maxConcurrent: 0 } });
    const busy = await sendTo(server);
    assert.equal(busy.status, 503);
    assert.equal(errorOf(busy).code, -32053);
    const foreign = await call(server.port, "GetTask", { id: "x" }, { headers: { Host: "evil.example" } });
    assert.equal(foreign.status, 403);
    assert.equal(errorOf(foreign).code, -32052);
    await server.stop();
  });

  it("[env-http-errors] is a JSON-RPC error whatever its HTTP status", async () => {
    const server = await startTestServer({ engineLimits: { maxConcurrent: 0 } });
    const replies: [number, CallReply][] = [
      [503, await sendTo(server)],
      [403, await call(server.port, "GetTask", { id: "x" }, { headers: { Host: "evil.example" } })],
      [403, await call(server.port, "GetTask", { id: "x" }, { headers: { Origin: "https://evil.example" } })],
      [413, await post(server.port, "", { headers: { "Content-Length": "99999999" } })],
    ];
    for (const [status, reply] of replies) {
      assert.equal(reply.status, status);
      assert.equal(reply.headers["content-type"], "application/json");
      assert.equal(reply.json.jsonrpc, "2.0");
      assert.ok(errorOf(reply).code < 0);
    }
    await server.stop();
  });
});
