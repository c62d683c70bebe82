// The data model as JSON, in both directions.

import assert from "node:assert/strict";
import type { Message, Part } from "../../src/core/protocol/types.ts";
import { call, get, openStream, post, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { framesOf } from "./frames.ts";
import { askingTask, endedTask, getTask, sendTo, taskOf, until, workingTask } from "./stage.ts";
import { shapeFaults } from "./wire-shape.ts";

const ALL_PARTS: readonly Part[] = [
  { text: "", metadata: { a: null } },
  { text: "plain", mediaType: "text/plain", filename: "a.txt" },
  { raw: "", mediaType: "application/octet-stream" },
  { raw: "AAECAwQ=", filename: "b.bin", mediaType: "application/x-unknown", metadata: { size: 5 } },
  { url: "https://example.com/c", filename: "c", mediaType: "image/png" },
  { data: null },
  { data: false },
  { data: 0 },
  { data: "" },
  { data: [] },
  { data: {}, metadata: { kind: "x" } },
  { data: { snake_case: 1, "": [null, { kind: "mine" }] } },
];

describe("what is written", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  it("[out-known-fields] [out-no-null] [out-no-empty] [out-camel-case] is what the specification has", async () => {
    const stream = await openStream(
      server.port,
      "SendStreamingMessage",
      textParams("a", {
        parts: ALL_PARTS,
        metadata: { a: 1 },
        extensions: ["urn:x"],
        referenceTaskIds: ["t"],
        futureField: 1,
      }),
    );
    const run = await server.runner.next();
    run.working("a note");
    run.metadata({});
    const artifact = {
      artifactId: "files",
      name: "files",
      description: "all",
      parts: ALL_PARTS,
      extensions: ["urn:x"],
    };
    run.emit({ kind: "artifact", artifact, append: false, lastChunk: true });
    run.emit({
      kind: "artifact",
      artifact: { artifactId: "b", name: "", parts: [{ text: "b" }], metadata: {} },
      append: false,
      lastChunk: false,
    });
    run.complete("done");
    const frames = framesOf(await stream.ended);
    assert.equal(frames.length, 5);
    assert.deepEqual(
      frames.flatMap((frame) => shapeFaults("StreamResponse", frame)),
      [],
    );
    const { id, result } = (await call(server.port, "GetTask", { id: run.request.taskId })).json;
    assert.equal(id, 1);
    assert.deepEqual(shapeFaults("Task", result), []);
    for (const { task } of [await askingTask(server), await workingTask(server), await endedTask(server, "fail")]) {
      assert.deepEqual(shapeFaults("Task", task), []);
    }
    server.runner.runs.at(-2)?.complete();
    const sent = sendTo(server);
    (await server.runner.next()).reply("hi");
    assert.deepEqual(shapeFaults("SendResult", (await sent).json.result), []);
    const headers = { "A2A-Version": "1.0" };
    assert.deepEqual(
      shapeFaults("AgentCard", JSON.parse((await get(server.port, "/.well-known/agent-card.json", { headers })).text)),
      [],
    );
  });

  it("[out-known-fields] would not pass with a fault", () => {
    const status = { state: "TASK_STATE_WORKING", timestamp: "2026-01-01T00:00:00.000Z" };
    const task = { id: "t", contextId: "c", status };
    assert.deepEqual(shapeFaults("Task", task), []);
    const faulty: object[] = [
      { ...task, kind: "task" },
      { ...task, metadata: null },
      { ...task, metadata: {} },
      { ...task, history: [] },
      { ...task, contextId: "" },
      { ...task, artifacts: [{ artifactId: "a", parts: [] }] },
      { ...task, artifacts: [{ artifactId: "a", parts: [{ text: "a", data: 1 }] }] },
      { ...task, artifacts: [{ artifactId: "a", parts: [{ raw: "QQ" }] }] },
      { ...task, status: { ...status, state: "completed" } },
      { ...task, status: { ...status, timestamp: "2026-01-01T00:00:00Z" } },
      { id: "t", status },
    ];
    for (const fault of faulty) assert.equal(shapeFaults("Task", fault).length, 1, JSON.stringify(fault));
  });

  it("[out-enum-names] has enums by their full names", async () => {
    const { task } = await askingTask(server, { role: 1 });
    assert.equal(task.status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.equal(task.status.message?.role, "ROLE_AGENT");
    assert.equal(task.history?.[0]?.role, "ROLE_USER");
  });

  it("[out-part-members] [out-part-presence] has every kind of part as it was", async () => {
    const sent = sendTo(server, "", { parts: ALL_PARTS });
    const run = await server.runner.next();
    run.emit({ kind: "artifact", artifact: { artifactId: "a", parts: ALL_PARTS }, append: false, lastChunk: true });
    run.complete();
    const task = taskOf(await sent);
    assert.deepEqual(task.artifacts?.[0]?.parts, ALL_PARTS);
    assert.deepEqual(task.history?.[0]?.parts, ALL_PARTS);
  });

  it("[out-base64] has bytes in standard base64 with padding", async () => {
    const sent = sendTo(server, "", { parts: [{ raw: "-_-_-w" }, { raw: "QQ" }] });
    (await server.runner.next()).complete();
    assert.deepEqual(taskOf(await sent).history?.[0]?.parts, [{ raw: "+/+/+w==" }, { raw: "QQ==" }]);
  });

  it("[out-timestamp] [out-timestamp-moves] has a new UTC time for each status (W17)", async () => {
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("a"));
    const run = await server.runner.next();
    for (const note of ["one", "two", "three"]) {
      server.clock.tick(1);
      run.working(note);
    }
    server.clock.tick(250);
    run.fail("no luck");
    const frames = framesOf(await stream.ended);
    const times = frames.map(({ task, statusUpdate }) => (task ?? statusUpdate)?.status.timestamp ?? "");
    for (const time of times) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(times, [...new Set(times)].sort());
    assert.equal((await getTask(server, run.request.taskId)).status.timestamp, times.at(-1));
  });

  it("[out-timestamp-moves] never goes back, also when the clock does", async () => {
    const { task, run } = await workingTask(server);
    const before = task.status.timestamp;
    server.clock.now = () => Date.parse(before) - 60_000;
    run.ask("which one?");
    await until(() => server.engine.stats().running === 0);
    assert.equal((await getTask(server, task.id)).status.timestamp, before);
  });

  it("[out-task-required] has id, context and status from the first moment", async () => {
    const { run } = await workingTask(server, { contextId: "c" });
    const waiting = taskOf(await sendTo(server, "next", { contextId: "c" }, { returnImmediately: true }));
    assert.deepEqual(Object.keys(waiting), ["history", "id", "contextId", "status"]);
    assert.equal(waiting.status.state, "TASK_STATE_SUBMITTED");
    run.complete();
    const next = await server.runner.next();
    next.complete();
  });

  it("[out-artifact-ids] has each artifact once", async () => {
    const sent = sendTo(server);
    const run = await server.runner.next();
    for (const [id, text] of [
      ["a", "1"],
      ["b", "2"],
      ["a", "3"],
    ] as const)
      run.text(text, { id });
    run.complete();
    const { artifacts } = taskOf(await sent);
    assert.deepEqual(
      artifacts?.map(({ artifactId, parts }) => [artifactId, parts[0]?.text]),
      [
        ["a", "3"],
        ["b", "2"],
      ],
    );
  });
});

