// Messages that come again because their reply did not arrive: cut before, in and after it, as a whole, as a stream and as an ack.

import assert from "node:assert/strict";
import { HEADERS_AFTER_MS } from "../../src/inbound/blocking-reply.ts";
import { type CallReply, call, openStream, rpcBody, textParams, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { oldCall, oldFrames, piParams, V03, v03Params } from "../support/old-calls.ts";
import { openConnection, postText, type RawConnection } from "../support/raw-connection.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

const LIMITS = { ratePerMin: 0, maxTurns: 1, chain: { sessionId: "here", maxHops: 4 } };
const AT_ONCE = { returnImmediately: true };
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a message that comes again", () => {
  let server: TestServer;
  beforeEach(async () => {
    // Whatever takes a second slot, or is a second turn of its context, is refused.
    server = await startTestServer({ engineLimits: { maxConcurrent: 1 }, callerLimits: () => LIMITS, push: {} });
  });
  afterEach(() => server.stop());

  const send = (params: object): Promise<CallReply> => call(server.port, "SendMessage", params);
  const stream = (params: object) => openStream(server.port, "SendStreamingMessage", params);
  /** A send whose connection is open, and its run. */
  const sendRaw = async (params: object): Promise<{ connection: RawConnection; run: RunHandle }> => {
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendMessage", params)));
    return { connection, run: await server.runner.next() };
  };
  const cut = async ({ connection }: { connection: Pick<RawConnection, "destroy"> }): Promise<void> => {
    connection.destroy();
    await server.idle();
  };
  const ends = async (count: number): Promise<void> => {
    while (server.engine.stats().completed < count) await turn();
  };
  /** So many messages have come again. */
  const resent = async (count: number): Promise<void> => {
    while (server.audit.entries.filter(({ event }) => event === "resend").length < count) await turn();
  };
  const onlyOne = (): void => assert.equal(server.runner.runs.length, 1, "it ran twice");

  describe("whose reply was cut", () => {
    it("before its first byte: waits for the same task and gets the same result (S17) [send-resend-attaches]", async () => {
      const params = textParams("work");
      const first = await sendRaw(params);
      first.run.working();
      await cut(first);
      const again = send(params);
      await resent(1);
      first.run.text("done");
      first.run.complete();
      const task = taskOf(await again);
      assert.equal(task.status.state, "TASK_STATE_COMPLETED");
      assert.deepEqual(task.artifacts?.[0]?.parts, [{ text: "done" }]);
      onlyOne();
      const [listed] = [(await call(server.port, "ListTasks", {})).json.result as { totalSize?: number }];
      assert.equal(listed?.totalSize, 1);
    });

    it("in the middle: gets the result, also when the task has ended (C40) [send-resend-attaches]", async () => {
      const params = textParams("work");
      const first = await sendRaw(params);
      server.clock.tick(HEADERS_AFTER_MS);
      assert.match(await first.connection.until("\r\n\r\n"), /^HTTP\/1\.1 200 /);
      await cut(first);
      first.run.text("done");
      first.run.complete();
      await ends(1);
      assert.deepEqual(taskOf(await send(params)).artifacts?.[0]?.parts, [{ text: "done" }]);
      onlyOne();
    });

    it("with its last bytes on the way: gets the result", async () => {
      const params = textParams("work");
      const first = await sendRaw(params);
      first.connection.pause();
      first.run.text("x".repeat(20 * 1024 * 1024));
      first.run.complete();
      await ends(1);
      await turn();
      await cut(first);
      assert.equal(taskOf(await send(params)).artifacts?.[0]?.parts[0]?.text?.length, 20 * 1024 * 1024);
      onlyOne();
    }).timeout(60_000);

    it("while another one waits: one gets it, and then it is a new message", async () => {
      const params = textParams("work");
      const first = await sendRaw(params);
      const others = [send(params), send(params)];
      await resent(2);
      first.connection.destroy();
      while (server.listener.connections() > 2) await turn();
      first.run.complete();
      const [one, two] = (await Promise.all(others)).map(taskOf);
      assert.equal(one?.id, two?.id);
      const anew = send(params);
      (await server.runner.next()).complete();
      assert.notEqual(taskOf(await anew).id, one?.id);
    });

    it("by a server that stops serving: the error is no reply to it", async () => {
      const params = textParams("work");
      const first = send(params);
      const run = await server.runner.next();
      server.listener.replaceHandler(server.newHandler());
      server.handler.close();
      assert.equal((await first).json.error?.code, -32053);
      const again = send(params);
      await resent(1);
      run.complete();
      assert.equal(taskOf(await again).status.state, "TASK_STATE_COMPLETED");
      onlyOne();
    });
  });

  it("after its reply has arrived is a new message [send-same-message-id]", async () => {
    const params = textParams("work");
    const ids: string[] = [];
    for (let nth = 0; nth < 3; nth++) {
      const sent = send(params);
      (await server.runner.next()).complete();
      ids.push(taskOf(await sent).id);
    }
    assert.equal(new Set(ids).size, 3);
  });

  it("with returnImmediately gets the task as it is, while that is at work [send-resend-attaches]", async () => {
    const params = textParams("work", {}, AT_ONCE);
    const first = send(params);
    const run = await server.runner.next();
    run.working();
    const { id } = taskOf(await first);
    const again = taskOf(await send(params));
    assert.deepEqual([again.id, again.status.state], [id, "TASK_STATE_WORKING"]);
    run.complete();
    await ends(1);
    onlyOne();
    const anew = send(params);
    (await server.runner.next()).complete();
    assert.notEqual(taskOf(await anew).id, id);
  });

  it("with another content is another message, also under the same id", async () => {
    const params = textParams("work", { messageId: "same" });
    const first = await sendRaw(params);
    const other = await send(textParams("other work", { messageId: "same" }));
    assert.equal(other.json.error?.code, -32053, "it wants a slot of its own");
    first.run.complete();
    first.connection.destroy();
  });

  it("is no turn, and is not refused for want of turns", async () => {
    const params = textParams("work", { contextId: "ctx-turns" });
    const first = await sendRaw(params);
    await cut(first);
    const again = send(params);
    await resent(1);
    first.run.complete();
    assert.equal(taskOf(await again).status.state, "TASK_STATE_COMPLETED");
    assert.equal(taskOf(await send(params)).status.state, "TASK_STATE_REJECTED", "a new one has no turn left");
  });

  it("is audited as what it is", async () => {
    const params = textParams("work");
    const first = await sendRaw(params);
    await cut(first);
    const again = send(params);
    await resent(1);
    first.run.complete();
    const { id, contextId } = taskOf(await again);
    const lines = server.audit.entries.filter(({ taskId }) => taskId === id);
    assert.deepEqual(
      lines.map(({ event, method }) => [event, method]),
      [
        ["arrival", "SendMessage"],
        ["resend", "SendMessage"],
        ["outcome", "SendMessage"],
      ],
    );
    assert.equal(lines[1]?.contextId, contextId);
    assert.equal(lines[1]?.preview, undefined);
    assert.notEqual(lines[1]?.traceparent, lines[0]?.traceparent);
  });

  it("brings a webhook for the task [push-inline]", async () => {
    const push = { taskPushNotificationConfig: { id: "mine", url: "http://127.0.0.1:9/hook" } };
    const params = textParams("work", { messageId: "m-push" });
    const first = await sendRaw(params);
    first.run.working();
    const again = taskOf(await send({ ...params, configuration: { ...AT_ONCE, ...push } }));
    const { json } = await call(server.port, "ListTaskPushNotificationConfigs", { taskId: again.id });
    assert.deepEqual(
      (json.result as { configs?: { id: string }[] }).configs?.map(({ id }) => id),
      ["mine"],
    );
    await call(server.port, "DeleteTaskPushNotificationConfig", { taskId: again.id, id: "mine" });
    first.run.complete();
    first.connection.destroy();
  });

  describe("as an answer", () => {
    const asking = async (): Promise<WireTask> => {
      const sent = send(textParams("work"));
      (await server.runner.next()).ask("Which?");
      return taskOf(await sent);
    };

    it("leads to the task that works on it, and after its end to the result [send-resend-attaches]", async () => {
      const { id } = await asking();
      const params = textParams("that one", { taskId: id });
      const first = await sendRaw(params);
      await cut(first);
      const again = await stream(params);
      assert.equal((await again.event(1)).result?.task?.status.state, "TASK_STATE_WORKING");
      again.destroy();
      await server.idle();
      first.run.complete();
      await ends(1);
      assert.equal(taskOf(await send(params)).status.state, "TASK_STATE_COMPLETED");
      assert.equal(server.runner.runs.length, 2);
      assert.equal((await send(params)).json.error?.code, -32004, "a new message to an ended task");
    });
  });

  it("as a steering message reaches the work once [turn-steer] [send-resend-attaches]", async () => {
    await server.stop();
    server = await startTestServer({ engineLimits: { maxConcurrent: 1 }, steerable: true });
    const sent = send(textParams("work", {}, AT_ONCE));
    const run = await server.runner.next();
    run.working();
    const { id } = taskOf(await sent);
    const params = textParams("in blue", { taskId: id });
    const connection = await openConnection(server.port);
    connection.send(postText(rpcBody("SendMessage", params)));
    while (run.letters.length === 0) await turn();
    await cut({ connection });
    const again = send(params);
    await resent(1);
    for (const { taken } of run.letters) taken();
    run.complete();
    assert.equal(taskOf(await again).status.state, "TASK_STATE_COMPLETED");
    assert.equal(run.letters.length, 1);
    onlyOne();
  });

  describe("whose stream was cut", () => {
    it("opens with the task as it is, and goes on with it [send-resend-attaches]", async () => {
      const params = textParams("work");
      const first = await stream(params);
      const run = await server.runner.next();
      run.working();
      run.text("one ", { provisional: true });
      await first.event(3);
      first.destroy();
      await server.idle();
      run.text("two ", { provisional: true, append: true });
      await turn();
      const again = await stream(params);
      const opened = (await again.event(1)).result?.task;
      assert.equal(opened?.status.state, "TASK_STATE_WORKING");
      assert.deepEqual(opened?.artifacts?.[0]?.parts, [{ text: "one two " }]);
      run.text("three", { append: true });
      run.complete();
      assert.deepEqual(kinds(await again.ended), ["task", "artifactUpdate", "TASK_STATE_COMPLETED"]);
      onlyOne();
    });

    it("opens with the ended task, says its status and ends [send-resend-attaches]", async () => {
      const params = textParams("work");
      const first = await stream(params);
      const run = await server.runner.next();
      run.working();
      await first.event(2);
      first.destroy();
      await server.idle();
      run.text("done");
      run.complete();
      await ends(1);
      const events = await (await stream(params)).ended;
      assert.deepEqual(kinds(events), ["task", "TASK_STATE_COMPLETED"]);
      assert.deepEqual(events[0]?.result?.task?.artifacts?.[0]?.parts, [{ text: "done" }]);
      onlyOne();
      const anew = await stream(params);
      (await server.runner.next()).complete();
      assert.notEqual((await anew.ended)[0]?.result?.task?.id, events[0]?.result?.task?.id);
    });

    it("gets the direct reply of the first", async () => {
      const params = textParams("work");
      const first = await sendRaw(params);
      await cut(first);
      const again = await stream(params);
      first.run.reply("hi");
      assert.deepEqual(kinds(await again.ended), ["message"]);
      onlyOne();
    });
  });

  it("whose stream ended at a question leads to the question [send-resend-attaches]", async () => {
    const params = textParams("work");
    const first = await stream(params);
    (await server.runner.next()).ask("Which?");
    const id = (await first.ended)[0]?.result?.task?.id;
    const again = await (await stream(params)).ended;
    assert.deepEqual(kinds(again), ["task", "TASK_STATE_INPUT_REQUIRED"]);
    assert.equal(again[0]?.result?.task?.id, id);
    assert.equal(taskOf(await send(params)).id, id);
    onlyOne();
  });

  it("leads to its task whatever its dialect, and is answered in that of the moment", async () => {
    const params = v03Params("work", { messageId: "old" }) as { message: object };
    const { messageId, contextId } = { messageId: "old", contextId: "ctx-old" };
    const first = await sendRaw(textParams("work", { messageId, contextId }));
    await cut(first);
    const old = oldCall(server.port, "message/send", { message: { ...params.message, contextId } }, { headers: V03 });
    const pi = oldFrames(server.port, "message/stream", piParams("work", { messageId, contextId }));
    await resent(2);
    first.run.complete();
    const { result } = await old;
    assert.deepEqual([result.kind, result.status.state], ["task", "completed"]);
    assert.equal((await pi).at(-1).statusUpdate.id, result.id);
    onlyOne();
  });
});

function taskOf({ json, text }: CallReply): WireTask {
  const task = json.result?.task;
  assert.ok(task !== undefined, text);
  return task;
}

function kinds(events: readonly { readonly result?: object }[]): string[] {
  return events.map(({ result = {} }) =>
    "statusUpdate" in result
      ? (result.statusUpdate as { status: { state: string } }).status.state
      : (Object.keys(result)[0] ?? ""),
  );
}
