// Which dialect the slash names speak, and the card that clients of both versions can read.

import assert from "node:assert/strict";
import type { CardFacts } from "../../src/inbound/server-types.ts";
import { call, get, textParams } from "../support/a2a-calls.ts";
import { CARD_FACTS, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { type Loose, oldCall, piParams, V03, v03Params } from "../support/old-calls.ts";
import { workingTask } from "./stage.ts";
import { shapeFaults } from "./wire-shape.ts";

describe("the dialect of a slash name", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engineLimits: { maxConcurrent: 100 } });
  });
  afterEach(() => server.stop());

  /** A detached task at work. */
  const made = async (params: object, headers: Record<string, string> = {}): Promise<Loose> => {
    const sent = oldCall(server.port, "message/send", params, { headers });
    (await server.runner.next()).working();
    return (await sent).result;
  };
  const dialectOf = (task: Loose): string => {
    if (task.kind === "task" && /^[a-z-]+$/.test(task.status.state)) return "0.3";
    assert.deepEqual(shapeFaults("Task", task), []);
    return "pi";
  };
  const detached = { returnImmediately: true };
  const get03 = async (id: string, headers: Record<string, string> = {}): Promise<string> =>
    dialectOf((await oldCall(server.port, "tasks/get", { id }, { headers })).result);

  it("[ver-legacy-wire] is 0.3 with the header, or when role or parts are spelled so (W01, W20)", async () => {
    const plain = { role: "ROLE_USER", parts: [{ text: "hello" }] };
    const spelled = [
      { ...plain, kind: "message", role: "user", parts: [{ kind: "text", text: "x" }] },
      { ...plain, role: "user" },
      { ...plain, parts: [{ kind: "text", text: "x" }] },
      { ...plain, parts: [{ type: "text", text: "x" }] },
    ];
    for (const [nth, message] of spelled.entries()) {
      for (const version of ["", "1.0", "0.3"]) {
        const params = { message: { ...message, messageId: `${nth} ${version}` }, configuration: detached };
        assert.equal(dialectOf(await made(params, { "A2A-Version": version })), "0.3", JSON.stringify(params));
      }
    }
    assert.equal(dialectOf(await made(piParams("hello", { messageId: "d" }, detached), V03)), "0.3");
  });

  it("[ver-legacy-wire] is the older pi-a2a shape otherwise: the bare task of 1.0, also without a messageId", async () => {
    for (const version of ["", "1.0", "1.0.3"]) {
      const task = await made(piParams("hello", {}, detached), { "A2A-Version": version });
      assert.equal(dialectOf(task), "pi");
      assert.match(task.history[0].messageId, /^.+$/);
    }
    const without = await oldCall(server.port, "message/send", piParams("hello"), { headers: V03 });
    assert.equal(without.error.code, -32602, "0.3 requires the id");
  });

  it("[ver-legacy-memory] is that of the task for calls that carry no message", async () => {
    const old = await made(v03Params("hello", {}, detached));
    const pi = await made(piParams("hello", {}, detached));
    const { task: modern } = await workingTask(server);
    for (const version of ["", "1.0"]) {
      const headers = { "A2A-Version": version };
      assert.equal(await get03(old.id, headers), "0.3");
      assert.equal(await get03(pi.id, headers), "pi");
      assert.equal(await get03(modern.id, headers), "pi");
    }
    for (const { id } of [old, pi, modern]) assert.equal(await get03(id, V03), "0.3");
    const canceled = await oldCall(server.port, "tasks/cancel", { id: old.id });
    assert.deepEqual([canceled.result.kind, canceled.result.status.state], ["task", "canceled"]);
    assert.equal(
      (await oldCall(server.port, "tasks/cancel", { id: pi.id })).result.status.state,
      "TASK_STATE_CANCELED",
    );
  });

  it("[ver-legacy-memory] is never shown by the names of 1.0", async () => {
    const { id } = await made(v03Params("hello", {}, detached));
    const { json } = await call(server.port, "GetTask", { id });
    assert.deepEqual(shapeFaults("Task", json.result), []);
  });

  it("[ver-legacy-spelling] is of no matter for what is read: 0.3 under a name of 1.0 is answered in 1.0 (W20)", async () => {
    for (const parts of [
      [{ kind: "text", text: "x" }],
      [{ type: "text", text: "x" }],
      [{ kind: "file", file: { bytes: "QQ==", mimeType: "text/plain" } }],
      [{ kind: "file", file: { fileWithUri: "https://example.com/a" } }],
    ]) {
      const params = v03Params("", { parts }, { blocking: false });
      const sent = call(server.port, "SendMessage", params);
      const run = await server.runner.next();
      run.working();
      const { json } = await sent;
      assert.deepEqual(shapeFaults("SendResult", json.result), []);
      const [part] = run.request.message.parts;
      assert.ok(part !== undefined && ("text" in part || "raw" in part || "url" in part), JSON.stringify(parts));
    }
  });

  it("[ver-pascal-in-0-3] is not spoken by the names of 1.0, which 0.3 does not know", async () => {
    const reply = await call(server.port, "SendMessage", textParams("hello"), { headers: V03 });
    assert.equal(reply.json.error?.code, -32601);
    assert.equal(server.runner.runs.length, 0);
  });
});

