// Real A2A 0.3 over real sockets, as clients spell it that are no SDK: what blocks, what a stream ends with, how errors of streams are
// told, and what is read besides the spelling of the specification.

import assert from "node:assert/strict";
import { call, openStream } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { startHttpPeer } from "../support/http-peer.ts";
import { type Loose, oldCall, oldFrames, piParams, V03, v03Params } from "../support/old-calls.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

describe("clients of A2A 0.3", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ push: {} });
  });
  afterEach(() => server.stop());

  const send = (params: object, method = "message/send"): Promise<Loose> => oldCall(server.port, method, params);
  const working = async (): Promise<{ task: Loose; run: RunHandle }> => {
    const sent = send(v03Params("work", {}, { blocking: false }));
    const run = await server.runner.next();
    run.working();
    return { task: (await sent).result, run };
  };

  const CONFIGURATIONS: [configuration: object | undefined, blocks: boolean][] = [
    [undefined, true],
    [{}, true],
    [{ blocking: true }, true],
    [{ blocking: null, acceptedOutputModes: ["text"] }, true],
    [{ blocking: false }, false],
    [{ returnImmediately: true }, false],
    [{ returnImmediately: false, blocking: false }, true],
  ];
  for (const [configuration, blocks] of CONFIGURATIONS) {
    it(`wait for the end with ${JSON.stringify(configuration)}: ${blocks}`, async () => {
      const sent = send(v03Params("hello", {}, configuration));
      const run = await server.runner.next();
      run.working();
      if (blocks) run.complete();
      assert.equal((await sent).result.status.state, blocks ? "completed" : "working");
      run.complete();
    });
  }

  it("are refused with the field that is wrong", async () => {
    const wrong: [params: object, field: string][] = [
      [v03Params("a", { messageId: "" }), "message.messageId"],
      [v03Params("a", { role: "agent" }), "message.role"],
      [v03Params("a", { parts: [] }), "message.parts"],
      [v03Params("a", { parts: [{ kind: "file", file: {} }] }), "message.parts[0]"],
      [v03Params("a", { parts: [{ kind: "file", file: { bytes: "%", uri: "x" } }] }), "message.parts[0]"],
      [v03Params("a", { parts: [{ kind: "nothing" }] }), "message.parts[0]"],
      [v03Params("a", {}, { pushNotificationConfig: {} }), "configuration.taskPushNotificationConfig.url"],
    ];
    for (const [params, field] of wrong) {
      const { error } = await send(params);
      assert.equal(error.code, -32602, field);
      assert.equal(error.data[1].fieldViolations[0].field, field);
    }
    assert.equal(server.engine.stats().tasks, 0);
  });

  it("send snake_case, unknown fields and wrapped data as well (W20, W21)", async () => {
    const parts = [
      { kind: "file", file: { file_with_bytes: "QQ==", mime_type: "text/plain" }, future: 1 },
      { kind: "data", data: { value: [1] }, metadata: { data_part_compat: true, a: 1 } },
      { kind: "data", data: { value: [2] } },
    ];
    const message = { kind: "message", message_id: "m", role: "user", parts, context_id: "ctx-mine", future: {} };
    const sent = oldCall(server.port, "message/send", { message, future: [], configuration: { future: 1 } });
    const run = await server.runner.next();
    const { contextId, parts: read } = run.request.message;
    assert.equal(contextId, "ctx-mine");
    assert.deepEqual(read, [
      { raw: "QQ==", mediaType: "text/plain" },
      { data: [1], metadata: { a: 1 } },
      { data: { value: [2] } },
    ]);
    run.complete();
    assert.equal((await sent).result.status.state, "completed");
  });

  it("hear in a stream that there is none, and the audit hears it, too", async () => {
    const cases: [method: string, params: object, code: number][] = [
      ["message/stream", v03Params("a", { taskId: "none" }), -32001],
      ["message/stream", v03Params("  "), -32602],
      ["tasks/resubscribe", { id: "none" }, -32001],
    ];
    for (const [method, params, code] of cases) {
      const stream = await openStream(server.port, method, params, 7);
      assert.equal(stream.headers["content-type"], "text/event-stream");
      const events = await stream.ended;
      assert.deepEqual(
        events.map(({ id, error }) => [id, error?.code]),
        [[7, code]],
        method,
      );
    }
    const events = server.audit.entries.map(({ event, method }) => [event, method]);
    assert.deepEqual(
      events,
      cases.map(([method]) => ["refused", method]),
    );
  });

  it("hear by HTTP what has a status of its own", async () => {
    const busy = await startTestServer({ engineLimits: { maxConcurrent: 1 } });
    const sent = oldCall(busy.port, "message/send", v03Params("a"));
    const run = await busy.runner.next();
    const refused = await call(busy.port, "message/stream", v03Params("b"));
    assert.deepEqual([refused.status, refused.json.error?.code], [503, -32053]);
    run.complete();
    await sent;
    await busy.stop();
  });

  it("subscribe again until the task ends or asks, which is final", async () => {
    const { task, run } = await working();
    const stream = await openStream(server.port, "tasks/resubscribe", { id: task.id });
    await stream.event(1);
    run.askLogin("log in there");
    await stream.event(2);
    const answered = send(v03Params("done", { taskId: task.id }));
    (await server.runner.next()).ask("which one?");
    await answered;
    const states = (await stream.ended).map(({ result }: Loose) => [result.kind, result.status.state, result.final]);
    assert.deepEqual(states, [
      ["task", "working", undefined],
      ["status-update", "auth-required", false],
      ["status-update", "working", false],
      ["status-update", "input-required", true],
    ]);
  });

  it("speak 0.3 by the header alone, in each call about a task that was made in another dialect", async () => {
    const sent = oldCall(server.port, "message/send", piParams("work", {}, { returnImmediately: true }));
    const run = await server.runner.next();
    run.working();
    const { id } = (await sent).result;
    const old = (method: string, params: object): Promise<Loose> =>
      oldCall(server.port, method, params, { headers: V03 });
    assert.equal((await old("tasks/get", { id })).result.kind, "task");
    const config = { taskId: id, pushNotificationConfig: { url: "https://example.com/", id: "a" } };
    assert.deepEqual((await old("tasks/pushNotificationConfig/set", config)).result, config);
    assert.deepEqual((await old("tasks/pushNotificationConfig/list", { id })).result, [config]);
    const place = { id, pushNotificationConfigId: "a" };
    assert.equal((await old("tasks/pushNotificationConfig/delete", place)).result, null);
    run.complete();
    const frames = await oldFrames(server.port, "tasks/subscribe", { id }, V03);
    assert.deepEqual(
      frames.map(({ kind, status }) => [kind, status.state]),
      [["task", "completed"]],
    );
  });

  it("give webhooks with a list of schemes, of which Bearer is used, and with none", async () => {
    const receiver = await startHttpPeer((_request, response) => void response.writeHead(200).end());
    const { task, run } = await working();
    const set = async (id: string, schemes: string[]): Promise<Loose> => {
      const authentication = { schemes, credentials: "s3cret" };
      const pushNotificationConfig = { id, url: `${receiver.origin}/${id}`, authentication };
      return (await send({ taskId: task.id, pushNotificationConfig }, "tasks/pushNotificationConfig/set")).result;
    };
    assert.deepEqual((await set("two", ["Basic", "bearer"])).pushNotificationConfig.authentication.schemes, ["bearer"]);
    assert.deepEqual((await set("one", ["Basic"])).pushNotificationConfig.authentication.schemes, ["Basic"]);
    assert.equal((await set("none", [])).pushNotificationConfig.authentication, undefined);
    run.complete();
    await receiver.arrived(3);
    const told = new Map(receiver.requests.map(({ path, headers }) => [path, headers.authorization]));
    assert.deepEqual(
      ["/two", "/one", "/none"].map((path) => told.get(path)),
      ["bearer s3cret", "Basic s3cret", undefined],
    );
    await server.stop();
    await receiver.stop();
    server = await startTestServer();
  });

  it("are told of extensions under the older name of the header, too (W26)", async () => {
    const headers = { "X-A2A-Extensions": "urn:pi-a2a:ext:v1, https://example.com/unknown" };
    const reply = await call(server.port, "tasks/get", { id: "none" }, { headers });
    assert.equal(reply.headers["x-a2a-extensions"], "urn:pi-a2a:ext:v1");
    assert.equal(reply.headers["a2a-extensions"], "urn:pi-a2a:ext:v1");
  });

  it("have no extended card where there is none", async () => {
    for (const params of [undefined, {}]) {
      const { error } = await oldCall(server.port, "agent/getAuthenticatedExtendedCard", params);
      assert.equal(error.code, -32004);
    }
  });
});
