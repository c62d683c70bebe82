// Conversations: contexts, follow-ups, questions and their answers.

import assert from "node:assert/strict";
import { call, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { hostileTexts } from "./hostile-texts.ts";
import {
  askingTask,
  assertNothingStarted,
  endedTask,
  errorOf,
  fieldsOf,
  foreignTask,
  getTask,
  sendTo,
  taskOf,
  until,
  workingTask,
} from "./stage.ts";

describe("a conversation", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  it("[turn-task-ids] has task ids of the server, each once", async () => {
    const ids = [];
    for (let count = 0; count < 3; count++) ids.push((await endedTask(server)).task.id);
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) assert.match(id, /^task-[0-9a-f]{16}$/);
  });

  it("[turn-unknown-task] cannot begin with a task id of the caller (W10)", async () => {
    for (const taskId of ["made-up", "task-0000000000000bad", "__proto__", "../x"]) {
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const error = errorOf(await call(server.port, method, textParams("go on", { taskId })));
        assert.equal(error.code, -32001, taskId);
        assert.equal(error.data[0]?.reason, "TASK_NOT_FOUND");
      }
    }
    assertNothingStarted(server);
  });

  it("[turn-context-made] gets a context when it has none", async () => {
    const first = await endedTask(server);
    const second = await endedTask(server, "complete", { contextId: "", taskId: "" });
    assert.match(first.task.contextId, /^ctx-[0-9a-f]{16}$/);
    assert.match(second.task.contextId, /^ctx-[0-9a-f]{16}$/);
    assert.notEqual(first.task.contextId, second.task.contextId);
    assert.equal(first.task.history?.[0]?.contextId, first.task.contextId);
    assert.equal(first.task.history?.[0]?.taskId, first.task.id);
  });

  it("[turn-context-kept] keeps the context of the caller", async () => {
    for (const contextId of ["mine", "x".repeat(1024), ...hostileTexts()]) {
      const { task, run } = await endedTask(server, "complete", { contextId });
      assert.equal(task.contextId, contextId);
      assert.equal(run.request.contextId, contextId);
      assert.equal((await getTask(server, task.id)).contextId, contextId);
    }
  });

  it("[turn-context-inferred] [turn-answer] goes on in a task that asks, named by its id alone (W09, S15)", async () => {
    const { task } = await askingTask(server);
    const answered = sendTo(server, "that one", { taskId: task.id });
    const run = await server.runner.next();
    assert.equal(run.request.resumes, true);
    assert.equal(run.request.contextId, task.contextId);
    assert.deepEqual(
      run.request.history.map(({ parts }) => parts),
      [[{ text: "start" }], [{ text: "which one?" }]],
    );
    run.complete();
    const done = taskOf(await answered);
    assert.equal(done.id, task.id);
    assert.equal(done.contextId, task.contextId);
    assert.equal(done.status.state, "TASK_STATE_COMPLETED");
  });

  it("[turn-login-answer] goes on in a task that waits for a login", async () => {
    const sent = sendTo(server);
    (await server.runner.next()).askLogin("log in first");
    const { id, contextId } = taskOf(await sent);
    const answered = sendTo(server, "done", { taskId: id, contextId });
    (await server.runner.next()).complete();
    assert.equal(taskOf(await answered).id, id);
  });

  it("[turn-question-message] says what is needed, in a message of the agent", async () => {
    const { task } = await askingTask(server);
    const { message } = task.status;
    assert.equal(message?.role, "ROLE_AGENT");
    assert.equal(message?.taskId, task.id);
    assert.equal(message?.contextId, task.contextId);
    assert.deepEqual(message?.parts, [{ text: "which one?" }]);
  });

  it("[turn-context-mismatch] is not entered by another context (W09)", async () => {
    const { task } = await askingTask(server);
    for (const method of ["SendMessage", "SendStreamingMessage"]) {
      const reply = await call(server.port, method, textParams("go on", { taskId: task.id, contextId: "another" }));
      assert.deepEqual(fieldsOf(reply), ["message.contextId"]);
    }
    assert.deepEqual(await getTask(server, task.id), task);
    assert.equal(server.runner.runs.length, 1);
  });

  it("[turn-ended] is over for a task that has ended (W11)", async () => {
    for (const ending of ["complete", "fail", "reject", "cancel"] as const) {
      const { task } = await endedTask(server, ending);
      for (const method of ["SendMessage", "SendStreamingMessage"]) {
        const reply = await call(server.port, method, textParams("go on", { taskId: task.id }));
        assert.equal(reply.headers["content-type"], "application/json");
        assert.equal(errorOf(reply).code, -32004, `${ending} ${method}`);
        assert.equal(errorOf(reply).data[0]?.reason, "UNSUPPORTED_OPERATION");
      }
      assert.deepEqual(await getTask(server, task.id), task);
    }
    assert.equal(server.runner.runs.length, 4);
  });

  it("[turn-check-order] checks the task, then the context, then the state", async () => {
    const { task } = await endedTask(server);
    const unknown = await sendTo(server, "a", { taskId: "none", contextId: "another" });
    assert.equal(errorOf(unknown).code, -32001);
    assert.deepEqual(fieldsOf(await sendTo(server, "a", { taskId: task.id, contextId: "another" })), [
      "message.contextId",
    ]);
    assert.equal(errorOf(await sendTo(server, "a", { taskId: task.id })).code, -32004);
    const foreign = await foreignTask(server);
    assert.equal(errorOf(await sendTo(server, "a", { taskId: foreign, contextId: "another" })).code, -32001);
  });

  it("[turn-refine] goes on after an ended task in a new one, which may refer to it", async () => {
    const { task } = await endedTask(server);
    const refined = sendTo(server, "shorter", { contextId: task.contextId, referenceTaskIds: [task.id, "any"] });
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.referenceTaskIds, [task.id, "any"]);
    run.complete();
    const next = taskOf(await refined);
    assert.notEqual(next.id, task.id);
    assert.equal(next.contextId, task.contextId);
  });

  it("[turn-same-conversation] goes on from the last task of its context", async () => {
    const first = await endedTask(server, "complete", { contextId: "c" });
    await endedTask(server, "complete", { contextId: "other" });
    const second = await endedTask(server, "complete", { contextId: "c" });
    assert.equal(second.run.request.previousTaskId, first.task.id);
    assert.equal(second.run.request.resumes, false);
  });

  it("[turn-context-per-owner] is another one for another owner", async () => {
    const { contextId } = (await endedTask(server, "complete", { contextId: "c" })).task;
    const { subscription } = await server.engine.submit({
      caller: { key: "peer:other", name: "other" },
      message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "a" }], contextId },
      detached: true,
    });
    subscription.close();
    const run = await server.runner.next();
    assert.equal(run.request.previousTaskId, undefined);
    run.complete();
  });

  it("[turn-two-answers] goes on once when two answers come together (S08)", async () => {
    const { task } = await askingTask(server);
    const answers = ["this", "that"].map((text) => sendTo(server, text, { taskId: task.id }));
    (await server.runner.next()).complete();
    const replies = await Promise.all(answers);
    const codes = replies.map(({ json }) => json.error?.code).sort();
    assert.deepEqual(codes, [-32004, undefined]);
    assert.equal(server.runner.runs.length, 2);
  });

  it("[turn-steer] reaches the agent at its work, and waits for the same task", async () => {
    const steered = await startTestServer({ steerable: true });
    try {
      const { task, run } = await workingTask(steered);
      const more = sendTo(steered, "in blue", { taskId: task.id });
      await until(() => run.letters.length === 1);
      const [letter] = run.letters;
      assert.deepEqual(letter?.message.parts, [{ text: "in blue" }]);
      letter?.taken();
      run.text("blue");
      run.complete();
      const { id, contextId, status, history } = taskOf(await more);
      assert.deepEqual([id, contextId, status.state], [task.id, task.contextId, "TASK_STATE_COMPLETED"]);
      assert.equal(history?.length, 2);
      assert.equal(steered.runner.runs.length, 1);
    } finally {
      await steered.stop();
    }
  });

  it("[turn-after-cancel] goes on after a task that was canceled or failed (S07)", async () => {
    for (const ending of ["cancel", "fail"] as const) {
      await endedTask(server, ending, { contextId: ending });
      const next = await endedTask(server, "complete", { contextId: ending });
      assert.equal(next.task.status.state, "TASK_STATE_COMPLETED");
      assert.equal(next.run.request.signal.aborted, false);
    }
  });

  it("[turn-late-text] never hears the late words of an expired task (S10)", async () => {
    const first = await workingTask(server, { contextId: "c" });
    first.run.ignoreAbort();
    const canceled = call(server.port, "CancelTask", { id: first.task.id });
    await until(() => first.run.request.signal.aborted);
    const next = sendTo(server, "again", { contextId: "c" });
    first.run.text("late words");
    first.run.complete("late note");
    await canceled;
    const run = await server.runner.next();
    run.text("the answer");
    run.complete();
    const reply = await next;
    assert.doesNotMatch(reply.text, /late/);
    assert.deepEqual(taskOf(reply).artifacts?.[0]?.parts, [{ text: "the answer" }]);
  });
});
