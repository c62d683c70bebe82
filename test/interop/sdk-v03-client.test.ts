// The official JavaScript SDK 0.3.14, which knows nothing of A2A 1.0, as client of our server: every operation that it has, its errors,
// and its parsing of what we send.

import assert from "node:assert/strict";
import type { Message, MessageSendParams, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "a2a-sdk-v03";
import {
  type Client,
  ClientFactory,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "a2a-sdk-v03/client";
import { CARD_FACTS, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken } from "../support/admission-rules.ts";
import { type HttpPeer, startHttpPeer } from "../support/http-peer.ts";
import { interopRow } from "../support/interop-table.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

type Event = Message | Task | TaskStatusUpdateEvent | TaskArtifactUpdateEvent;

describe("@a2a-js/sdk 0.3.14 as client of our server", () => {
  const covers = interopRow("@a2a-js/sdk 0.3.14", "it calls us");
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

  let messages = 0;
  const request = (text: string, message: Partial<Message> = {}, configuration = {}): MessageSendParams => {
    messages += 1;
    const parts: Message["parts"] = [{ kind: "text", text }];
    return {
      message: { kind: "message", messageId: `old-${messages}`, role: "user", parts, ...message },
      configuration,
    };
  };
  const workingTask = async (configuration = {}): Promise<{ task: Task; run: RunHandle }> => {
    const sent = client.sendMessage(request("work", {}, { blocking: false, ...configuration }));
    const run = await server.runner.next();
    run.working();
    return { task: taskOf(await sent), run };
  };

  it("reads the card", async () => {
    covers("card");
    const card = await client.getAgentCard();
    assert.equal(card.name, "pi-test");
    assert.equal(card.url, `${server.origin}/`);
    assert.equal(card.protocolVersion, "0.3.0");
    assert.deepEqual([card.capabilities.streaming, card.capabilities.pushNotifications], [true, true]);
  });

  it("sends and gets the finished task", async () => {
    covers("send");
    const sent = client.sendMessage(request("hello"));
    const run = await server.runner.next();
    assert.deepEqual(
      run.request.message.parts,
      [{ kind: "text", text: "hello" }].map(({ text }) => ({ text })),
    );
    run.working();
    run.text("hi there");
    run.complete();
    const task = taskOf(await sent);
    assert.equal(task.status.state, "completed");
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ kind: "text", text: "hi there" }]);
    assert.deepEqual(
      task.history?.map(({ kind, role }) => [kind, role]),
      [["message", "user"]],
    );
  });

  it("sends files and data, and gets some", async () => {
    covers("files");
    const parts: Message["parts"] = [
      { kind: "file", file: { bytes: "QQ==", name: "a.txt", mimeType: "text/plain" } },
      { kind: "file", file: { uri: "https://example.com/b" } },
      { kind: "data", data: { n: 1 } },
    ];
    const sent = client.sendMessage(request("", { parts }));
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, [
      { raw: "QQ==", filename: "a.txt", mediaType: "text/plain" },
      { url: "https://example.com/b" },
      { data: { n: 1 } },
    ]);
    const back = { artifactId: "files", parts: [...run.request.message.parts, { data: [1] }] };
    run.emit({ kind: "artifact", artifact: back, append: false, lastChunk: true });
    run.complete();
    const [artifact] = taskOf(await sent).artifacts ?? [];
    assert.deepEqual(artifact?.parts, [...parts, { kind: "data", data: { value: [1] } }]);
  });

  it("sends and gets a direct message", async () => {
    covers("message");
    const sent = client.sendMessage(request("hello"));
    (await server.runner.next()).reply("hello yourself");
    const message = await sent;
    assert.ok(message.kind === "message");
    assert.deepEqual([message.role, message.parts], ["agent", [{ kind: "text", text: "hello yourself" }]]);
  });

  it("gets a failure with its reason", async () => {
    covers("failure");
    const sent = client.sendMessage(request("hello"));
    (await server.runner.next()).fail("the model gave up");
    const { status } = taskOf(await sent);
    assert.equal(status.state, "failed");
    assert.deepEqual(status.message?.parts, [{ kind: "text", text: "the model gave up" }]);
  });

  it("answers a question in the same task", async () => {
    covers("question");
    const asked = client.sendMessage(request("start"));
    (await server.runner.next()).ask("which one?");
    const task = taskOf(await asked);
    assert.equal(task.status.state, "input-required");
    const answered = client.sendMessage(request("that one", { taskId: task.id, contextId: task.contextId }));
    (await server.runner.next()).complete();
    const done = taskOf(await answered);
    assert.deepEqual([done.id, done.status.state], [task.id, "completed"]);
  });

  it("streams a task to its end, which alone is final", async () => {
    covers("stream");
    const events = collect(client.sendMessageStream(request("hello")));
    const run = await server.runner.next();
    run.working("read");
    run.text("a", { provisional: true });
    server.clock.tick(10_000);
    run.text("b", { provisional: true, append: true });
    run.text("ab");
    run.complete();
    const all = await events;
    assert.deepEqual(
      all.map(({ kind }) => kind),
      ["task", "status-update", "artifact-update", "artifact-update", "artifact-update", "status-update"],
    );
    assert.deepEqual(
      all.flatMap((event) => (event.kind === "status-update" ? [[event.status.state, event.final]] : [])),
      [
        ["working", false],
        ["completed", true],
      ],
    );
    assert.deepEqual(
      all.flatMap((event) => (event.kind === "artifact-update" ? [[event.append, event.lastChunk]] : [])),
      [
        [false, false],
        [true, false],
        [false, true],
      ],
    );
  });

  it("streams a question to its end, and a direct message", async () => {
    covers("stream", "question", "message");
    const asked = collect(client.sendMessageStream(request("start")));
    (await server.runner.next()).ask("which one?");
    const last = (await asked).at(-1);
    assert.ok(last?.kind === "status-update");
    assert.deepEqual([last.status.state, last.final], ["input-required", true]);
    const replied = collect(client.sendMessageStream(request("hello")));
    (await server.runner.next()).reply("hi");
    assert.deepEqual(
      (await replied).map(({ kind }) => kind),
      ["message"],
    );
  });

  it("gets and cancels a task", async () => {
    covers("get", "cancel");
    const { task, run } = await workingTask();
    assert.equal((await client.getTask({ id: task.id })).status.state, "working");
    assert.equal((await client.getTask({ id: task.id, historyLength: 0 })).history, undefined);
    assert.equal((await client.cancelTask({ id: task.id })).status.state, "canceled");
    assert.equal(run.request.signal.aborted, true);
  });

  it("subscribes again, also to what has ended", async () => {
    covers("subscribe");
    const { task, run } = await workingTask();
    const stream = client.resubscribeTask({ id: task.id });
    const first = await stream.next();
    assert.ok(first.done !== true && first.value.kind === "task");
    run.text("late");
    run.complete();
    assert.deepEqual(
      (await collect(stream)).map(({ kind }) => kind),
      ["artifact-update", "status-update"],
    );
    const again = await collect(client.resubscribeTask({ id: task.id }));
    assert.deepEqual(
      again.map((event) => event.kind === "task" && event.status.state),
      ["completed"],
    );
  });

  it("makes, gets, lists and deletes webhooks", async () => {
    covers("push");
    const { task, run } = await workingTask();
    const url = `${receiver.origin}/hook`;
    const authentication = { schemes: ["Bearer"], credentials: "s3cret" };
    const made = await client.setTaskPushNotificationConfig({
      taskId: task.id,
      pushNotificationConfig: { id: "mine", url, token: "opaque", authentication },
    });
    const shown = { id: "mine", url, token: "opaque", authentication: { schemes: ["Bearer"] } };
    assert.deepEqual(made, { taskId: task.id, pushNotificationConfig: shown });
    const place = { id: task.id, pushNotificationConfigId: "mine" };
    assert.deepEqual(await client.getTaskPushNotificationConfig(place), made);
    assert.deepEqual(await client.getTaskPushNotificationConfig({ id: task.id }), made);
    assert.deepEqual(await client.listTaskPushNotificationConfig({ id: task.id }), [made]);
    await client.deleteTaskPushNotificationConfig(place);
    await client.deleteTaskPushNotificationConfig(place);
    assert.deepEqual(await client.listTaskPushNotificationConfig({ id: task.id }), []);
    run.complete();
  });

  it("is told of a task by its webhook, as a server of 0.3 tells it: the whole task at each status", async () => {
    covers("push");
    const pushNotificationConfig = { url: `${receiver.origin}/hook`, token: "opaque" };
    const { task, run } = await workingTask({ pushNotificationConfig });
    run.text("hi there");
    run.complete();
    await receiver.arrived(3);
    const told = receiver.requests.map(({ body }) => JSON.parse(body) as Task);
    assert.deepEqual(
      told.map(({ kind, id, status }) => [kind, id, status.state]),
      ["submitted", "working", "completed"].map((state) => ["task", task.id, state]),
    );
    assert.deepEqual(told[2]?.artifacts?.[0]?.parts, [{ kind: "text", text: "hi there" }]);
    for (const { headers } of receiver.requests) {
      assert.equal(headers["content-type"], "application/json");
      assert.equal(headers["x-a2a-notification-token"], "opaque");
    }
  });

  it("knows our errors by their code", async () => {
    covers("errors");
    const unknown = { id: "task-0000000000000bad" };
    await assert.rejects(client.getTask(unknown), /Task not found/);
    await assert.rejects(client.cancelTask(unknown), /Task not found/);
    await assert.rejects(collect(client.resubscribeTask(unknown)), /no task/);
    await assert.rejects(client.sendMessage(request("a", { taskId: unknown.id })), /Task not found/);
    await assert.rejects(collect(client.sendMessageStream(request("a", { taskId: unknown.id }))), /no task/);
    await assert.rejects(client.sendMessage(request("  ")), /message\.parts/);
    const { task, run } = await workingTask();
    run.complete();
    await collect(client.resubscribeTask({ id: task.id }));
    await assert.rejects(client.cancelTask({ id: task.id }), /cannot be canceled/);
    await assert.rejects(client.sendMessage(request("more", { taskId: task.id })), /not supported/);
    const missing = { id: task.id, pushNotificationConfigId: "nope" };
    await assert.rejects(client.getTaskPushNotificationConfig(missing), /Task not found/);
    await assert.rejects(client.getTaskPushNotificationConfig({ id: task.id }), /Task not found/);
  });

  it("leaves the task at work when it aborts a stream", async () => {
    const controller = new AbortController();
    const failed = assert.rejects(collect(client.sendMessageStream(request("a"), { signal: controller.signal })));
    const run = await server.runner.next();
    run.working();
    controller.abort();
    await failed;
    assert.equal(run.request.signal.aborted, false);
    run.complete();
  });
});