describe("what is read", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  /** The message as the agent gets it. */
  const received = async (params: object, body?: string): Promise<Message> => {
    const text = body ?? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params });
    const sent = post(server.port, text);
    const run = await server.runner.next();
    run.complete();
    taskOf(await sent);
    return run.request.message;
  };
  const MESSAGE = { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }] };

  it("[in-snake-case] may be in snake_case, at every level", async () => {
    const message = {
      ...{ message_id: "m", role: "ROLE_USER", context_id: "c", reference_task_ids: ["t"] },
      parts: [{ raw: "QQ==", media_type: "a/b" }],
    };
    const { contextId, referenceTaskIds, parts } = await received({ message });
    assert.deepEqual([contextId, referenceTaskIds, parts], ["c", ["t"], [{ raw: "QQ==", mediaType: "a/b" }]]);

    const sent = call(server.port, "SendMessage", { message: MESSAGE, configuration: { return_immediately: true } });
    const run = await server.runner.next();
    run.working();
    const { id, status } = taskOf(await sent);
    assert.equal(status.state, "TASK_STATE_WORKING");
    assert.equal("history" in (await getTask(server, id, { history_length: 0 })), false);
    run.complete();
  });

  it("[in-snake-case] is read in camelCase when both are there", async () => {
    assert.equal(
      (await received({ message: { ...MESSAGE, contextId: "right", context_id: "wrong" } })).contextId,
      "right",
    );
  });

  it("[in-enum-numbers] may have enums by number", async () => {
    assert.equal((await received({ message: { ...MESSAGE, role: 1 } })).role, "ROLE_USER");
  });

  it("[in-number-strings] may have numbers as strings", async () => {
    const { task } = await askingTask(server);
    for (const historyLength of ["1", 1, 1.0]) {
      assert.equal((await getTask(server, task.id, { historyLength })).history?.length, 1);
    }
  });

  it("[in-null-unset] may have null for what is unset, at every level", async () => {
    const nothing = { contextId: null, taskId: null, metadata: null, extensions: null, referenceTaskIds: null };
    const parts = [{ text: "a", raw: null, url: null, data: null, mediaType: null, filename: null, metadata: null }];
    const configuration = { historyLength: null, returnImmediately: null, acceptedOutputModes: null };
    const message = await received({
      message: { ...MESSAGE, ...nothing, parts },
      configuration: { ...configuration, taskPushNotificationConfig: null },
      metadata: null,
      tenant: null,
    });
    assert.deepEqual(Object.keys(message).sort(), ["contextId", "messageId", "parts", "role", "taskId"]);
    assert.deepEqual(message.parts, [{ text: "a" }]);
    await received({ message: MESSAGE, configuration: null });
  });

  it("[in-base64] may have bytes in either alphabet, padded or not", async () => {
    for (const raw of ["-_-_-w==", "+/+/+w", "-_-_-w", "+/+/+w=="]) {
      assert.deepEqual((await received({ message: { ...MESSAGE, parts: [{ raw }] } })).parts, [{ raw: "+/+/+w==" }]);
    }
  });

  it("[in-unknown-fields] may have fields that nobody knows, at every level (W21)", async () => {
    const extra = { futureField: { a: [1] }, kind: "message", $type: "x" };
    const message = await received({
      message: { ...MESSAGE, ...extra, parts: [{ text: "a", ...extra }] },
      configuration: { ...extra, taskPushNotificationConfig: null },
      ...extra,
    });
    assert.doesNotMatch(JSON.stringify(message), /future|kind|\$type/);
    const envelope = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: { message: MESSAGE }, ...extra };
    await received({}, JSON.stringify(envelope));
  });

  it("[in-data-any-json] may have any JSON value as data", async () => {
    for (const data of [null, true, 0, -1.5e-7, "", "x", [], [null, [1]], {}, { a: { b: [{}] } }]) {
      assert.deepEqual((await received({ message: { ...MESSAGE, parts: [{ data }] } })).parts, [{ data }]);
    }
  });

  it("[in-hostile-names] is never taken from the names that every object has", async () => {
    const hostile = '{"__proto__":{"text":"evil","polluted":1},"constructor":{"x":1},"text":"a"}';
    const data = '{"data":{"__proto__":{"polluted":1},"constructor":1,"a":1}}';
    const text =
      `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"__proto__":{"tenant":7},"message":` +
      `{"messageId":"m","role":"ROLE_USER","__proto__":{"taskId":"evil"},"parts":[${hostile},${data}],` +
      `"metadata":{"__proto__":{"polluted":1},"b":2}}}}`;
    const { parts, metadata, taskId } = await received({}, text);
    assert.deepEqual(parts, [{ text: "a" }, { data: { constructor: 1, a: 1 } }]);
    assert.deepEqual(metadata, { b: 2 });
    assert.match(taskId ?? "", /^task-/);
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
  });
});
