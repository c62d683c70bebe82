// Direct Message replies (A2A 1.0 §3.1.1) from the runner to the wire: the message is everything that a caller gets and can find.

import assert from "node:assert/strict";
import { type Body, call, openStream, textParams, type WireMessage } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { checkMessage } from "../support/closed-shapes.ts";

describe("direct Message replies", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  /** Sends, lets the runner reply at once, and gives the result. */
  const reply = async (params: object): Promise<NonNullable<Body["result"]>> => {
    const sent = call(server.port, "SendMessage", params);
    (await server.runner.next()).reply("hello yourself");
    const { json } = await sent;
    assert.ok(json.result !== undefined, JSON.stringify(json));
    return json.result;
  };
  const checkReply = (message: WireMessage | undefined): void => {
    checkMessage(message, "message");
    assert.deepEqual(Object.keys(message ?? {}).sort(), ["contextId", "messageId", "parts", "role"]);
    assert.equal(message?.role, "ROLE_AGENT");
    assert.deepEqual(message?.parts, [{ text: "hello yourself" }]);
  };
  const tasks = async (): Promise<unknown> => {
    const { result } = (await call(server.port, "ListTasks", {})).json;
    return (result as { tasks?: unknown }).tasks;
  };

  it("are the one member of the result of SendMessage, whatever was asked of a task", async () => {
    for (const configuration of [{}, { returnImmediately: true }, { historyLength: 0 }]) {
      const result = await reply(textParams("hello", {}, configuration));
      assert.deepEqual(Object.keys(result), ["message"]);
      checkReply(result.message);
    }
  });

  it("are the one frame of a stream, which then ends", async () => {
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("hello"), "s");
    (await server.runner.next()).reply("hello yourself");
    const frames = await stream.ended;
    assert.equal(frames.length, 1);
    assert.deepEqual(Object.keys(frames[0]?.result ?? {}), ["message"]);
    checkReply(frames[0]?.result?.message);
  });

  it("leave no task behind, under any id and in no list", async () => {
    const sent = call(server.port, "SendMessage", textParams("hello"));
    const run = await server.runner.next();
    const { taskId } = run.request;
    assert.equal((await call(server.port, "GetTask", { id: taskId })).json.error?.code, -32001);
    run.reply("hello yourself");
    await sent;
    for (const method of ["GetTask", "CancelTask", "SubscribeToTask"]) {
      assert.equal((await call(server.port, method, { id: taskId })).json.error?.code, -32001, method);
    }
    assert.deepEqual(await tasks(), []);
    const follow = await call(server.port, "SendMessage", textParams("more", { taskId }));
    assert.equal(follow.json.error?.code, -32001);
  });

  it("keep the caller's context, or name the one that was made, and the next message goes on in it", async () => {
    const given = await reply(textParams("hello", { contextId: "ctx-mine" }));
    assert.equal(given.message?.contextId, "ctx-mine");
    const made = (await reply(textParams("hello"))).message?.contextId ?? "";
    assert.match(made, /^ctx-[0-9a-f]{16}$/);
    const next = call(server.port, "SendMessage", textParams("more", { contextId: made }));
    const run = await server.runner.next();
    assert.equal(run.request.contextId, made);
    assert.notEqual(run.request.previousTaskId, undefined);
    run.complete();
    await next;
  });

  it("become the reply of the task once there is one", async () => {
    const sent = call(server.port, "SendMessage", textParams("hello"));
    const run = await server.runner.next();
    run.working();
    run.reply("hello yourself");
    const { result } = (await sent).json;
    assert.deepEqual(Object.keys(result ?? {}), ["task"]);
    assert.equal(result?.task?.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(result?.task?.artifacts?.[0]?.parts, [{ text: "hello yourself" }]);
  });
});
