// SendMessage: when it answers, with what, and what it takes.

import assert from "node:assert/strict";
import type { Part } from "../../src/core/protocol/types.ts";
import { call, textParams } from "../support/a2a-calls.ts";
import { createAnsweringRunner, startTestServer, type TestServer } from "../support/a2a-server.ts";
import { openConnection, postText } from "../support/raw-connection.ts";
import { hostileTexts } from "./hostile-texts.ts";
import {
  askingTask,
  assertNothingStarted,
  type Ending,
  endedTask,
  endRun,
  errorOf,
  fieldsOf,
  getTask,
  sendTo,
  taskOf,
  until,
  workingTask,
} from "./stage.ts";

describe("SendMessage", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ engineLimits: { maxConcurrent: 2 } });
  });
  afterEach(() => server.stop());

  it("[send-blocking-default] [send-one-member] answers when the task has ended, with all of it (W01)", async () => {
    const sent = sendTo(server);
    let answered = false;
    void sent.then(() => {
      answered = true;
    });
    const run = await server.runner.next();
    run.working();
    run.text("one", { id: "a" });
    run.text("two", { id: "b" });
    await getTask(server, run.request.taskId);
    assert.equal(answered, false);
    run.complete();
    const reply = await sent;
    assert.deepEqual(Object.keys(reply.json.result ?? {}), ["task"]);
    const task = taskOf(reply);
    assert.equal(task.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(
      task.artifacts?.map(({ parts }) => parts),
      [[{ text: "one" }], [{ text: "two" }]],
    );
  });

  it("[send-blocking-default] waits also when it is told to", async () => {
    const sent = sendTo(server, "a", {}, { returnImmediately: false });
    const run = await server.runner.next();
    run.working();
    run.complete();
    assert.equal(taskOf(await sent).status.state, "TASK_STATE_COMPLETED");
  });

  it("[send-blocking-question] answers with a question, also for a login (S15)", async () => {
    const asked = sendTo(server);
    (await server.runner.next()).ask("which one?");
    const question = taskOf(await asked);
    assert.equal(question.status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.deepEqual(question.status.message?.parts, [{ text: "which one?" }]);

    const login = sendTo(server);
    (await server.runner.next()).askLogin("log in at the console");
    const needed = taskOf(await login);
    assert.equal(needed.status.state, "TASK_STATE_AUTH_REQUIRED");
    assert.deepEqual(needed.status.message?.parts, [{ text: "log in at the console" }]);
  });

  it("[send-every-ending] gives each ending as a task", async () => {
    const endings: [Ending, string][] = [
      ["complete", "TASK_STATE_COMPLETED"],
      ["fail", "TASK_STATE_FAILED"],
      ["reject", "TASK_STATE_REJECTED"],
      ["cancel", "TASK_STATE_CANCELED"],
    ];
    for (const [ending, state] of endings) {
      const sent = sendTo(server);
      endRun(await server.runner.next(), ending);
      const reply = await sent;
      assert.equal(reply.status, 200);
      assert.equal(taskOf(reply).status.state, state);
    }
  });

  it("[send-return-immediately] answers as soon as the task exists", async () => {
    const { task, run } = await workingTask(server);
    assert.equal(task.status.state, "TASK_STATE_WORKING");
    assert.equal(run.over(), false);
    run.complete();
  });

  it("[send-message-reply] [send-return-immediately-message] [send-one-member] gives a Message reply", async () => {
    for (const configuration of [undefined, { returnImmediately: true }]) {
      const sent = sendTo(server, "hi", { contextId: "talk" }, configuration);
      (await server.runner.next()).reply("hello yourself");
      const { result } = (await sent).json;
      assert.deepEqual(Object.keys(result ?? {}), ["message"]);
      assert.deepEqual(
        { ...result?.message, messageId: "" },
        {
          messageId: "",
          contextId: "talk",
          role: "ROLE_AGENT",
          parts: [{ text: "hello yourself" }],
        },
      );
      assert.notEqual(result?.message?.messageId, "");
    }
  });

  it("[send-task-stays-task] gives a task that was shown, whatever the agent says last", async () => {
    const sent = sendTo(server);
    const run = await server.runner.next();
    run.working();
    run.reply("as a message");
    const task = taskOf(await sent);
    assert.equal(task.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ text: "as a message" }]);
  });

  it("[send-outputs-in-artifacts] [history-no-reply] shows the reply in the artifact alone", async () => {
    const sent = sendTo(server, "question");
    const run = await server.runner.next();
    run.working("reading");
    run.text("the answer");
    run.complete();
    const { text } = await sent;
    assert.equal(text.split("the answer").length, 2);
    assert.equal(text.includes("reading"), false);
  });

  it("[send-disconnect] [send-windows] goes on when its caller is lost, until its window closes", async () => {
    const connection = await openConnection(server.port);
    connection.send(
      postText(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params: textParams("a") })),
    );
    const run = await server.runner.next();
    run.working();
    connection.destroy();
    await server.idle();
    server.clock.tick(599_999);
    assert.equal(run.request.signal.aborted, false);
    server.clock.tick(1);
    assert.equal(run.request.signal.aborted, true);
    await until(() => server.engine.stats().failed === 1);
    assert.match((await getTask(server, run.request.taskId)).status.message?.parts[0]?.text ?? "", /600 s/);
  });

  it("[send-windows] ends a detached task at the supervision window only", async () => {
    const { run } = await workingTask(server);
    server.clock.tick(3_599_999);
    assert.equal(run.request.signal.aborted, false);
    server.clock.tick(1);
    assert.equal(run.request.signal.aborted, true);
  });

  it("[send-same-message-id] makes a new task when an id comes again after its reply", async () => {
    const first = await endedTask(server, "complete", { messageId: "the-same" });
    const second = await endedTask(server, "complete", { messageId: "the-same" });
    assert.notEqual(first.task.id, second.task.id);
  });

  it("[send-any-media-type] [send-part-order] hands every part to the agent as it came (W13)", async () => {
    const parts: Part[] = [
      { text: "look at these", metadata: { a: [1, null] } },
      { raw: "AAECAw==", mediaType: "application/x-unknown", filename: "a.bin" },
      { url: "https://example.com/b.pdf", mediaType: "application/pdf", filename: "b.pdf" },
      { data: { key: [1, { deep: null }] }, mediaType: "application/json" },
      { text: "and say why", mediaType: "text/markdown", filename: "c.md" },
    ];
    const sent = sendTo(server, "", { parts });
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, parts);
    run.complete();
    const history = taskOf(await sent).history ?? [];
    assert.deepEqual(history[0]?.parts, parts);
  });

  it("[send-output-modes] is not refused for the types that its caller wants", async () => {
    const sent = sendTo(server, "a", {}, { acceptedOutputModes: ["image/png", "x/y"] });
    const run = await server.runner.next();
    run.text("only text");
    run.complete();
    assert.equal(taskOf(await sent).artifacts?.[0]?.parts[0]?.text, "only text");
  });

  it("[send-history-length] shows as much history as was asked for", async () => {
    const { task, run } = await askingTask(server);
    assert.equal(run.over(), true);
    const answered = sendTo(server, "that one", { taskId: task.id }, { historyLength: 1 });
    (await server.runner.next()).complete();
    const history = taskOf(await answered).history ?? [];
    assert.deepEqual(
      history.map(({ parts }) => parts[0]?.text),
      ["that one"],
    );
    const none = sendTo(server, "a", {}, { historyLength: 0 });
    (await server.runner.next()).complete();
    assert.equal("history" in taskOf(await none), false);
  });

  it("[send-metadata] takes any object as metadata of request and message", async () => {
    const metadata = { "urn:x": { list: [1, "a", null, {}], nothing: null }, "": false };
    const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }], metadata };
    const sent = call(server.port, "SendMessage", { message, metadata });
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.metadata, metadata);
    run.complete();
    assert.equal((await sent).status, 200);
  });

  it("[send-text-unchanged] carries every text both ways as it is", async () => {
    for (const text of hostileTexts().map((hostile) => `${hostile}.`)) {
      const sent = sendTo(server, text);
      const run = await server.runner.next();
      assert.deepEqual(run.request.message.parts, [{ text }]);
      run.text(text);
      run.complete();
      const task = taskOf(await sent);
      assert.equal(task.artifacts?.[0]?.parts[0]?.text, text);
      assert.equal(task.history?.[0]?.parts[0]?.text, text);
    }
  });

  it("[send-busy] [send-one-pool] [env-retry-after] is busy at once when every slot is taken (S14)", async () => {
    const detached = await workingTask(server);
    const blocking = sendTo(server);
    const run = await server.runner.next();
    run.working();
    for (const configuration of [undefined, { returnImmediately: true }]) {
      const refused = await sendTo(server, "one more", {}, configuration);
      assert.equal(refused.status, 503);
      assert.match(String(refused.headers["retry-after"]), /^[1-9]\d*$/);
      const error = errorOf(refused);
      assert.equal(error.code, -32053);
      assert.match(error.message, /2 slots.*1 by detached/);
      assert.ok(JSON.stringify(error.data).includes(detached.task.id));
    }
    assert.equal(server.runner.runs.length, 2);
    run.complete();
    detached.run.complete();
    await blocking;
  });

  it("[send-waiting-ack] [send-context-line] runs a context in order, and acknowledges what waits (S09)", async () => {
    const first = await workingTask(server, { contextId: "shared" });
    const second = taskOf(await sendTo(server, "second", { contextId: "shared" }, { returnImmediately: true }));
    assert.equal(second.status.state, "TASK_STATE_SUBMITTED");
    assert.equal(server.runner.runs.length, 1);
    const other = await endedTask(server, "complete", { contextId: "elsewhere" });
    assert.equal(other.task.status.state, "TASK_STATE_COMPLETED");
    first.run.fail("no luck");
    const run = await server.runner.next();
    assert.equal(run.request.taskId, second.id);
    run.complete();
    await until(() => server.engine.stats().completed === 2);
    assert.equal((await getTask(server, second.id)).status.state, "TASK_STATE_COMPLETED");
  });

  it("[send-context-line-cap] lets eight messages wait in a context, not nine", async () => {
    const { run } = await workingTask(server, { contextId: "c" });
    const wait = () => sendTo(server, "next", { contextId: "c" }, { returnImmediately: true });
    for (let waiting = 0; waiting < 8; waiting++) {
      assert.equal(taskOf(await wait()).status.state, "TASK_STATE_SUBMITTED");
    }
    const refused = await wait();
    assert.equal(refused.status, 503);
    assert.equal(errorOf(refused).code, -32053);
    run.complete();
    for (let waiting = 0; waiting < 8; waiting++) (await server.runner.next()).complete();
    await until(() => server.engine.stats().completed === 9);
  });
});

