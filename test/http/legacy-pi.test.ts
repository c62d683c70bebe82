// The dialect of older pi-a2a sessions over real sockets: bare results in the spelling of 1.0, stubs in lists, streams of whole tasks
// and bare artifacts.

import assert from "node:assert/strict";
import { openStream } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { checkMessage, checkPushConfig, checkTask } from "../support/closed-shapes.ts";
import { startHttpPeer } from "../support/http-peer.ts";
import { type Loose, oldCall, oldFrames, piParams, V03 } from "../support/old-calls.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

describe("older pi-a2a sessions as callers", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ push: {} });
  });
  afterEach(() => server.stop());

  const call = (method: string, params?: unknown): Promise<Loose> => oldCall(server.port, method, params);
  const working = async (message: object = {}): Promise<{ task: Loose; run: RunHandle }> => {
    const sent = call("message/send", piParams("work", message, { return_immediately: true }));
    const run = await server.runner.next();
    run.working();
    return { task: (await sent).result, run };
  };

  it("get the bare task of 1.0, blocking by default (W01)", async () => {
    const sent = call("message/send", piParams("hello"));
    const run = await server.runner.next();
    run.text("hi there");
    run.complete();
    const { result } = await sent;
    checkTask(result, "result");
    assert.equal(result.status.state, "TASK_STATE_COMPLETED");
    assert.equal(result.artifacts[0].parts[0].text, "hi there");
  });

  it("get a direct message bare as well", async () => {
    const sent = call("message/send", piParams("hello"));
    (await server.runner.next()).reply("hi");
    checkMessage((await sent).result, "result");
  });

  it("send without messageId twice and get two tasks", async () => {
    const both = [await working(), await working()];
    assert.notEqual(both[0]?.task.id, both[1]?.task.id);
    for (const { task, run } of both) {
      assert.equal(task.status.state, "TASK_STATE_WORKING");
      run.complete();
    }
  });

  it("go on in their context, and answer a question in its task", async () => {
    const asked = call("message/send", piParams("start", { contextId: "ctx-mine" }));
    (await server.runner.next()).ask("which one?");
    const { result: asking } = await asked;
    assert.deepEqual([asking.status.state, asking.contextId], ["TASK_STATE_INPUT_REQUIRED", "ctx-mine"]);
    const answered = call("message/send", piParams("that", { taskId: asking.id }));
    (await server.runner.next()).complete();
    assert.equal((await answered).result.id, asking.id);
    const next = call("message/send", piParams("more", { contextId: "ctx-mine" }));
    const run = await server.runner.next();
    assert.equal(run.request.previousTaskId, asking.id);
    run.complete();
    await next;
  });

  it("list stubs, newest first, and learn of more than a hundred by a token", async () => {
    const { task, run } = await working();
    assert.deepEqual((await call("tasks/list")).result, { tasks: [{ id: task.id, state: "TASK_STATE_WORKING" }] });
    run.complete();
    const after = await call("tasks/list", {});
    assert.deepEqual(after.result.tasks, [{ id: task.id, state: "TASK_STATE_COMPLETED" }]);
    const old = await oldCall(server.port, "tasks/list", {}, { headers: V03 });
    assert.deepEqual(old.result.tasks, [{ id: task.id, state: "completed" }]);
    await (await working()).run.complete();
    const page = await call("tasks/list", { pageSize: 1 });
    assert.equal(page.result.tasks.length, 1);
    const rest = await call("tasks/list", { pageSize: 1, pageToken: page.result.nextPageToken });
    assert.deepEqual(rest.result.tasks, [{ id: task.id, state: "TASK_STATE_COMPLETED" }]);
  });

  it("filter their list by a state in any spelling (W08)", async () => {
    const { task, run } = await working();
    run.complete();
    for (const state of ["TASK_STATE_COMPLETED", "completed", "COMPLETED"]) {
      assert.equal((await call("tasks/list", { status: state })).result.tasks[0].id, task.id, state);
      assert.equal((await call("tasks/list", { state })).result.tasks.length, 1, state);
    }
    for (const state of ["canceled", "cancelled", "input-required", "input_required"]) {
      assert.deepEqual((await call("tasks/list", { status: state })).result.tasks, [], state);
    }
    assert.equal((await call("tasks/list", { status: "frobnicated" })).error.code, -32602);
    assert.equal((await call("tasks/list", { status: {} })).error.code, -32602);
  });

  it("name a task by id or by taskId", async () => {
    const { task, run } = await working();
    for (const params of [{ id: task.id }, { taskId: task.id }, { task_id: task.id }]) {
      assert.equal((await call("tasks/get", params)).result.id, task.id);
    }
    run.complete();
    assert.equal((await call("tasks/cancel", { id: task.id })).error.code, -32002);
    assert.equal((await call("tasks/get", {})).error.code, -32602);
  });

  it("stream whole tasks and whole artifacts, never a piece that would replace the text before it", async () => {
    const frames = oldFrames(server.port, "message/stream", piParams("hello"));
    const run = await server.runner.next();
    run.working("read");
    run.text("a", { provisional: true });
    run.text("b", { provisional: true, append: true });
    run.text("c", { append: true, lastChunk: true });
    run.metadata({ truncated: true });
    run.complete();
    const all = await frames;
    assert.deepEqual(
      all.map((frame) => Object.keys(frame)[0]),
      ["statusUpdate", "statusUpdate", "artifactUpdate", "statusUpdate"],
    );
    for (const { statusUpdate } of all) if (statusUpdate !== undefined) checkTask(statusUpdate, "statusUpdate");
    assert.deepEqual(all[2].artifactUpdate, { artifactId: "reply", parts: [{ text: "abc" }] });
    const { status, artifacts, metadata } = all[3].statusUpdate;
    assert.equal(status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(artifacts, [all[2].artifactUpdate]);
    assert.deepEqual(metadata, { truncated: true });
  });

  it("stream an artifact that nobody completed before the end, and a question with it", async () => {
    const frames = oldFrames(server.port, "message/stream", piParams("hello"));
    const run = await server.runner.next();
    run.text("so far", { provisional: true });
    run.ask("which one?");
    const all = await frames;
    assert.deepEqual(all.at(-2).artifactUpdate.parts, [{ text: "so far" }]);
    assert.equal(all.at(-1).statusUpdate.status.message.parts[0].text, "which one?");
  });

  it("stream a direct message as its one frame", async () => {
    const frames = oldFrames(server.port, "message/stream", piParams("hello"));
    (await server.runner.next()).reply("hi");
    const [first, ...rest] = await frames;
    checkMessage(first.message, "message");
    assert.equal(rest.length, 0);
  });

  it("subscribe to a task until it ends, and to an ended one for a snapshot", async () => {
    const { task, run } = await working();
    const stream = await openStream(server.port, "tasks/subscribe", { id: task.id });
    await stream.event(1);
    run.ask("which one?");
    await stream.event(2);
    const answered = call("message/send", piParams("that", { taskId: task.id }));
    (await server.runner.next()).complete();
    await answered;
    const last: Loose = (await stream.ended).at(-1)?.result;
    assert.equal(last.statusUpdate.status.state, "TASK_STATE_COMPLETED");
    const again = await oldFrames(server.port, "tasks/subscribe", { id: task.id });
    assert.deepEqual(again, [last]);
  });

  it("hear of an error of a stream as plain JSON", async () => {
    for (const method of ["message/stream", "tasks/subscribe"]) {
      const stream = await openStream(server.port, method, piParams("a", { taskId: "none" }));
      assert.equal(stream.headers["content-type"], "application/json", method);
      await stream.ended;
    }
  });

  it("make, get, list and delete webhooks as flat as in 1.0, and get its bodies", async () => {
    const receiver = await startHttpPeer((_request, response) => void response.writeHead(200).end());
    const { task, run } = await working();
    const place = { taskId: task.id, id: "mine" };
    const made = await call("tasks/pushNotificationConfig/create", { ...place, url: `${receiver.origin}/` });
    checkPushConfig(made.result, "made");
    const nested = { taskId: task.id, pushNotificationConfig: { id: "mine", url: `${receiver.origin}/` } };
    assert.deepEqual((await call("tasks/pushNotificationConfig/set", nested)).result, made.result);
    assert.deepEqual((await call("tasks/pushNotificationConfig/get", place)).result, made.result);
    const listed = await call("tasks/pushNotificationConfig/list", { id: task.id });
    assert.deepEqual(listed.result, { configs: [made.result] });
    run.complete();
    await receiver.arrived(1);
    const [told] = receiver.requests;
    assert.equal(told?.headers["content-type"], "application/a2a+json");
    assert.equal(JSON.parse(told?.body ?? "").statusUpdate.taskId, task.id);
    assert.deepEqual((await call("tasks/pushNotificationConfig/delete", place)).result, {});
    await server.stop();
    await receiver.stop();
    server = await startTestServer();
  });
});
