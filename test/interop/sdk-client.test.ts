// The official JavaScript SDK 1.3.0 as client of our server: every operation that is served, its errors, and its parsing of what
// we send.

import assert from "node:assert/strict";
import { type Message, SendMessageRequest, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import { type Client, ClientFactory } from "@a2a-js/sdk/client";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { interopRow } from "../support/interop-table.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

describe("@a2a-js/sdk as client of our server", () => {
  const covers = interopRow("@a2a-js/sdk 1.3.0", "it calls us");
  let server: TestServer;
  let client: Client;
  beforeEach(async () => {
    server = await startTestServer();
    client = await new ClientFactory().createFromUrl(server.origin);
  });
  afterEach(() => server.stop());

  let messages = 0;
  const request = (text: string, message = {}, configuration = {}): SendMessageRequest => {
    messages += 1;
    return SendMessageRequest.fromJSON({
      message: { messageId: `sdk-${messages}`, role: "ROLE_USER", parts: [{ text }], ...message },
      configuration,
    });
  };
  /** A task at work, sent with returnImmediately. */
  const workingTask = async (): Promise<{ task: Task; run: RunHandle }> => {
    const sent = client.sendMessage(request("work", {}, { returnImmediately: true }));
    const run = await server.runner.next();
    run.working();
    return { task: taskOf(await sent), run };
  };

  it("reads the card and speaks 1.0", async () => {
    covers("card");
    const card = await client.getAgentCard();
    assert.equal(card.name, "pi-test");
    assert.equal(card.supportedInterfaces[0]?.url, `${server.origin}/`);
    assert.equal(card.capabilities?.streaming, true);
    assert.equal(card.capabilities?.pushNotifications, true);
    assert.equal(client.protocolVersion, "1.0");
  });

  it("reads the card that clients of 0.3 can read, too, and speaks 1.0 all the same", async () => {
    covers("card");
    const hybrid = await new ClientFactory().createFromUrl(server.origin, "/.well-known/agent.json");
    assert.equal(hybrid.protocolVersion, "1.0");
    const sent = hybrid.sendMessage(request("hello"));
    (await server.runner.next()).complete();
    assert.equal(taskOf(await sent).status?.state, TaskState.TASK_STATE_COMPLETED);
  });

  it("sends and gets the finished task", async () => {
    covers("send");
    const sent = client.sendMessage(request("hello"));
    const run = await server.runner.next();
    run.working();
    run.text("hi there");
    run.metadata({ truncated: true });
    run.complete();
    const task = taskOf(await sent);
    assert.equal(task.status?.state, TaskState.TASK_STATE_COMPLETED);
    assert.equal(textOf(task.artifacts[0]), "hi there");
    assert.equal(task.history.length, 1);
    assert.deepEqual(task.metadata, { truncated: true });
  });

  it("sends a message again that is at work, and gets the one task", async () => {
    covers("send");
    const twice = request("hello");
    const sent = [client.sendMessage(twice), client.sendMessage(twice)];
    const run = await server.runner.next();
    while (!server.audit.entries.some(({ event }) => event === "resend"))
      await new Promise((resolve) => setImmediate(resolve));
    run.complete();
    const [first, second] = (await Promise.all(sent)).map(taskOf);
    assert.equal(first?.id, second?.id);
    assert.equal(server.runner.runs.length, 1);
  });

  it("sends files and data, and gets some", async () => {
    covers("files");
    const parts = [
      { raw: "QQ==", filename: "a.txt", mediaType: "text/plain" },
      { url: "https://example.com/b" },
      { data: { n: 1 } },
    ];
    const sent = client.sendMessage(request("", { parts }));
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, parts);
    run.working();
    run.emit({
      kind: "artifact",
      artifact: { artifactId: "files", parts: run.request.message.parts },
      append: false,
      lastChunk: true,
    });
    run.complete();
    const kinds = taskOf(await sent).artifacts[0]?.parts.map(({ content }) => content?.$case);
    assert.deepEqual(kinds, ["raw", "url", "data"]);
  });

  it("sends and gets a direct message", async () => {
    covers("message");
    const sent = client.sendMessage(request("hello"));
    (await server.runner.next()).reply("hello yourself");
    const message = await sent;
    assert.ok("parts" in message);
    assert.equal(textOf(message), "hello yourself");
  });

  it("waits through a keep-alive, and maps an error that comes behind it", async () => {
    covers("failure", "errors");
    const slow = client.sendMessage(request("slow"));
    const run = await server.runner.next();
    run.working();
    server.clock.tick(20_000);
    run.complete();
    assert.equal(taskOf(await slow).status?.state, TaskState.TASK_STATE_COMPLETED);

    const cut = client.sendMessage(request("slow"));
    (await server.runner.next()).working();
    server.clock.tick(2_000);
    server.handler.close();
    await assert.rejects(cut, /stopping/);
  });

  it("streams a task to its end", async () => {
    covers("stream");
    const stream = client.sendMessageStream(request("hello"));
    const frames = collect(stream);
    const run = await server.runner.next();
    run.working("read");
    run.text("a", { provisional: true });
    server.clock.tick(10_000);
    run.text("b", { provisional: true, append: true });
    run.text("ab");
    run.complete();
    const payloads = (await frames).map(({ payload }) => payload);
    assert.deepEqual(
      payloads.map((payload) => payload?.$case),
      ["task", "statusUpdate", "artifactUpdate", "artifactUpdate", "artifactUpdate", "statusUpdate"],
    );
    const appends = payloads.flatMap((payload) => (payload?.$case === "artifactUpdate" ? [payload.value.append] : []));
    assert.deepEqual(appends, [false, true, false]);
    const last = payloads.at(-1);
    assert.ok(last?.$case === "statusUpdate");
    assert.equal(last.value.status?.state, TaskState.TASK_STATE_COMPLETED);
  });

  it("streams a direct message", async () => {
    covers("message", "stream");
    const frames = collect(client.sendMessageStream(request("hello")));
    (await server.runner.next()).reply("hi");
    assert.deepEqual(
      (await frames).map(({ payload }) => payload?.$case),
      ["message"],
    );
  });

  it("gets a task, with and without its history", async () => {
    covers("get");
    const { task, run } = await workingTask();
    const params = { tenant: "", id: task.id };
    assert.equal((await client.getTask(params)).status?.state, TaskState.TASK_STATE_WORKING);
    assert.equal((await client.getTask({ ...params, historyLength: 0 })).history.length, 0);
    run.complete();
  });

  it("cancels a task", async () => {
    covers("cancel");
    const { task, run } = await workingTask();
    const canceled = await client.cancelTask({ tenant: "", id: task.id, metadata: undefined });
    assert.equal(canceled.status?.state, TaskState.TASK_STATE_CANCELED);
    assert.equal(run.request.signal.aborted, true);
  });

  it("subscribes to a task", async () => {
    covers("subscribe");
    const { task, run } = await workingTask();
    const stream = client.resubscribeTask({ tenant: "", id: task.id });
    const first = await stream.next();
    assert.ok(first.done !== true && first.value.payload?.$case === "task");
    run.text("late");
    run.complete();
    const rest = await collect(stream);
    assert.deepEqual(
      rest.map(({ payload }) => payload?.$case),
      ["artifactUpdate", "statusUpdate"],
    );
  });

  it("answers a question in the same task", async () => {
    covers("question");
    const asked = client.sendMessage(request("start"));
    (await server.runner.next()).ask("which one?");
    const task = taskOf(await asked);
    assert.equal(task.status?.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    const answered = client.sendMessage(request("that one", { taskId: task.id, contextId: task.contextId }));
    (await server.runner.next()).complete();
    const done = taskOf(await answered);
    assert.equal(done.id, task.id);
    assert.equal(done.status?.state, TaskState.TASK_STATE_COMPLETED);
  });

  it("leaves the task at work when it aborts a call or a stream", async () => {
    for (const start of ["send", "stream"]) {
      const controller = new AbortController();
      const options = { signal: controller.signal };
      const outcome =
        start === "send"
          ? client.sendMessage(request("a"), options)
          : collect(client.sendMessageStream(request("a"), options));
      const failed = assert.rejects(outcome);
      const run = await server.runner.next();
      run.working();
      controller.abort();
      await failed;
      assert.equal(run.request.signal.aborted, false);
      run.complete();
    }
  });

  it("knows our errors by their code", async () => {
    covers("errors");
    const unknown = { tenant: "", id: "task-0000000000000bad" };
    await assert.rejects(client.getTask(unknown), { name: /TaskNotFound/ });
    await assert.rejects(client.cancelTask({ ...unknown, metadata: undefined }), { name: /TaskNotFound/ });
    await assert.rejects(collect(client.resubscribeTask(unknown)), { name: /TaskNotFound/ });
    await assert.rejects(client.sendMessage(request("a", { taskId: unknown.id })), { name: /TaskNotFound/ });
    await assert.rejects(collect(client.sendMessageStream(request("a", { taskId: unknown.id }))), {
      name: /TaskNotFound/,
    });
    await assert.rejects(client.sendMessage(request("  ")), /message\.parts/);

    const { task, run } = await workingTask();
    run.complete();
    const params = { tenant: "", id: task.id };
    await collect(client.resubscribeTask(params)).catch(() => []);
    await assert.rejects(client.cancelTask({ ...params, metadata: undefined }), { name: /TaskNotCancelable/ });
    await assert.rejects(collect(client.resubscribeTask(params)), { name: /UnsupportedOperation/ });
    await assert.rejects(client.sendMessage(request("more", { taskId: task.id })), { name: /UnsupportedOperation/ });
  });
});

async function collect(stream: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const frames: StreamResponse[] = [];
  for await (const frame of stream) frames.push(frame);
  return frames;
}

function taskOf(result: Message | Task): Task {
  assert.ok("status" in result, JSON.stringify(result));
  return result;
}

function textOf(from: Pick<Message, "parts"> | undefined): unknown {
  return from?.parts[0]?.content?.value;
}