describe("the hybrid card", () => {
  const PATH = "/.well-known/agent-card.json";
  const OLD_PATH = "/.well-known/agent.json";
  const SESSION = { cwd: "/work", pid: 7, tools: ["bash"] };
  let facts: CardFacts;
  let server: TestServer;
  const start = async (legacy = true): Promise<void> => {
    facts = { ...CARD_FACTS, session: SESSION };
    server = await startTestServer({ legacy, cardFacts: () => facts });
  };
  afterEach(() => server.stop());
  const card = async (path: string, version?: string): Promise<Loose> =>
    (await get(server.port, path, { headers: version === undefined ? {} : { "A2A-Version": version } })).json;

  it("[card-hybrid] has the fields of 0.3 beside those of 1.0, and the same address in both versions (C06)", async () => {
    await start();
    for (const value of [await card(PATH), await card(PATH, "0.3"), await card(PATH, "0.3.0"), await card(OLD_PATH)]) {
      const url = `${server.origin}/`;
      assert.deepEqual([value.url, value.preferredTransport, value.protocolVersion], [url, "JSONRPC", "0.3.0"]);
      assert.deepEqual(value.additionalInterfaces, [{ url, transport: "JSONRPC" }]);
      assert.deepEqual(value.supportedInterfaces, [
        { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
        { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ]);
      assert.equal(value.supportsAuthenticatedExtendedCard, false);
      assert.deepEqual(value.metadata, SESSION);
    }
  });

  it("[card-hybrid] [card-closed] is the pure card of 1.0 for those who ask for it", async () => {
    await start();
    for (const version of ["1.0", "1.0.3", "7.0"]) {
      assert.deepEqual(shapeFaults("AgentCard", await card(PATH, version)), []);
    }
  });

  it("[card-hybrid] is not there without the older dialects", async () => {
    await start(false);
    for (const path of [PATH, OLD_PATH]) {
      for (const version of [undefined, "0.3", "1.0"]) {
        assert.deepEqual(shapeFaults("AgentCard", await card(path, version)), []);
      }
    }
  });

  it("[card-hybrid] keeps the details of the session from whoever may not read them", async () => {
    await start();
    const { text } = await get(server.port, PATH, { headers: { "X-Forwarded-For": "203.0.113.9" } });
    assert.ok(!text.includes("/work") && JSON.parse(text).metadata === undefined);
  });

  it("[card-vary] has an ETag of its own", async () => {
    await start();
    const [pure, hybrid] = await Promise.all([
      get(server.port, PATH, { headers: { "A2A-Version": "1.0" } }),
      get(server.port, PATH),
    ]);
    assert.notEqual(pure.headers.etag, hybrid.headers.etag);
    assert.equal(hybrid.headers.vary, "A2A-Version, Authorization");
    const crossed = await get(server.port, PATH, { headers: { "If-None-Match": String(pure.headers.etag) } });
    assert.equal(crossed.status, 200);
  });
});
