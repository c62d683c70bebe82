// The official JavaScript SDK 1.3.0 as client of our push notifications, and its reading of what webhooks get.

import assert from "node:assert/strict";
import { SendMessageRequest, StreamResponse, type Task, TaskPushNotificationConfig, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory } from "@a2a-js/sdk/client";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { type HttpPeer, startHttpPeer } from "../support/http-peer.ts";
import { interopRow } from "../support/interop-table.ts";

describe("push notifications for @a2a-js/sdk", () => {
  const covers = interopRow("@a2a-js/sdk 1.3.0", "it calls us");
  let server: TestServer;
  let receiver: HttpPeer;
  let client: Client;
  beforeEach(async () => {
    receiver = await startHttpPeer((_request, response) => void response.writeHead(200).end());
    server = await startTestServer({ push: {} });
    client = await new ClientFactory().createFromUrl(server.origin);
  });
  afterEach(async () => {
    await server.stop();
    await receiver.stop();
  });

  const send = (configuration: object): ReturnType<Client["sendMessage"]> =>
    client.sendMessage(
      SendMessageRequest.fromJSON({
        message: { messageId: "sdk-push", role: "ROLE_USER", parts: [{ text: "work" }] },
        configuration,
      }),
    );
  const workingTask = async (configuration: object = {}) => {
    const sent = send({ returnImmediately: true, ...configuration });
    const run = await server.runner.next();
    run.working();
    const task = await sent;
    assert.ok("status" in task);
    return { task: task as Task, run };
  };
  const config = (taskId: string, id: string): TaskPushNotificationConfig =>
    TaskPushNotificationConfig.fromJSON({
      ...{ taskId, id, url: `${receiver.origin}/hook`, token: "opaque" },
      authentication: { scheme: "Bearer", credentials: "s3cret" },
    });

  it("makes, gets, lists and deletes configs", async () => {
    covers("push");
    const { task, run } = await workingTask();
    const made = await client.createTaskPushNotificationConfig(config(task.id, "mine"));
    assert.equal(made.id, "mine");
    assert.equal(made.taskId, task.id);
    assert.equal(made.authentication?.scheme, "Bearer");
    assert.equal(made.authentication?.credentials, "");
    const assigned = await client.createTaskPushNotificationConfig(config(task.id, ""));
    assert.notEqual(assigned.id, "");

    const params = { tenant: "", taskId: task.id, id: "mine" };
    assert.deepEqual(await client.getTaskPushNotificationConfig(params), made);
    const all = { tenant: "", taskId: task.id, pageSize: 0, pageToken: "" };
    const { configs } = await client.listTaskPushNotificationConfig(all);
    assert.deepEqual(configs.map(({ id }) => id).sort(), [assigned.id, "mine"].sort());

    await client.deleteTaskPushNotificationConfig(params);
    await client.deleteTaskPushNotificationConfig(params);
    assert.equal((await client.listTaskPushNotificationConfig(all)).configs.length, 1);
    run.complete();
  });

  it("knows our errors by their code", async () => {
    const { task, run } = await workingTask();
    const missing = { tenant: "", taskId: task.id, id: "nope" };
    await assert.rejects(client.getTaskPushNotificationConfig(missing), { name: /TaskNotFound/ });
    const foreign = config("task-0000000000000bad", "a");
    await assert.rejects(client.createTaskPushNotificationConfig(foreign), { name: /TaskNotFound/ });
    const bad = { ...config(task.id, "a"), url: "http://169.254.169.254/" };
    await assert.rejects(client.createTaskPushNotificationConfig(bad), /link-local/);
    run.complete();
  });

  it("reads every body that a webhook of a message gets", async () => {
    covers("push");
    const { run, task } = await workingTask({ taskPushNotificationConfig: { url: receiver.origin, id: "inline" } });
    run.text("hi there");
    run.metadata({ truncated: true });
    run.complete("done");
    await receiver.arrived(4);
    const frames = receiver.requests.map(({ body }) => StreamResponse.fromJSON(JSON.parse(body)).payload);
    assert.deepEqual(
      frames.map((frame) => frame?.$case),
      ["statusUpdate", "statusUpdate", "artifactUpdate", "statusUpdate"],
    );
    const last = frames.at(-1);
    assert.ok(last?.$case === "statusUpdate");
    assert.equal(last.value.taskId, task.id);
    assert.equal(last.value.status?.state, TaskState.TASK_STATE_COMPLETED);
  });
});
