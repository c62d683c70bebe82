// Handing a message to a peer and getting its reply, over real sockets: by stream, by acknowledgement and polling, detached.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { OWN_EXTENSION } from "../../src/core/protocol/extension-uris.ts";
import type { CallProgress } from "../../src/outbound/client-types.ts";
import {
  agentCard,
  agentInterface,
  agentMessage,
  CONTEXT_ID,
  completedTask,
  TASK_ID,
  task,
} from "../support/builders.ts";
import { alnum } from "../support/fake-keys.ts";
import { openStream, type PeerRequest, sendError, sendResult } from "../support/http-peer.ts";
import { failure, type Method, type Rig, type RigOptions, startRig, testSettings } from "../support/outbound-rig.ts";

const completed: Method = (request, response) => sendResult(request, response, { task: completedTask("42") });
const update = (state: string): object => ({
  statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: { state } },
});
const piece = (text: string, append: boolean): object => ({
  artifactUpdate: {
    taskId: TASK_ID,
    contextId: CONTEXT_ID,
    append,
    artifact: { artifactId: "reply", parts: [{ text }] },
  },
});
const message = (request: PeerRequest | undefined): Record<string, unknown> =>
  request?.rpc.params?.message as Record<string, unknown>;

describe("sending to a peer", () => {
  let rig: Rig;
  const start = async (options: RigOptions): Promise<Rig> => {
    rig = await startRig(options);
    return rig;
  };
  afterEach(() => rig.end());

  it("takes secrets out of the message, and says which kinds (X08)", async () => {
    await start({ methods: { SendMessage: completed } });
    const key = `ghp_${alnum(36)}`;
    const parts = [{ data: { token: alnum(20) } }, { text: key, filename: `${key}.txt` }];
    const result = await rig.call({ text: `use ${key} and ${key} for bob@example.org`, parts });
    assert.deepEqual(result.redacted, ["github token", "mail address"]);
    assert.deepEqual(message(rig.peer.requests[1]).parts, [
      { text: "use [redacted: github token] and [redacted: github token] for [redacted: mail address]" },
      { data: { token: "[redacted: secret]" } },
      { text: "[redacted: github token]", filename: "[redacted: github token].txt" },
    ]);
    assert.equal((await rig.call({ text: "nothing of the kind" })).redacted, undefined);
  });

  it("sends nothing when a file holds a secret, and names the kind (X08)", async () => {
    await start({ methods: { SendMessage: completed } });
    const raw = Buffer.from(`TOKEN=ghp_${alnum(36)}`).toString("base64");
    const error = await failure(rig.call({ parts: [{ raw, filename: "a.env" }] }), "INVALID_PARAMS");
    assert.match(error.message, /^a\.env was not sent, because it seems to hold a secret: github token/);
    assert.deepEqual(
      rig.peer.requests.map(({ method }) => method),
      ["GET"],
    );
  });

  it("sends one JSON-RPC request with version, accepted types and length [client-version]", async () => {
    await start({ methods: { SendMessage: completed } });
    await rig.call({ text: "how many ✓?" });
    const [card, request] = rig.peer.requests;
    assert.equal(card?.headers["a2a-version"], "1.0");
    assert.equal(request?.method, "POST");
    assert.equal(request?.headers["a2a-version"], "1.0");
    assert.equal(request?.headers.accept, "application/json, text/event-stream");
    assert.equal(request?.headers["content-type"], "application/json");
    assert.equal(request?.headers["content-length"], String(Buffer.byteLength(request?.body ?? "")));
    const { jsonrpc, id, params } = JSON.parse(request?.body ?? "");
    assert.equal(jsonrpc, "2.0");
    assert.equal(typeof id, "string");
    assert.deepEqual(params, {
      message: {
        messageId: "00000000-0000-4000-8000-000000000001",
        role: "ROLE_USER",
        parts: [{ text: "how many ✓?" }],
        metadata: { [OWN_EXTENSION]: { chain: { sessions: ["caller-session"], hopsLeft: 3 } } },
      },
      configuration: { returnImmediately: true },
    });
  });

  it("gives the reply of a peer that answers with a finished task", async () => {
    await start({ methods: { SendMessage: completed } });
    const result = await rig.call();
    assert.deepEqual(result, {
      peer: {
        name: `127.0.0.1:${rig.peer.port}`,
        url: rig.peer.origin,
        source: "url",
        timeoutMs: rig.settings.timeouts.send,
      },
      taskId: TASK_ID,
      contextId: CONTEXT_ID,
      state: "TASK_STATE_COMPLETED",
      text: "42",
      attachments: [],
      detached: false,
      timestamp: "2026-01-01T00:00:00.000Z",
    });
  });

  it("gives a direct Message as a completed reply without a task", async () => {
    await start({
      methods: { SendMessage: (request, response) => sendResult(request, response, { message: agentMessage() }) },
    });
    const result = await rig.call();
    assert.equal(result.state, "TASK_STATE_COMPLETED");
    assert.equal(result.text, "hi");
    assert.equal(result.taskId, undefined);
  });

  it("sends no contextId on first contact, and the given ids after it (C26) [client-no-context]", async () => {
    await start({ methods: { SendMessage: completed } });
    await rig.call();
    await rig.call({ contextId: "c-7", taskId: "t-7" });
    const [first, second] = rig.peer.calls("SendMessage");
    assert.deepEqual(Object.keys(message(first)), ["messageId", "role", "parts", "metadata"]);
    assert.equal(message(second).contextId, "c-7");
    assert.equal(message(second).taskId, "t-7");
    assert.notEqual(message(first).messageId, message(second).messageId);
  });

  it("copies the tenant of the interface into each request (C05) [client-tenant]", async () => {
    await start({
      card: (origin) =>
        agentCard({ supportedInterfaces: [agentInterface({ url: `${origin}/`, tenant: "blue" })], capabilities: {} }),
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: task() }),
        GetTask: (request, response) => sendResult(request, response, completedTask()),
      },
    });
    await rig.callTicking();
    assert.equal(rig.peer.calls("SendMessage")[0]?.rpc.params?.tenant, "blue");
    assert.equal(rig.peer.calls("GetTask")[0]?.rpc.params?.tenant, "blue");
  });

  it("polls a peer without streaming until the task has ended [client-capabilities]", async () => {
    await start({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: task("TASK_STATE_SUBMITTED") }),
        GetTask: (request, response, nth) => sendResult(request, response, nth < 5 ? task() : completedTask("late")),
      },
    });
    const result = await rig.callTicking();
    assert.equal(result.text, "late");
    assert.equal(rig.peer.calls("GetTask").length, 5);
    assert.deepEqual(rig.peer.calls("GetTask")[0]?.rpc.params, { id: TASK_ID });
  });

  it("asks quickly at first and never waits longer than timeouts.async", async () => {
    const asked: number[] = [];
    await start({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: task() }),
        GetTask: (request, response, nth) => {
          asked.push(rig.clock.monotonic());
          sendResult(request, response, nth < 15 ? task() : completedTask());
        },
      },
    });
    rig.settings = testSettings({ timeouts: { send: 360_000, async: 5000, stream: 120_000 } });
    await rig.callTicking();
    const pauses = asked.slice(1).map((at, index) => at - (asked[index] ?? 0));
    assert.ok((pauses[0] ?? 0) < 1000, `first pause ${pauses[0]}`);
    assert.ok(
      pauses.every((pause) => pause < 6000),
      `pauses ${pauses.join(" ")}`,
    );
    assert.ok((pauses.at(-1) ?? 0) >= 5000);
  });

  it("goes on polling when a question fails in passing", async () => {
    await start({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: task() }),
        GetTask: (request, response, nth) => {
          if (nth === 1) request.socket.destroy();
          else if (nth === 2) response.writeHead(502).end("<h1>Bad Gateway</h1>");
          else sendResult(request, response, completedTask("there"));
        },
      },
    });
    assert.equal((await rig.callTicking()).text, "there");
  });

  it("gives up polling a peer that stays away, and names the task", async () => {
    await start({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: task() }),
        GetTask: (request) => request.socket.destroy(),
      },
    });
    const error = await failure(rig.callTicking(), "PEER_UNREACHABLE");
    assert.match(error.message, new RegExp(`task ${TASK_ID} in context ${CONTEXT_ID}: it may still run`));
    assert.equal(error.metadata.taskId, TASK_ID);
    assert.ok(rig.peer.calls("GetTask").length >= 5);
  });

  it("ends polling at once when the peer does not know the task", async () => {
    await start({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: task() }),
        GetTask: (request, response) => sendError(request, response, -32001, "task not found"),
      },
    });
    const error = await failure(rig.callTicking(), "PEER_ERROR");
    assert.equal(error.metadata.rpcCode, "-32001");
    assert.equal(rig.peer.calls("GetTask").length, 1);
  });

  it("streams when the card offers it, and tells progress with the ids early", async () => {
    await start({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) => {
          const stream = openStream(request, response);
          stream.frame({ task: task("TASK_STATE_SUBMITTED") });
          stream.frame(update("TASK_STATE_WORKING"));
          stream.raw(": ping\n\nevent: message\nid: 7\nretry: 10\n");
          stream.frame(piece("Hello, ", false));
          stream.frame(piece("world", true));
          stream.frame(update("TASK_STATE_COMPLETED"));
          stream.end();
        },
      },
    });
    const told: CallProgress[] = [];
    const result = await rig.call({ onProgress: (progress) => told.push(progress) });
    assert.equal(result.text, "Hello, world");
    assert.equal(result.taskId, TASK_ID);
    assert.equal(told[0]?.taskId, TASK_ID);
    assert.equal(told[0]?.contextId, CONTEXT_ID);
    assert.deepEqual(rig.peer.requests[1]?.rpc.params, { message: message(rig.peer.requests[1]) });
  });

  it("ends the stream of a peer that leaves it open after the task has ended (C19)", async () => {
    await start({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) => openStream(request, response).frame({ task: completedTask() }),
      },
    });
    for (let n = 0; n < 50; n++) await rig.call();
    await rig.peer.allClosed();
  });

  it("returns the peer's question [client-question-shown]", async () => {
    await start({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) => {
          const stream = openStream(request, response);
          stream.frame({ task: task() });
          const status = { state: "TASK_STATE_INPUT_REQUIRED", message: agentMessage({ parts: [{ text: "Which?" }] }) };
          stream.frame({ statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status } });
        },
      },
    });
    const result = await rig.call();
    assert.equal(result.state, "TASK_STATE_INPUT_REQUIRED");
    assert.equal(result.text, "Which?");
  });

  it("returns a failed task with its reason", async () => {
    const status = { state: "TASK_STATE_FAILED", message: agentMessage({ parts: [{ text: "no disk" }] }) };
    await start({
      methods: { SendMessage: (request, response) => sendResult(request, response, { task: { ...task(), status } }) },
    });
    const result = await rig.call();
    assert.equal(result.state, "TASK_STATE_FAILED");
    assert.equal(result.text, "no disk");
  });

  it("takes plain JSON in place of a stream (C24)", async () => {
    await start({ streaming: true, methods: { SendStreamingMessage: completed } });
    assert.equal((await rig.call()).text, "42");
  });

  it("takes a stream in place of plain JSON", async () => {
    await start({
      methods: {
        SendMessage: (request, response) => openStream(request, response).frame({ task: completedTask("42") }),
      },
    });
    assert.equal((await rig.call()).text, "42");
  });

  for (const code of [-32004, -32601]) {
    it(`sends plainly, under the same messageId, when the peer refuses to stream with ${code} (C24, W24)`, async () => {
      await start({
        streaming: true,
        methods: {
          SendStreamingMessage: (request, response) => {
            response.writeHead(200, { "Content-Type": "Application/A2A+JSON; charset=utf-8" });
            response.end(
              JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, error: { code, message: "no streaming" } }),
            );
          },
          SendMessage: completed,
        },
      });
      assert.equal((await rig.call()).text, "42");
      const [streamed] = rig.peer.calls("SendStreamingMessage");
      const [plain] = rig.peer.calls("SendMessage");
      assert.equal(message(plain).messageId, message(streamed).messageId);
    });
  }

  it("shows an error typed a2a+json on a stream call (W24) [client-error-on-stream]", async () => {
    await start({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) => {
          response.writeHead(200, { "Content-Type": "application/a2a+json" });
          response.end(
            JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, error: { code: -32005, message: "no text" } }),
          );
        },
      },
    });
    const error = await failure(rig.call(), "PEER_ERROR");
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${rig.peer.port}.*-32005: no text`));
    assert.equal(rig.peer.calls("SendMessage").length, 0);
  });

  it("returns the acknowledgement of a detached call, also from a peer that streams", async () => {
    await start({
      streaming: true,
      methods: { SendMessage: (request, response) => sendResult(request, response, { task: task() }) },
    });
    const result = await rig.call({ detached: true });
    assert.equal(result.detached, true);
    assert.equal(result.state, "TASK_STATE_WORKING");
    assert.equal(result.taskId, TASK_ID);
    assert.equal(rig.peer.calls("GetTask").length, 0);
  });

  it("returns the reply of a detached call that is finished already", async () => {
    await start({ methods: { SendMessage: completed } });
    const result = await rig.call({ detached: true });
    assert.equal(result.detached, false);
    assert.equal(result.text, "42");
  });

  it("counts calls, answers, failures and their mean time", async () => {
    await start({
      methods: {
        SendMessage: (request, response, nth) => (nth === 1 ? completed(request, response, nth) : response.end("?")),
      },
    });
    await rig.call();
    await failure(rig.call(), "PEER_BAD_REPLY");
    await failure(rig.call({ agent: "nobody" }), "PEER_UNKNOWN");
    assert.deepEqual(rig.client.stats(), { sent: 2, replies: 1, failed: 1, meanMs: 0 });
  });

  it("names the configured peers", async () => {
    await start({});
    rig.settings = testSettings({ peers: { a: { url: "http://a.example" }, b: { url: "http://b.example" } } });
    assert.deepEqual(rig.client.peerNames(), ["a", "b"]);
  });

  it("ends its calls and refuses later ones when it is closed", async () => {
    await start({ methods: { SendMessage: () => undefined } });
    const pending = rig.call();
    await rig.peer.arrived(2);
    const closing = rig.client.close();
    rig.clock.tick(700);
    await failure(pending, "CANCELLED");
    await closing;
    await failure(rig.call(), "CANCELLED");
  });
});
