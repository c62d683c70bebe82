// GetTask and CancelTask.

import assert from "node:assert/strict";
import { call, openStream, textParams, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { kindsOf } from "./frames.ts";
import { askingTask, endedTask, errorOf, getTask, sendTo, taskOf, until, workingTask } from "./stage.ts";

describe("GetTask", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  const texts = ({ history = [] }: WireTask) => history.map(({ parts }) => parts[0]?.text);
  /** A task of two turns: "start", the question "which one?", "that one". */
  const twoTurns = async (): Promise<WireTask> => {
    const { task } = await askingTask(server);
    const answered = sendTo(server, "that one", { taskId: task.id });
    (await server.runner.next()).complete();
    return taskOf(await answered);
  };

  it("[get-task] gives what the send gave", async () => {
    const { task } = await endedTask(server);
    const reply = await call(server.port, "GetTask", { id: task.id });
    assert.deepEqual(reply.json.result, task);
  });

  it("[get-unknown] does not know an id that was never issued", async () => {
    for (const id of ["task-0000000000000bad", "x", "__proto__", "constructor", "\ud800"]) {
      const error = errorOf(await call(server.port, "GetTask", { id }));
      assert.equal(error.code, -32001);
      assert.equal(error.data[0]?.reason, "TASK_NOT_FOUND");
    }
  });

  it("[get-follows-states] shows each state as it comes (S16)", async () => {
    const { task, run } = await workingTask(server);
    const state = async (): Promise<string> => (await getTask(server, task.id)).status.state;
    assert.equal(await state(), "TASK_STATE_WORKING");
    run.ask("which one?");
    await until(() => server.engine.stats().running === 0);
    assert.equal(await state(), "TASK_STATE_INPUT_REQUIRED");
    const answered = sendTo(server, "that one", { taskId: task.id });
    const next = await server.runner.next();
    next.working();
    assert.equal(await state(), "TASK_STATE_WORKING");
    next.complete();
    await answered;
    assert.equal(await state(), "TASK_STATE_COMPLETED");
  });

  it("[history-unset] [history-order] [history-user-turns] shows every turn, oldest first", async () => {
    const { id, history } = await twoTurns();
    assert.deepEqual(texts(await getTask(server, id)), ["start", "which one?", "that one"]);
    assert.deepEqual(
      history?.map(({ role }) => role),
      ["ROLE_USER", "ROLE_AGENT", "ROLE_USER"],
    );
  });

  it("[history-zero] [history-most-recent] shows the newest when told how many", async () => {
    const { id } = await twoTurns();
    assert.equal("history" in (await getTask(server, id, { historyLength: 0 })), false);
    assert.deepEqual(texts(await getTask(server, id, { historyLength: 1 })), ["that one"]);
    assert.deepEqual(texts(await getTask(server, id, { historyLength: 2 })), ["which one?", "that one"]);
    assert.equal(texts(await getTask(server, id, { historyLength: 1000 })).length, 3);
  });

  it("[history-cap] keeps fifty messages", async () => {
    const { task } = await askingTask(server);
    for (let turn = 1; turn <= 26; turn++) {
      const answered = sendTo(server, `answer ${turn}`, { taskId: task.id });
      (await server.runner.next()).ask(`question ${turn}`);
      await answered;
    }
    const shown = texts(await getTask(server, task.id));
    assert.equal(shown.length, 50);
    assert.equal(shown.at(-1), "answer 26");
    assert.equal(shown.includes("start"), false);
  });
});

describe("CancelTask", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  const cancel = (id: string, more: object = {}) => call(server.port, "CancelTask", { id, ...more });

  it("[cancel-result] [cancel-stops-work] ends the task, its run, and who waits for it", async () => {
    const sent = sendTo(server);
    const run = await server.runner.next();
    run.working();
    const stream = await openStream(server.port, "SubscribeToTask", { id: run.request.taskId });
    await stream.event(1);
    const reply = await cancel(run.request.taskId, { metadata: { why: "changed my mind" } });
    const task = taskOf(reply);
    assert.deepEqual(reply.json.result, task);
    assert.equal(task.status.state, "TASK_STATE_CANCELED");
    assert.equal(run.request.signal.aborted, true);
    assert.equal(taskOf(await sent).status.state, "TASK_STATE_CANCELED");
    assert.equal(kindsOf(await stream.ended).at(-1), "TASK_STATE_CANCELED");
  });

  it("[cancel-question] ends a task that waits for its caller", async () => {
    const { task } = await askingTask(server);
    assert.equal(taskOf(await cancel(task.id)).status.state, "TASK_STATE_CANCELED");
    assert.equal(errorOf(await sendTo(server, "too late", { taskId: task.id })).code, -32004);
  });

  it("[cancel-waiting] ends a task that waits for its turn", async () => {
    const first = await workingTask(server, { contextId: "c" });
    const second = taskOf(await sendTo(server, "next", { contextId: "c" }, { returnImmediately: true }));
    assert.equal(taskOf(await cancel(second.id)).status.state, "TASK_STATE_CANCELED");
    first.run.complete();
    await until(() => server.engine.stats().running === 0);
    assert.equal(server.runner.runs.length, 1);
  });

  it("[cancel-unknown] does not know an id that was never issued", async () => {
    const error = errorOf(await cancel("task-0000000000000bad"));
    assert.equal(error.code, -32001);
    assert.equal(error.data[0]?.reason, "TASK_NOT_FOUND");
  });

  it("[cancel-ended] refuses a task that has ended otherwise", async () => {
    for (const ending of ["complete", "fail", "reject"] as const) {
      const { task } = await endedTask(server, ending);
      const error = errorOf(await cancel(task.id));
      assert.equal(error.code, -32002, ending);
      assert.equal(error.data[0]?.reason, "TASK_NOT_CANCELABLE");
      assert.deepEqual(await getTask(server, task.id), task);
    }
  });

  it("[cancel-again] gives a canceled task again", async () => {
    const { task } = await endedTask(server, "cancel");
    for (let time = 0; time < 2; time++) assert.deepEqual(taskOf(await cancel(task.id)), task);
  });

  it("[cancel-keeps-artifacts] leaves what there was", async () => {
    const { run } = await workingTask(server);
    run.text("half of it", { provisional: true });
    const task = taskOf(await cancel(run.request.taskId));
    assert.deepEqual(task.artifacts?.[0]?.parts, [{ text: "half of it" }]);
  });

  it("[cancel-late-result] stays canceled when the agent ends otherwise afterwards", async () => {
    const { run } = await workingTask(server);
    run.ignoreAbort();
    const canceled = cancel(run.request.taskId);
    await until(() => run.request.signal.aborted);
    run.text("I was done anyway");
    run.complete();
    assert.equal(taskOf(await canceled).status.state, "TASK_STATE_CANCELED");
    assert.equal((await getTask(server, run.request.taskId)).status.state, "TASK_STATE_CANCELED");
  });
});

describe("a task", () => {
  it("[task-settles-once] takes nothing after its end", async () => {
    const server = await startTestServer();
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("a"));
    const run = await server.runner.next();
    run.text("all");
    run.complete();
    await until(() => server.engine.stats().completed === 1);
    run.fail("no");
    run.text("more");
    const events = await stream.ended;
    assert.deepEqual(kindsOf(events), ["task", "artifact", "TASK_STATE_COMPLETED"]);
    const task = await getTask(server, run.request.taskId);
    assert.equal(errorOf(await call(server.port, "CancelTask", { id: task.id })).code, -32002);
    server.clock.tick(10_000_000);
    assert.deepEqual(await getTask(server, task.id), task);
    await server.stop();
  });
});