describe("@a2a-js/sdk 0.3.14 as client that logs in", () => {
  const covers = interopRow("@a2a-js/sdk 0.3.14", "it calls us");

  it("is told by the card how to, and gets the extended card and a reply", async () => {
    covers("login", "card", "send");
    const rules = admissionRules({ tokens: [peerToken("alice")] });
    const facts = { ...CARD_FACTS, session: { cwd: "/work" } };
    const server = await startTestServer({ admission: () => rules, cardFacts: () => facts });
    const { security, securitySchemes } = await new DefaultAgentCardResolver().resolve(server.origin);
    assert.deepEqual(security?.[0], { bearer: [] });
    assert.deepEqual(securitySchemes?.bearer?.type, "http");

    const login = {
      headers: async () => ({ Authorization: "Bearer token-of-alice" }),
      shouldRetryWithHeaders: async () => undefined,
    };
    const fetchImpl = createAuthenticatingFetchWithRetry(fetch, login);
    const transports = [new JsonRpcTransportFactory({ fetchImpl })];
    const client = await new ClientFactory({ transports }).createFromUrl(server.origin);
    const card = (await client.getAgentCard()) as { metadata?: object };
    assert.deepEqual(card.metadata, { cwd: "/work" });
    const parts: Message["parts"] = [{ kind: "text", text: "hello" }];
    const sent = client.sendMessage({ message: { kind: "message", messageId: "in", role: "user", parts } });
    const run = await server.runner.next();
    assert.equal(run.request.caller.key, "peer:alice");
    run.complete();
    assert.equal(taskOf(await sent).status.state, "completed");
    await server.stop();
  });
});

async function collect(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

function taskOf(result: Message | Task): Task {
  assert.ok(result.kind === "task", JSON.stringify(result));
  return result;
}
