// The official JavaScript SDK 1.3.0 lists tasks: its filters reach the server, and it reads what comes back.

import assert from "node:assert/strict";
import { ListTasksRequest, SendMessageRequest, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory } from "@a2a-js/sdk/client";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { interopRow } from "../support/interop-table.ts";

describe("@a2a-js/sdk lists tasks of our server", () => {
  const covers = interopRow("@a2a-js/sdk 1.3.0", "it calls us");
  let server: TestServer;
  let client: Client;
  beforeEach(async () => {
    server = await startTestServer();
    client = await new ClientFactory().createFromUrl(server.origin);
  });
  afterEach(() => server.stop());

  const finish = async (messageId: string): Promise<void> => {
    const message = { messageId, role: "ROLE_USER", contextId: "ctx-sdk", parts: [{ text: "hello" }] };
    const sent = client.sendMessage(SendMessageRequest.fromJSON({ message }));
    const run = await server.runner.next();
    run.working();
    run.text("done");
    run.complete();
    await sent;
    server.clock.tick(1000);
  };
  const list = (fields: object = {}) => client.listTasks(ListTasksRequest.fromJSON(fields));

  it("page by page", async () => {
    covers("list");
    for (const id of ["a", "b", "c"]) await finish(id);
    const first = await list({ pageSize: 2 });
    assert.deepEqual([first.tasks.length, first.totalSize, first.pageSize], [2, 3, 2]);
    const rest = await list({ pageSize: 2, pageToken: first.nextPageToken });
    assert.equal(rest.tasks.length, 1);
    assert.equal(rest.nextPageToken, "");
    const ids = [...first.tasks, ...rest.tasks].map(({ id }) => id);
    assert.equal(new Set(ids).size, 3);
  });

  it("by context, state and time, with and without artifacts", async () => {
    covers("list");
    await finish("a");
    const all = { contextId: "ctx-sdk", status: "TASK_STATE_COMPLETED", statusTimestampAfter: "2026-01-01T00:00:00Z" };
    const [task] = (await list(all)).tasks;
    assert.equal(task?.status?.state, TaskState.TASK_STATE_COMPLETED);
    assert.deepEqual(task?.artifacts, []);
    const [whole] = (await list({ ...all, includeArtifacts: true })).tasks;
    assert.equal(whole?.artifacts.length, 1);
    assert.equal((await list({ status: "TASK_STATE_WORKING" })).totalSize, 0);
    await assert.rejects(list({ pageSize: 1000 }), /pageSize/);
  });
});
