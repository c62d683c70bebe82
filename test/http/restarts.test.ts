// A server is killed, and the next one starts on its folder, on another port: callers that come back with their ids get the truth.

import assert from "node:assert/strict";
import { call, openStream, rpcBody, textParams, type WireTask } from "../support/a2a-calls.ts";
import { type KeptProcess, startKeptProcess } from "../support/kept-process.ts";
import { openConnection, postText } from "../support/raw-connection.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

describe("a server that was killed", function () {
  // Each start of a process takes seconds on a machine with much else to do.
  this.timeout(60_000);
  let dir: TempDir;
  let server: KeptProcess;
  beforeEach(async () => {
    dir = await createTempDir();
    server = await startKeptProcess(dir.path);
  });
  afterEach(async () => {
    await server.kill();
    await dir.remove();
  });

  const restart = async (): Promise<void> => {
    await server.kill();
    server = await startKeptProcess(dir.path);
    assert.deepEqual(server.problems, []);
  };
  const send = async (text: string, message: object = {}, configuration?: object): Promise<WireTask> => {
    const { json } = await call(server.port, "SendMessage", textParams(text, message, configuration));
    assert.ok(json.result?.task !== undefined, JSON.stringify(json));
    return json.result.task;
  };
  const get = async (id: string): Promise<WireTask> => {
    const { json } = await call(server.port, "GetTask", { id });
    assert.ok(json.result?.status !== undefined, JSON.stringify(json));
    return json.result as WireTask;
  };

  it("answers as before for what had finished, byte for byte, and lists it (S19)", async () => {
    const done = await send("one");
    const more = await send("two", { contextId: done.contextId });
    const { text: before } = await call(server.port, "GetTask", { id: done.id });
    const { text: list } = await call(server.port, "ListTasks", { includeArtifacts: true });
    await restart();
    assert.equal((await call(server.port, "GetTask", { id: done.id })).text, before);
    assert.equal((await call(server.port, "ListTasks", { includeArtifacts: true })).text, list);
    assert.deepEqual(await get(more.id), more);
  });

  it("shows no ghost: what ran is failed, and says why (L11)", async () => {
    const { id } = await send("hang", {}, { returnImmediately: true });
    await restart();
    const task = await get(id);
    assert.equal(task.status.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(task.status.message), /interrupted by the end of the session/);
    assert.deepEqual(task.artifacts?.[0], { ...task.artifacts?.[0], metadata: { partial: true } });
    const { json } = await call(server.port, "CancelTask", { id });
    assert.equal(json.error?.code, -32002);
    assert.equal((await call(server.port, "SubscribeToTask", { id })).json.error?.code, -32004);
  });

  it("takes the answer to its question, also in a stream, and keeps the id (S15)", async () => {
    const asked = await send("ask");
    assert.equal(asked.status.state, "TASK_STATE_INPUT_REQUIRED");
    await restart();
    assert.deepEqual(await get(asked.id), asked);
    const stream = await openStream(
      server.port,
      "SendStreamingMessage",
      textParams("the second", { taskId: asked.id }),
    );
    const last = (await stream.ended).at(-1)?.result?.statusUpdate;
    assert.deepEqual([last?.taskId, last?.status.state], [asked.id, "TASK_STATE_COMPLETED"]);
    await restart();
    assert.equal((await get(asked.id)).history?.length, 3);
  });

  describe("and a message that comes again", () => {
    it("gets the reply that was cut by the crash, and runs nothing (S17, C40) [send-resend-attaches]", async () => {
      const params = textParams("flood");
      const connection = await openConnection(server.port);
      connection.pause();
      connection.send(postText(rpcBody("SendMessage", params)));
      const cut = await onlyTask(server.port);
      await restart();
      const { json } = await call(server.port, "SendMessage", params);
      assert.equal(json.result?.task?.id, cut);
      assert.equal(json.result?.task?.artifacts?.[0]?.parts[0]?.text?.length, 16 * 1024 * 1024);
      assert.equal(await onlyTask(server.port), cut);
      connection.destroy();
    });

    it("is a new one when its reply had arrived [send-same-message-id]", async () => {
      const params = textParams("one");
      const { json } = await call(server.port, "SendMessage", params);
      await send("two");
      await restart();
      const again = await call(server.port, "SendMessage", params);
      assert.notEqual(again.json.result?.task?.id, json.result?.task?.id);
    });
  });

  it("keeps webhooks", async () => {
    const { id: taskId } = await send("ask");
    const config = { taskId, id: "a", url: "https://hooks.example.com/" };
    await call(server.port, "CreateTaskPushNotificationConfig", config);
    await restart();
    const { json } = await call(server.port, "GetTaskPushNotificationConfig", { taskId, id: "a" });
    assert.equal((json.result as unknown as typeof config).url, config.url);
  });

  it("under load has answered for nothing that the next one does not know", async () => {
    const told = new Map<string, string>();
    for (let round = 0; round < 3; round++) {
      const { port } = server;
      let going = true;
      const client = async (): Promise<void> => {
        while (going) {
          const sent = await call(port, "SendMessage", textParams("x".repeat(500))).catch(() => undefined);
          const task = sent?.json.result?.task;
          if (task !== undefined) told.set(task.id, task.status.state);
        }
      };
      const clients = Array.from({ length: 8 }, client);
      while (told.size < (round + 1) * 100) await new Promise((resolve) => setImmediate(resolve));
      await server.kill();
      going = false;
      await Promise.all(clients);
      server = await startKeptProcess(dir.path);
      assert.deepEqual(server.problems, []);
    }
    for (const [id, state] of told) assert.equal((await get(id)).status.state, state);
  });
});

/** The id of the one task there is, once it has completed. */
async function onlyTask(port: number): Promise<string | undefined> {
  for (;;) {
    const { json } = await call(port, "ListTasks", {});
    const { tasks = [] } = json.result as unknown as { readonly tasks?: readonly WireTask[] };
    assert.ok(tasks.length <= 1, "it ran twice");
    if (tasks[0]?.status.state === "TASK_STATE_COMPLETED") return tasks[0].id;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
