// The stand for the official suite, met as the suite meets it: a process of its own, called over HTTP with the suite's spellings,
// headers and message ids. Each row of its scripted agent, and what its tests look at beyond the rows.

import assert from "node:assert/strict";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Body, type CallReply, get, openStream, post, type WireTask } from "../support/a2a-calls.ts";
import {
  checkCard,
  checkPushConfig,
  checkPushConfigList,
  checkSendResult,
  checkStreamResponse,
  checkTask,
  checkTaskList,
} from "../support/closed-shapes.ts";
import { createEventLog, type EventLog } from "../support/e2e-event-log.ts";
import { interopRow } from "../support/interop-table.ts";
import { runSut, type SutProcess, startSutProcess } from "../support/sut-process.ts";

const V1 = { "A2A-Version": "1.0", Accept: "*/*" };
const SESSION = "0123abcd";

/** The suite says the same id again and again, sometimes with another text. */
function suiteMessage(name: string, more: object = {}, text = "hello"): object {
  return { messageId: `${name}-${SESSION}-jsonrpc`, role: "ROLE_USER", parts: [{ text }], ...more };
}

// With older dialects nothing differs but the card for those who name no version.
for (const legacy of [false, true]) {
  describe(`the stand for the conformance suite${legacy ? ", with older dialects" : ""}`, () => {
    const covers = interopRow(`the official suite's requests${legacy ? " (older dialects on)" : ""}`, "it calls us");
    let sut: SutProcess;
    before(async () => {
      sut = await startSutProcess(["--port", "0", ...(legacy ? ["--legacy"] : [])]);
    });
    after(() => sut.stop());

    const call = (method: string, params?: unknown, headers: Record<string, string> = V1, path = "//") =>
      callAt(sut.port, method, params, headers, path);
    const send = async (name: string, more: object = {}, configuration?: object, text?: string): Promise<WireTask> => {
      const { json } = await call("SendMessage", { message: suiteMessage(name, more, text), configuration });
      checkSendResult(json.result, name);
      assert.ok(json.result?.task !== undefined, JSON.stringify(json));
      return json.result.task;
    };
    const stream = async (name: string, more: object = {}): Promise<readonly Body[]> => {
      const opened = await openStream(sut.port, "SendStreamingMessage", { message: suiteMessage(name, more) }, 5, V1);
      assert.equal(opened.headers["content-type"], "text/event-stream");
      const frames = await opened.ended;
      for (const frame of frames) checkFrame(frame, 5);
      return frames;
    };
    const subscribe = async (id: string, rpcId = 1) => {
      const opened = await openStream(sut.port, "SubscribeToTask", { id }, rpcId, V1);
      await opened.event(1);
      return opened;
    };

    describe("acts by the prefix of the message id", () => {
      it("tck-complete-task", async () => {
        covers("send");
        const { status } = await send("tck-complete-task");
        assert.equal(status.state, "TASK_STATE_COMPLETED");
        assert.equal(status.message?.parts[0]?.text, "Hello from TCK");
      });

      it("tck-input-required, and again on the same task", async () => {
        covers("question");
        const task = await send("tck-input-required");
        assert.equal(task.status.state, "TASK_STATE_INPUT_REQUIRED");
        const again = await send("tck-input-required", { task_id: task.id }, undefined, "another text");
        assert.equal(again.id, task.id);
        assert.equal(again.status.state, "TASK_STATE_INPUT_REQUIRED");
      });

      const ARTIFACTS: [name: string, part: object][] = [
        ["tck-artifact-text", { text: "Generated text content" }],
        ["tck-artifact-file", { raw: "dGNr", filename: "output.txt", mediaType: "text/plain" }],
        [
          "tck-artifact-file-url",
          { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" },
        ],
        ["tck-artifact-data", { data: { key: "value", count: 42 } }],
      ];
      for (const [name, part] of ARTIFACTS) {
        it(name, async () => {
          const { status, artifacts } = await send(name);
          assert.equal(status.state, "TASK_STATE_COMPLETED");
          assert.deepEqual(artifacts?.[0]?.parts[0], part);
          assert.notEqual(artifacts?.[0]?.artifactId ?? "", "");
        });
      }

      it("tck-message-response, as the one member of the result and as the one frame of a stream", async () => {
        covers("message");
        const { json } = await call("SendMessage", { message: suiteMessage("tck-message-response") });
        checkSendResult(json.result, "result");
        assert.deepEqual(Object.keys(json.result ?? {}), ["message"]);
        assert.equal(json.result?.message?.parts[0]?.text, "Direct message response");
        assert.equal(json.result?.message?.role, "ROLE_AGENT");
        const frames = await stream("tck-message-response");
        assert.equal(frames.length, 1);
        assert.equal(frames[0]?.result?.message?.parts[0]?.text, "Direct message response");
      });

      const STREAMS: [name: string, text: string][] = [
        ["tck-stream-001", "Stream hello from TCK"],
        ["tck-stream-003", "Stream task lifecycle"],
        ["tck-stream-ordering-001", "Ordered output"],
        ["tck-stream-artifact-text", "Streamed text content"],
      ];
      for (const [name, text] of STREAMS) {
        it(`${name}: WORKING, an artifact, COMPLETED, and the stream ends`, async () => {
          covers("stream");
          const frames = await stream(name);
          const kinds = frames.map(({ result = {} }) => Object.keys(result)[0]);
          assert.equal(kinds[0], "task");
          assert.ok(!kinds.slice(1).includes("task") && kinds.includes("artifactUpdate"));
          const artifact = frames.find(({ result }) => result?.artifactUpdate !== undefined)?.result?.artifactUpdate;
          assert.equal(artifact?.artifact.parts[0]?.text, text);
          const states = frames.flatMap(({ result }) => result?.statusUpdate?.status.state ?? []);
          assert.deepEqual(states, ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
        });
      }

      it("tck-stream-002: COMPLETED, and the stream ends", async () => {
        const frames = await stream("tck-stream-002");
        assert.equal(frames.at(-1)?.result?.statusUpdate?.status.state, "TASK_STATE_COMPLETED");
      });

      it("tck-stream-artifact-file and tck-stream-artifact-chunked", async () => {
        assert.deepEqual((await send("tck-stream-artifact-file")).artifacts?.[0]?.parts, [
          { raw: "dGNr", filename: "output.txt", mediaType: "text/plain" },
        ]);
        const frames = await stream("tck-stream-artifact-chunked");
        const pieces = frames.flatMap(({ result }) => result?.artifactUpdate ?? []);
        assert.deepEqual(
          pieces.map(({ artifact, append, lastChunk }) => [artifact.parts[0]?.text, append, lastChunk]),
          [
            ["chunk-1 ", undefined, undefined],
            ["chunk-2", true, true],
          ],
        );
        const whole = await send("tck-stream-artifact-chunked");
        assert.deepEqual(whole.artifacts?.[0]?.parts, [{ text: "chunk-1 chunk-2" }]);
      });

      it("tck-reject-task", async () => {
        covers("failure");
        const { status } = await send("tck-reject-task");
        assert.equal(status.state, "TASK_STATE_REJECTED");
        assert.equal(status.message?.parts[0]?.text, "rejected");
      });

      it("test-resubscribe-message-id: WORKING for as long as a subscriber needs to come back", async () => {
        const message = suiteMessage("test-resubscribe-message-id");
        const opened = await openStream(sut.port, "SendStreamingMessage", { message }, 1, V1);
        const id = (await opened.event(1)).result?.task?.id ?? "";
        await opened.event(2);
        opened.destroy();
        const other = await subscribe(id);
        assert.equal(other.events()[0]?.result?.task?.status.state, "TASK_STATE_WORKING");
        await call("CancelTask", { id });
        assert.equal((await other.ended).at(-1)?.result?.statusUpdate?.status.state, "TASK_STATE_CANCELED");
      });

      for (const name of ["tck-dm-test-001", "tck-transport-test-001", "tck-sse-streaming-001", "tck-infer-ctx", "x"]) {
        it(`${name}, as anything else: COMPLETED with a message and a timestamp`, async () => {
          const { status } = await send(name);
          assert.equal(status.state, "TASK_STATE_COMPLETED");
          assert.notEqual(status.message, undefined);
          assert.match(status.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        });
      }
    });

    describe("serves where the suite calls", () => {
      it("the card without a version, cacheable, without a redirect, closed but for older dialects (CARD-STRUCT-001)", async () => {
        covers("card");
        const { status, headers, json } = await get(sut.port, "/.well-known/agent-card.json");
        assert.equal(status, 200);
        if (legacy) assert.throws(() => checkCard(json, "card"), /card\.\w+ is not of A2A/);
        else checkCard(json, "card");
        checkCard((await get(sut.port, "/.well-known/agent-card.json", { headers: V1 })).json, "card of 1.0");
        const { capabilities, supportedInterfaces } = json as unknown as {
          capabilities: object;
          supportedInterfaces: { url: string; protocolBinding: string }[];
        };
        const { extensions: _, ...plain } = { extensions: undefined, ...capabilities };
        assert.deepEqual(plain, { streaming: true, pushNotifications: true, extendedAgentCard: false });
        assert.equal(supportedInterfaces[0]?.protocolBinding, "JSONRPC");
        assert.equal(supportedInterfaces[0]?.url, `http://127.0.0.1:${sut.port}/`);
        assert.match(String(headers["cache-control"]), /max-age=\d+/);
        assert.notEqual(headers.etag, undefined);
        assert.notEqual(headers["last-modified"], undefined);
      });

      it("the url with and without another slash", async () => {
        for (const path of ["/", "//", "/a2a", "/a2a/"]) {
          const { json } = await call("GetTask", { id: "none" }, V1, path);
          assert.equal(json.error?.code, -32001, path);
        }
      });

      it("a burst of messages without any limit", async () => {
        const tasks = await Promise.all(Array.from({ length: 90 }, (_, at) => send(`tck-complete-task-${at}`)));
        assert.equal(new Set(tasks.map(({ id }) => id)).size, 90);
      });

      it("the same message id again and again, with the same text and with another", async () => {
        const ids = new Set<string>();
        for (const text of ["one", "one", "two", "one"]) {
          ids.add((await send("tck-complete-task", {}, undefined, text)).id);
          const asking = await send("tck-input-required", {}, undefined, text);
          assert.equal(asking.status.state, "TASK_STATE_INPUT_REQUIRED");
          ids.add(asking.id);
        }
        assert.equal(ids.size, 8, "each is a message of its own");
      });

      it("parameters in snake_case, and fields it does not know", async () => {
        const task = await send("tck-complete-task", { context_id: "ctx-of-the-suite", futureField: { a: [1] } });
        assert.equal(task.contextId, "ctx-of-the-suite");
        const { json } = await call("ListTasks", {
          context_id: "ctx-of-the-suite",
          page_size: 1,
          include_artifacts: true,
        });
        checkTaskList(json.result, "list");
        assert.equal((json.result as { totalSize?: number }).totalSize, 1);
      });
    });

    describe("keeps to the rules of tasks", () => {
      it("takes the context of the task, and follows up to its end", async () => {
        const task = await send("tck-input-required", {}, undefined, "first");
        const done = await send("tck-complete-task", { task_id: task.id }, undefined, "second");
        assert.deepEqual([done.id, done.contextId], [task.id, task.contextId]);
        assert.equal(done.status.state, "TASK_STATE_COMPLETED");
        const users = done.history?.filter(({ role }) => role === "ROLE_USER") ?? [];
        assert.deepEqual(
          users.map(({ parts }) => parts[0]?.text),
          ["first", "second"],
        );
      });

      it("refuses unknown tasks, ended tasks and foreign contexts", async () => {
        covers("errors");
        const asking = await send("tck-input-required");
        const done = await send("tck-complete-task");
        const refusals: [fields: object, code: number][] = [
          [{ task_id: "tck-nonexistent" }, -32001],
          [{ task_id: done.id }, -32004],
          [{ task_id: asking.id, context_id: "another" }, -32602],
        ];
        for (const [fields, code] of refusals) {
          const { json } = await call("SendMessage", { message: suiteMessage("tck-complete-task", fields) });
          checkError(json, code);
        }
      });

      it("shows tasks with as much history as asked for", async () => {
        covers("get");
        const asking = await send("tck-input-required");
        await send("tck-complete-task", { task_id: asking.id });
        const shown = async (params: object): Promise<number | undefined> => {
          const { json } = await call("GetTask", { id: asking.id, ...params });
          checkTask(json.result, "task");
          return json.result?.history?.length;
        };
        assert.ok(((await shown({})) ?? 0) >= 2);
        assert.equal(await shown({ history_length: 0 }), undefined);
        assert.equal(await shown({ history_length: 1 }), 1);
        assert.equal(await shown({ historyLength: 1 }), 1);
      });

      it("says with ErrorInfo that a task is unknown", async () => {
        const { json } = await call("GetTask", { id: "tck-nonexistent" });
        checkError(json, -32001);
        assert.deepEqual(Object.keys(json.error ?? {}).sort(), ["code", "data", "message"]);
        const info = json.error?.data[0] as unknown as Record<string, string>;
        assert.equal(info["@type"], "type.googleapis.com/google.rpc.ErrorInfo");
        assert.deepEqual([info.domain, info.reason], ["a2a-protocol.org", "TASK_NOT_FOUND"]);
      });

      it("cancels what asks, and nothing that has ended", async () => {
        covers("cancel");
        const asking = await send("tck-input-required");
        const { json } = await call("CancelTask", { id: asking.id });
        checkTask(json.result, "canceled");
        assert.equal(json.result?.id, asking.id);
        const done = await send("tck-complete-task");
        checkError((await call("CancelTask", { id: done.id })).json, -32002);
        checkError((await call("CancelTask", { id: "tck-nonexistent" })).json, -32001);
      });

      it("takes attachments of any type", async () => {
        covers("files");
        const parts = [{ raw: "dGNr", mediaType: "application/x-unsupported-tck-type", filename: "a.bin" }];
        assert.equal((await send("tck-send-003", { parts })).status.state, "TASK_STATE_COMPLETED");
      });
    });

    describe("streams subscriptions", () => {
      it("that stay open at a question and end with the task", async () => {
        covers("subscribe");
        const asking = await send("tck-input-required");
        const opened = await subscribe(asking.id, 9);
        checkTask(opened.events()[0]?.result?.task, "first frame");
        await send("tck-input-required", { task_id: asking.id });
        await opened.event(3);
        await send("tck-complete-task", { task_id: asking.id });
        const frames = await opened.ended;
        for (const frame of frames) checkFrame(frame, 9);
        assert.equal(frames.at(-1)?.result?.statusUpdate?.status.state, "TASK_STATE_COMPLETED");
        for (const line of opened.text().split("\n")) assert.match(line, /^(data: \{.*\}|:.*|)$/);
      });

      it("two of them with the same frames apart from their ids", async () => {
        const asking = await send("tck-input-required");
        const both = [await subscribe(asking.id, 1), await subscribe(asking.id, 2)];
        await send("tck-complete-task", { task_id: asking.id });
        const [first, second] = await Promise.all(both.map(({ ended }) => ended));
        assert.ok((first?.length ?? 0) >= 2);
        assert.deepEqual(
          first?.map(({ result }) => result),
          second?.map(({ result }) => result),
        );
      });

      it("of several at once, some of them left open", async () => {
        const asking = await send("tck-input-required");
        const left = await Promise.all(Array.from({ length: 8 }, () => subscribe(asking.id)));
        left[0]?.destroy();
        assert.equal((await send("tck-complete-task")).status.state, "TASK_STATE_COMPLETED");
        await call("CancelTask", { id: asking.id });
        await Promise.all(left.slice(1).map(({ ended }) => ended));
      });

      it("never of what has ended or is unknown", async () => {
        const done = await send("tck-complete-task");
        checkError((await call("SubscribeToTask", { id: done.id })).json, -32004);
        checkError((await call("SubscribeToTask", { id: "tck-nonexistent" })).json, -32001);
      });
    });

    describe("answers odd requests", () => {
      it("of other versions", async () => {
        const params = { message: suiteMessage("tck-ver-003") };
        checkError((await call("SendMessage", params, { "A2A-Version": "99.0" }, "/")).json, -32009);
        for (const version of ["", "1.0", "1.0.3"]) {
          const { json } = await call("SendMessage", params, { "A2A-Version": version }, "/");
          checkSendResult(json.result, `version ${version}`);
        }
      });

      it("with empty params, unknown methods and unknown extensions", async () => {
        checkError((await call("SendMessage", {})).json, -32602);
        checkError((await call("TckUnknownMethod", {})).json, -32601);
        const headers = { ...V1, "A2A-Extensions": "https://example.com/ext/a, urn:b" };
        const { status, json } = await call("SendMessage", { message: suiteMessage("tck-ext") }, headers);
        assert.equal(status, 200);
        checkSendResult(json.result, "result");
      });

      it("of another content type with a body that is no JSON", async () => {
        const reply = await post(sut.port, "this is not JSON", { headers: { ...V1, "Content-Type": "text/plain" } });
        checkError(reply.json, -32005);
      });
    });

    describe("notifies webhooks", () => {
      let receiver: Receiver;
      before(async () => {
        receiver = await startReceiver();
      });
      after(() => receiver.stop());

      const CONFIG_ID = `tck-push-${SESSION}`;
      const create = async (taskId: string, url = "https://example.com/tck-push-webhook"): Promise<Body> =>
        (await call("CreateTaskPushNotificationConfig", { taskId, id: CONFIG_ID, url })).json;

      it("keeps configs of completed tasks, the same id on each", async () => {
        covers("push");
        for (const name of ["tck-complete-task", "tck-artifact-text"]) {
          const { id } = await send(name);
          const { result } = await create(id);
          checkPushConfig(result, "created");
          assert.deepEqual([result?.id, (result as { taskId?: string }).taskId], [CONFIG_ID, id]);
          const place = { task_id: id, id: CONFIG_ID };
          checkPushConfig((await call("GetTaskPushNotificationConfig", place)).json.result, "read");
          const { json } = await call("ListTaskPushNotificationConfigs", { task_id: id });
          checkPushConfigList(json.result, "listed");
          checkError((await call("GetTaskPushNotificationConfig", { ...place, id: "none" })).json, -32001);
          for (const again of [1, 2]) {
            const deleted = await call("DeleteTaskPushNotificationConfig", place);
            assert.ok("result" in deleted.json, `delete ${again}`);
          }
          checkError((await call("GetTaskPushNotificationConfig", place)).json, -32001);
        }
      });

      it("delivers to the one that came with the first message, with its login on the first delivery", async () => {
        const taskPushNotificationConfig = {
          id: CONFIG_ID,
          url: receiver.url,
          authentication: { scheme: "Bearer", credentials: "tck-secret" },
        };
        const asking = await send("tck-input-required", {}, { taskPushNotificationConfig });
        await send("tck-complete-task", { task_id: asking.id });
        const last = await receiver.deliveries.next("the completed task", ({ body }) => body.includes("COMPLETED"));
        for (const { headers, body } of receiver.deliveries.all) {
          assert.equal(headers.authorization, "Bearer tck-secret");
          assert.equal(headers["content-type"], "application/a2a+json");
          checkStreamResponse(JSON.parse(body), "delivery");
        }
        assert.equal(JSON.parse(last.body).statusUpdate.taskId, asking.id);
      });
    });
  });
}

describe("the stand with switches", () => {
  let plain: SutProcess;
  let strict: SutProcess;
  before(async () => {
    [plain, strict] = await Promise.all([
      startSutProcess(["--port", "0", "--no-streaming", "--no-push"]),
      startSutProcess(["--port", "0", "--require-extension"]),
    ]);
  });
  after(() => Promise.all([plain.stop(), strict.stop()]));

  it("declines streaming and push", async () => {
    const { port } = plain;
    const { json } = await get(port, "/.well-known/agent-card.json");
    const { capabilities } = json as unknown as { capabilities: Record<string, unknown> };
    assert.deepEqual([capabilities.streaming, capabilities.pushNotifications], [false, false]);
    const message = suiteMessage("tck-stream-001");
    checkError((await callAt(port, "SendStreamingMessage", { message })).json, -32004);
    checkError((await callAt(port, "SubscribeToTask", { id: "x" })).json, -32004);
    const push = ["Create", "Get", "Delete"].map((verb) => `${verb}TaskPushNotificationConfig`);
    for (const method of [...push, "ListTaskPushNotificationConfigs"]) {
      const { json: refusal } = await callAt(port, method, { taskId: "x", id: "y", url: "https://example.com" });
      checkError(refusal, -32003);
    }
    checkSendResult((await callAt(port, "SendMessage", { message })).json.result, "result");
  });

  it("requires an extension", async () => {
    const { port } = strict;
    const uri = "urn:a2a:tck:required-extension";
    const { text, json } = await get(port, "/.well-known/agent-card.json");
    checkCard(json, "card");
    assert.ok(text.includes(JSON.stringify({ uri, required: true })));
    const message = suiteMessage("tck-complete-task");
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      checkError((await callAt(port, method, { message })).json, -32008);
    }
    const listed = await callAt(port, "SendMessage", { message }, { ...V1, "A2A-Extensions": uri });
    checkSendResult(listed.json.result, "result");
  });
});

describe("the process of the stand", () => {
  it("ends on SIGINT and SIGTERM, also behind npm and with streams open, and frees its port", async () => {
    const first = await startSutProcess(["--port", "0"]);
    const { port } = first;
    const message = suiteMessage("tck-input-required");
    const asking = (await callAt(port, "SendMessage", { message })).json.result?.task?.id;
    const opened = await openStream(port, "SubscribeToTask", { id: asking }, 1, V1);
    await opened.event(1);
    assert.equal(await first.stop("SIGINT"), 0);
    await opened.ended;
    const second = await startSutProcess(["--port", String(port)], { npm: true });
    assert.equal(second.port, port);
    await second.stop("SIGTERM");
    const server = createServer();
    await listenOn(server, port);
    const taken = await runSut(["--port", String(port)]);
    server.close();
    assert.equal(taken.code, 1);
    assert.match(taken.output, new RegExp(`port ${port} is taken`));
  });

  it("says what is wrong with its flags", async () => {
    const [unknown, wrong, help] = await Promise.all([["--prot", "1"], ["--port", "x"], ["--help"]].map(runSut));
    assert.equal(unknown?.code, 1);
    assert.match(unknown?.output ?? "", /--prot[\s\S]*Usage: npm run sut/);
    assert.match(wrong?.output ?? "", /--port must be a number/);
    assert.equal(help?.code, 0);
  });
});

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
}

function callAt(
  port: number,
  method: string,
  params?: unknown,
  headers: Record<string, string> = V1,
  path = "/",
): Promise<CallReply> {
  return post(port, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), { headers, path });
}

function checkFrame(frame: Body, id: number): void {
  assert.deepEqual(Object.keys(frame).sort(), ["id", "jsonrpc", "result"]);
  assert.equal(frame.jsonrpc, "2.0");
  assert.equal(frame.id, id);
  checkStreamResponse(frame.result, "frame");
}

function checkError({ error, result }: Body, code: number): void {
  assert.equal(result, undefined);
  assert.equal(error?.code, code, JSON.stringify(error));
  assert.notEqual(error?.message ?? "", "");
}

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Receiver {
  readonly url: string;
  readonly deliveries: EventLog<Delivery>;
  stop(): Promise<void>;
}

/** A webhook as the suite runs it: IPv4 only, answers 200 to everything. */
async function startReceiver(): Promise<Receiver> {
  const deliveries = createEventLog<Delivery>();
  const server: Server = createServer((incoming, response) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    incoming.on("end", () => {
      deliveries.push({ headers: incoming.headers, body });
      response.end();
    });
  });
  await listenOn(server, 0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    deliveries,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