describe("a message that is refused", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(async () => {
    assertNothingStarted(server);
    await server.stop();
  });

  const MESSAGE = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] };
  const refused = async (message: unknown, field: string): Promise<void> => {
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      const reply = await call(server.port, method, { message });
      assert.equal(reply.headers["content-type"], "application/json");
      assert.deepEqual(fieldsOf(reply), [field], `${method} ${JSON.stringify(message)}`);
    }
  };

  it("[send-message-checked] lacks its id, its role or its parts (W18)", async () => {
    await refused(undefined, "message");
    await refused({ ...MESSAGE, messageId: undefined }, "message.messageId");
    await refused({ ...MESSAGE, messageId: "" }, "message.messageId");
    await refused({ ...MESSAGE, role: undefined }, "message.role");
    await refused({ ...MESSAGE, role: "ROLE_UNSPECIFIED" }, "message.role");
    await refused({ ...MESSAGE, parts: undefined }, "message.parts");
    await refused({ ...MESSAGE, parts: [] }, "message.parts");
  });

  it("[send-part-one-content] has a part with no content or with several (W18)", async () => {
    const contents = [{ text: "a" }, { raw: "QQ==" }, { url: "https://example.com" }, { data: 1 }];
    await refused({ ...MESSAGE, parts: [{}] }, "message.parts[0]");
    await refused({ ...MESSAGE, parts: [{ text: "a" }, { mediaType: "text/plain" }] }, "message.parts[1]");
    for (const [index, one] of contents.entries()) {
      for (const other of contents.slice(index + 1)) {
        await refused({ ...MESSAGE, parts: [{ ...one, ...other }] }, "message.parts[0]");
      }
    }
  });

  it("[send-user-role] claims to be the agent's", async () => {
    for (const role of ["ROLE_AGENT", 2]) await refused({ ...MESSAGE, role }, "message.role");
  });

  it("[send-blank-text] says nothing (W18)", async () => {
    for (const text of ["", " ", "\n\t", "\u00a0\u2003\ufeff"]) {
      await refused({ ...MESSAGE, parts: [{ text }] }, "message.parts");
      await refused({ ...MESSAGE, parts: [{ text }, { text }] }, "message.parts");
    }
  });
});

describe("a message with a blank text among others", () => {
  it("[send-blank-text] is taken", async () => {
    const server = await startTestServer({ runner: createAnsweringRunner() });
    for (const other of [{ text: "x" }, { url: "https://example.com" }, { raw: "" }, { data: null }]) {
      const reply = await sendTo(server, "", { parts: [{ text: " " }, other] });
      assert.equal(taskOf(reply).status.state, "TASK_STATE_COMPLETED");
    }
    await server.stop();
  });
});
