// Webhooks as callers make, read and delete them over HTTP, and webhooks that come with messages.

import assert from "node:assert/strict";
import { type CallReply, call, get, openStream, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { userMessage } from "../support/builders.ts";

const URL = "https://hooks.example.com/a2a";
const AUTHENTICATION = { scheme: "Bearer", credentials: "s3cret" };
const METHODS = ["Create", "Get", "Delete"].map((verb) => `${verb}TaskPushNotificationConfig`);

/** A config as it comes back. */
interface WireConfig {
  readonly taskId: string;
  readonly id: string;
  readonly url: string;
  readonly token?: string;
  readonly authentication?: object;
}

describe("push configs", () => {
  let server: TestServer;
  const restart = async (options: Parameters<typeof startTestServer>[0]): Promise<void> => {
    await server.stop();
    server = await startTestServer(options);
  };
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  const result = <T>({ json }: CallReply): T => {
    assert.equal(json.error, undefined, JSON.stringify(json.error));
    return json.result as unknown as T;
  };
  const create = async (params: object): Promise<WireConfig> =>
    result(await call(server.port, "CreateTaskPushNotificationConfig", params));
  const read = async (taskId: string, id: string): Promise<WireConfig> =>
    result(await call(server.port, "GetTaskPushNotificationConfig", { taskId, id }));
  const list = async (params: object): Promise<{ configs: WireConfig[]; nextPageToken?: string }> =>
    result(await call(server.port, "ListTaskPushNotificationConfigs", params));
  const errorCode = async (method: string, params: object): Promise<number | undefined> =>
    (await call(server.port, method, params)).json.error?.code;
  const endedTask = async (): Promise<string> => {
    const sent = call(server.port, "SendMessage", textParams("work"));
    (await server.runner.next()).complete();
    return (await sent).json.result?.task?.id ?? "";
  };

  it("are made, read, listed and deleted, also on a task that has ended [push-create] [push-get] [push-list] [push-ended-task]", async () => {
    const taskId = await endedTask();
    const made = await create({ taskId, url: URL, token: "opaque", id: "mine", tenant: "", kind: "unknown" });
    assert.deepEqual(made, { taskId, id: "mine", url: URL, token: "opaque" });
    assert.deepEqual(await read(taskId, "mine"), made);
    assert.deepEqual(await list({ taskId }), { configs: [made] });
  });

  it("get an id when they have none, and are read in snake_case [push-id-assigned]", async () => {
    const taskId = await endedTask();
    const { id, ...rest } = await create({ task_id: taskId, id: "", url: URL });
    assert.match(id, /^push-[0-9a-f]{16}$/);
    assert.deepEqual(rest, { taskId, url: URL });
    assert.deepEqual((await list({ task_id: taskId })).configs, [{ id, ...rest }]);
  });

  it("never give credentials back (P04) [push-no-credentials]", async () => {
    const taskId = await endedTask();
    const params = { taskId, id: "a", url: URL, authentication: AUTHENTICATION };
    const replies = [
      await call(server.port, "CreateTaskPushNotificationConfig", params),
      await call(server.port, "GetTaskPushNotificationConfig", params),
      await call(server.port, "ListTaskPushNotificationConfigs", params),
    ];
    for (const { text } of replies) {
      assert.match(text, /"authentication":\{"scheme":"Bearer"\}/);
      assert.doesNotMatch(text, /s3cret|credentials/);
    }
  });

  it("are gone when deleted, and deleting them again succeeds (W22) [push-delete] [push-delete-again]", async () => {
    const taskId = await endedTask();
    await create({ taskId, id: "a", url: URL });
    for (let round = 0; round < 2; round++) {
      const reply = await call(server.port, "DeleteTaskPushNotificationConfig", { taskId, id: "a" });
      assert.deepEqual(reply.json, { jsonrpc: "2.0", id: 1, result: {} });
      assert.deepEqual(await list({ taskId }), { configs: [] });
    }
  });

  it("that do not exist are not found (W22) [push-get-unknown]", async () => {
    const taskId = await endedTask();
    assert.equal(await errorCode("GetTaskPushNotificationConfig", { taskId, id: "nope" }), -32001);
  });

  it("replace the one of the same id on the same task, and leave other tasks alone [push-id-replaces] [push-id-per-task]", async () => {
    const [one, two] = [await endedTask(), await endedTask()];
    await create({ taskId: one, id: "same", url: URL });
    await create({ taskId: two, id: "same", url: `${URL}/two` });
    await create({ taskId: one, id: "same", url: `${URL}/new` });
    assert.deepEqual(
      (await list({ taskId: one })).configs.map(({ url }) => url),
      [`${URL}/new`],
    );
    assert.equal((await read(two, "same")).url, `${URL}/two`);
  });

  it("are ten at most for a task [push-cap]", async () => {
    const taskId = await endedTask();
    for (let n = 0; n < 10; n++) await create({ taskId, id: `c${n}`, url: URL });
    const { error } = (await call(server.port, "CreateTaskPushNotificationConfig", { taskId, url: URL })).json;
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? "", /has 10 push configs/);
    await create({ taskId, id: "c3", url: `${URL}/again` });
    await call(server.port, "DeleteTaskPushNotificationConfig", { taskId, id: "c4" });
    await create({ taskId, url: URL });
  });

  it("come in pages when a page size is asked for", async () => {
    const taskId = await endedTask();
    for (const id of ["b", "d", "a", "c"]) await create({ taskId, id, url: URL });
    const first = await list({ taskId, page_size: 3 });
    assert.deepEqual(
      first.configs.map(({ id }) => id),
      ["a", "b", "c"],
    );
    const params = { taskId, pageSize: 3, pageToken: first.nextPageToken };
    await call(server.port, "DeleteTaskPushNotificationConfig", { taskId, id: "b" });
    const { configs, nextPageToken } = await list(params);
    assert.deepEqual(
      configs.map(({ id }) => id),
      ["d"],
    );
    assert.equal(nextPageToken, undefined);
    assert.equal((await list({ taskId, pageSize: 0 })).configs.length, 3);
    for (const pageToken of ["nonsense!", "YQ"]) {
      assert.equal(await errorCode("ListTaskPushNotificationConfigs", { taskId, pageToken }), -32602, pageToken);
    }
  });

  it("of unknown and of foreign tasks are not found by any method (P04) [push-task-unknown]", async () => {
    const foreign = await server.engine.submit({
      caller: { key: "peer:other", name: "other" },
      message: userMessage(),
      detached: true,
      push: { id: "a", url: URL, authentication: AUTHENTICATION },
    });
    (await server.runner.next()).complete();
    for (const taskId of ["task-0000000000000bad", foreign.taskId]) {
      for (const method of [...METHODS, "ListTaskPushNotificationConfigs"]) {
        assert.equal(await errorCode(method, { taskId, id: "a", url: "http://10.0.0.1/" }), -32001, method);
      }
    }
  });

  it("that lead to addresses which are not public, or to plain http, are refused with the reason (P04) [push-target-literal]", async () => {
    const taskId = await endedTask();
    const cases: [url: string, says: RegExp][] = [
      ["http://hooks.example.com/", /plain http.*pushAllowInsecure/],
      ["https://127.0.0.1/", /loopback.*pushAllowInsecure/],
      ["https://localhost:8443/x", /loopback/],
      ["https://[::1]/", /loopback/],
      ["https://2130706433/", /loopback/],
      ["https://10.1.2.3/", /private.*A2A_PUSH_ALLOW_INSECURE/],
      ["https://[::ffff:192.168.0.1]/", /private/],
      ["https://169.254.169.254/latest", /link-local/],
      ["https://me:pw@hooks.example.com/", /user and password/],
      ["ftp://hooks.example.com/", /https URL/],
      ["hooks.example.com", /https URL/],
    ];
    for (const [url, says] of cases) {
      const { error } = (await call(server.port, "CreateTaskPushNotificationConfig", { taskId, url })).json;
      assert.equal(error?.code, -32602, url);
      assert.match(error?.message ?? "", says, url);
      assert.deepEqual(
        error?.data[1]?.fieldViolations?.map(({ field }) => field),
        ["url"],
      );
    }
    assert.deepEqual(await list({ taskId }), { configs: [] });
  });

  it("may be plain http and private where the operator allows it, and never link-local [push-allow-insecure]", async () => {
    await restart({ push: {} });
    const taskId = await endedTask();
    for (const url of ["http://127.0.0.1:1/", "https://10.1.2.3/", "http://localhost/"]) await create({ taskId, url });
    const linkLocal = { taskId, url: "http://169.254.169.254/" };
    assert.equal(await errorCode("CreateTaskPushNotificationConfig", linkLocal), -32602);
  });

  it("are made without a look-up of their names [push-target-unresolved]", async () => {
    const lookups: string[] = [];
    await restart({ push: { allowInsecure: false, resolve: (host) => void lookups.push(host) } });
    const taskId = await endedTask();
    await create({ taskId, url: "https://example.com/tck-push-webhook" });
    assert.deepEqual(lookups, []);
  });

  it("are refused by the field that is wrong", async () => {
    const taskId = await endedTask();
    const cases: [params: object, field: string][] = [
      [{ url: URL }, "taskId"],
      [{ taskId }, "url"],
      [{ taskId, url: 1 }, "url"],
      [{ taskId, url: `https://a/${"x".repeat(8192)}` }, "url"],
      [{ taskId, url: URL, id: {} }, "id"],
      [{ taskId, url: URL, token: "a\r\nX-Evil: 1" }, "token"],
      [{ taskId, url: URL, authentication: "Bearer x" }, "authentication"],
      [{ taskId, url: URL, authentication: { scheme: "Bearer x" } }, "authentication.scheme"],
      [{ taskId, url: URL, authentication: { scheme: "Bearer", credentials: "ключ" } }, "authentication.credentials"],
    ];
    for (const [params, field] of cases) {
      const { error } = (await call(server.port, "CreateTaskPushNotificationConfig", params)).json;
      assert.equal(error?.code, -32602, field);
      assert.deepEqual(
        error?.data[1]?.fieldViolations?.map((violation) => violation.field),
        [field],
      );
    }
  });

  it("that come with a message belong to its task, waiting for it or not, streaming or not (P03) [push-inline]", async () => {
    const configuration = { taskPushNotificationConfig: { id: "mine", url: URL, taskId: "ignored" } };
    const sent = call(server.port, "SendMessage", textParams("a", {}, { ...configuration, returnImmediately: true }));
    const run = await server.runner.next();
    run.working();
    const detached = (await sent).json.result?.task?.id ?? "";
    assert.deepEqual(await read(detached, "mine"), { taskId: detached, id: "mine", url: URL });

    const asked = call(server.port, "SendMessage", textParams("a", {}, configuration));
    (await server.runner.next()).ask("which?");
    const asking = (await asked).json.result?.task?.id ?? "";
    assert.equal((await read(asking, "mine")).url, URL);

    const answer = { taskPushNotificationConfig: { id: "second", url: URL } };
    const answered = call(server.port, "SendMessage", textParams("b", { taskId: asking }, answer));
    (await server.runner.next()).complete();
    await answered;
    assert.deepEqual(
      (await list({ taskId: asking })).configs.map(({ id }) => id),
      ["mine", "second"],
    );

    const stream = await openStream(server.port, "SendStreamingMessage", textParams("a", {}, configuration));
    const streamed = await server.runner.next();
    streamed.working();
    const first = await stream.event(1);
    assert.equal((await read(first.result?.task?.id ?? "", "mine")).url, URL);
    streamed.complete();
    run.complete();
    await stream.ended;
  });

  it("that come with a message and are bad start nothing [push-inline-bad]", async () => {
    for (const [config, field] of [
      [{ url: "http://10.0.0.1/" }, "configuration.taskPushNotificationConfig.url"],
      [{}, "configuration.taskPushNotificationConfig.url"],
      [{ url: URL, token: " x" }, "configuration.taskPushNotificationConfig.token"],
    ] as const) {
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const params = textParams("a", {}, { taskPushNotificationConfig: config });
        const { error } = (await call(server.port, method, params)).json;
        assert.equal(error?.code, -32602);
        assert.deepEqual(
          error?.data[1]?.fieldViolations?.map((violation) => violation.field),
          [field],
        );
      }
    }
    assert.equal(server.engine.stats().tasks, 0);
  });

  it("are not offered by a server without them, and not silently forgotten (P03, W22, W23) [push-not-offered] [push-inline-not-offered]", async () => {
    await restart({ features: { push: false } });
    const card = JSON.parse((await get(server.port, "/.well-known/agent-card.json")).text);
    assert.equal(card.capabilities.pushNotifications, false);
    for (const method of [...METHODS, "ListTaskPushNotificationConfigs"]) {
      assert.equal(await errorCode(method, { taskId: "T1", id: "nope" }), -32003, method);
      assert.equal(await errorCode(method, {}), -32003, method);
    }
    const params = textParams("a", {}, { taskPushNotificationConfig: { url: URL } });
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      assert.equal(await errorCode(method, params), -32003, method);
    }
    assert.equal(server.engine.stats().tasks, 0);
  });

  it("are offered by the card (W23)", async () => {
    const card = JSON.parse((await get(server.port, "/.well-known/agent-card.json")).text);
    assert.equal(card.capabilities.pushNotifications, true);
  });
});
