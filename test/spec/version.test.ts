// Protocol versions and tenants.

import assert from "node:assert/strict";
import { type CallOptions, type CallReply, call, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { assertNothingStarted, errorOf, taskOf } from "./stage.ts";

const OLD_NAMES = [
  ...["message/send", "message/stream", "tasks/get", "tasks/list", "tasks/cancel", "tasks/resubscribe"],
  ...["tasks/pushNotificationConfig/set", "agent/getAuthenticatedExtendedCard"],
];

describe("a version that is served", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ runner: createAnsweringRunner() });
  });
  afterEach(() => server.stop());

  const served = async (options: CallOptions): Promise<void> => {
    const reply = await call(server.port, "SendMessage", textParams("hello"), options);
    assert.equal(taskOf(reply).status.state, "TASK_STATE_COMPLETED", JSON.stringify(options));
  };

  it("[ver-header] is 1.0 by header", async () => {
    for (const version of ["1.0", " 1.0 ", "\t1.0"]) await served({ headers: { "A2A-Version": version } });
    await served({ headers: { "a2a-VERSION": "1.0" } });
  });

  it("[ver-query] is 1.0 by query", async () => {
    await served({ path: "/?A2A-Version=1.0" });
    await served({ path: "/a2a?x=1&A2A-Version=%201.0" });
  });

  it("[ver-patch-ignored] is 1.0 with any patch (W06)", async () => {
    for (const version of ["1.0.0", "1.0.3", "1.0.99"]) await served({ headers: { "A2A-Version": version } });
  });

  it("[ver-none] is 1.0 with none, and with a blank one (W07)", async () => {
    await served({});
    for (const version of ["", "  "]) await served({ headers: { "A2A-Version": version } });
    await served({ path: "/?A2A-Version=" });
    await served({ headers: { "A2A-Version": "" }, path: "/?A2A-Version=1.0" });
  });
});

describe("a version that is not served", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    assertNothingStarted(server);
    await server.stop();
  });

  const refused = async (code: number, method: string, options: CallOptions): Promise<CallReply> => {
    const reply = await call(server.port, method, textParams("hello"), options);
    assert.equal(reply.status, 200);
    assert.equal(reply.headers["content-type"], "application/json");
    assert.equal(errorOf(reply).code, code, `${method} ${JSON.stringify(options)}`);
    return reply;
  };

  it("[ver-unsupported] [ver-supported-list] is -32009, with those that are (W05)", async () => {
    const versions = [
      "99.0",
      "1",
      "1.1",
      "2.0",
      "0.2",
      "v1.0",
      "1.0-rc1",
      "1,0",
      "1.0, 0.3",
      "latest",
      "x".repeat(999),
    ];
    for (const version of versions) {
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const reply = await refused(-32009, method, { headers: { "A2A-Version": version } });
        const [info] = errorOf(reply).data;
        assert.equal(info?.reason, "VERSION_NOT_SUPPORTED");
        assert.match(JSON.stringify(info?.metadata), /"1\.0/);
      }
    }
    await refused(-32009, "SendMessage", { path: "/?A2A-Version=99.0" });
    await refused(-32009, "SendMessage", { path: "/?A2A-Version=1.0", headers: { "A2A-Version": "99.0" } });
  });

  it("[ver-patch-ignored] is 0.30, which is not 0.3 (W06)", async () => {
    await refused(-32009, "SendMessage", { headers: { "A2A-Version": "0.30" } });
    await refused(-32009, "SendMessage", { headers: { "A2A-Version": "1.00" } });
  });

  it("[ver-before-method] is looked at before the method", async () => {
    await refused(-32009, "Nope", { headers: { "A2A-Version": "99.0" } });
    await refused(-32009, "message/send", { headers: { "A2A-Version": "99.0" } });
  });

  it("[ver-pascal-in-0-3] is 0.3 for the names of 1.0", async () => {
    for (const version of ["0.3", "0.3.0", "0.3.7"]) {
      for (const method of ["SendMessage", "SendStreamingMessage", "GetTask"]) {
        await refused(-32601, method, { headers: { "A2A-Version": version } });
      }
    }
  });
});

describe("a server of A2A 1.0 alone", () => {
  it("[ver-slash-names] knows none of the older names, in any version", async () => {
    const server = await startTestServer({ legacy: false });
    for (const method of OLD_NAMES) {
      for (const version of ["", "0.3", "1.0"]) {
        const reply = await call(server.port, method, textParams("hello"), { headers: { "A2A-Version": version } });
        assert.equal(errorOf(reply).code, -32601, `${method} ${version}`);
      }
    }
    assertNothingStarted(server);
    await server.stop();
  });
});

describe("a tenant", () => {
  it("[tenant-ignored] changes nothing, whatever it says", async () => {
    const server = await startTestServer({ runner: createAnsweringRunner() });
    const sent = await call(server.port, "SendMessage", { ...textParams("hello"), tenant: "a/b ü \u0000" });
    const { id } = taskOf(sent);
    for (const tenant of ["", "other", "../.."]) {
      assert.equal(taskOf(await call(server.port, "GetTask", { id, tenant })).id, id);
      const again = await call(server.port, "CancelTask", { id, tenant });
      assert.equal(errorOf(again).code, -32002);
    }
    await server.stop();
  });
});
