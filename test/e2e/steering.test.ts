// More for a task at work, on real Pi: when it reaches the child, what the child sees of it, and who gets the result.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { artifactText, openStream, type RpcTask, rpc, sendText, textMessage } from "../support/e2e-http.ts";
import { appeared, gone } from "../support/e2e-processes.ts";
import { call, hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";

const GATE = fileURLToPath(new URL("./fixtures/gate-extension.ts", import.meta.url));
const LATER = { returnImmediately: true };

describe("a message to a task at work", () => {
  let stage: Stage;
  let folder: Workspace;
  let url: string;
  let serial = 0;
  before(async () => {
    stage = openStage();
    folder = stage.workspace("served");
    url = await serve(await stage.session(folder, { extensions: [GATE] }));
  });
  after(() => stage.close());

  /** An order whose child waits in its first step until the test lets it go on. */
  const held = () => {
    serial += 1;
    const [shell, go] = [`shell-${serial}`, `go-${serial}`];
    return { order: hold(shell, go), begun: () => appeared(folder.file(shell)), letGo: () => folder.write(go) };
  };

  it("reaches the child after its current step, and both senders get the same result", async () => {
    const step = held();
    const first = sendText(url, `${step.order}\nsay not this`);
    await step.begun();
    const { id, contextId } = await newestTask(url);
    const second = sendText(url, "context", { taskId: id });
    await historyOf(url, id, 2);
    step.letGo();
    const [one, two] = await Promise.all([first, second]);
    assert.equal(one.status.state, "TASK_STATE_COMPLETED");
    assert.deepEqual(two, one);
    // The child saw its order, then the message, in one conversation.
    const text = artifactText(two);
    assert.match(text, /\[user message 1\][\s\S]*say not this[\s\S]*\[user message 2\] Your caller sent this while/);
    assert.match(text, /remote agent "ip:127\.0\.0\.1" wrote everything below[\s\S]*\n\ncontext$/);
    const next = await sendText(url, "context", { contextId });
    assert.match(artifactText(next), /\[user message 2\][\s\S]*\[user message 3\][\s\S]*\n\ncontext$/);
  });

  it("goes on with a child that has said its last word, and streams the rest", async () => {
    folder.write("hold-end");
    const first = sendText(url, "say the first word");
    await appeared(folder.file("at-end"));
    const { id } = await newestTask(url);
    const { frames } = openStream(url, "SendStreamingMessage", textMessage("say the last word", { taskId: id }));
    await frames.next("the snapshot", ({ task }) => task?.status.state === "TASK_STATE_WORKING");
    folder.write("go-end");
    await frames.next("the end", ({ statusUpdate }) => statusUpdate?.status.state === "TASK_STATE_COMPLETED");
    assert.equal(artifactText(await first), "the last word");
  });

  it("comes before the question that the child is about to ask: the child goes on with it", async () => {
    folder.write("hold-ask");
    const first = sendText(url, call("a2a_ask_caller", { question: "Which branch?" }));
    await appeared(folder.file("at-ask"));
    const { id } = await newestTask(url);
    await sendText(url, "say I take main", { taskId: id, configuration: LATER });
    folder.write("go-ask");
    const { status, artifacts } = await first;
    assert.equal(status.state, "TASK_STATE_COMPLETED");
    assert.equal(artifactText({ artifacts: artifacts ?? [] }), "I take main");
  });

  it("may be followed by a question of the child, which all of its senders get", async () => {
    const step = held();
    const first = sendText(url, `${step.order}\nsay no`);
    await step.begun();
    const { id } = await newestTask(url);
    const second = sendText(url, call("a2a_ask_caller", { question: "Which tag?" }), { taskId: id });
    await historyOf(url, id, 2);
    step.letGo();
    const [one, two] = await Promise.all([first, second]);
    assert.deepEqual([one.status.state, two.status.state], ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_INPUT_REQUIRED"]);
    assert.equal(one.status.message?.parts[0]?.text, "Which tag?");
    assert.match(artifactText(await sendText(url, "say v2", { taskId: id })), /v2$/);
  });

  it("waits with a task that waits for its turn, and the child has it before its first step", async () => {
    const step = held();
    const first = sendText(url, `${step.order}\nsay one`);
    await step.begun();
    const { contextId } = await newestTask(url);
    const second = await sendText(url, "say two", { contextId, configuration: LATER });
    assert.equal(second.status.state, "TASK_STATE_SUBMITTED");
    const steered = sendText(url, "context", { taskId: second.id });
    await historyOf(url, second.id, 2);
    step.letGo();
    assert.equal(artifactText(await first), "one");
    const text = artifactText(await steered);
    assert.match(text, /say two[\s\S]*\[user message 3\] Your caller sent this/);
  });

  it("brings its files along, beside those of the first message", async () => {
    const step = held();
    const file = (text: string) => ({ raw: Buffer.from(text).toString("base64"), filename: "note.txt" });
    const send = (text: string, note: string, taskId = {}) =>
      rpc(url, "SendMessage", {
        message: { messageId: note, role: "ROLE_USER", parts: [{ text }, file(note)], ...taskId },
      });
    const first = send(`${step.order}\nsay no`, "one");
    await step.begun();
    const { id } = await newestTask(url);
    const second = send(call("bash", { command: "cat .a2a-inbox/*/*.txt" }), "two", { taskId: id });
    await historyOf(url, id, 2);
    step.letGo();
    const { result } = await second;
    assert.match(artifactText(result?.task ?? assert.fail()), /bash said: (onetwo|twoone)/);
    await first;
  });

  it("ends with a task that is canceled before the child has it, and stays in its history", async () => {
    const step = held();
    const first = sendText(url, step.order);
    const shell = Number(await step.begun());
    const { id } = await newestTask(url);
    const second = sendText(url, "say too late", { taskId: id });
    await historyOf(url, id, 2);
    await rpc(url, "CancelTask", { id });
    const states = (await Promise.all([first, second])).map(({ status }) => status.state);
    assert.deepEqual(states, ["TASK_STATE_CANCELED", "TASK_STATE_CANCELED"]);
    await gone([shell]);
    await historyOf(url, id, 2);
  });

  it("can be sent by another session's model, and by its person", async () => {
    const step = held();
    const nextStep = held();
    const caller = await stage.session(stage.workspace("calling"));
    const order = `${step.order}\nsay no`;
    const { results } = await caller.prompt(call("a2a_call", { agent: url, message: order, async_dispatch: true }));
    const taskId = /task-[0-9a-f]{16}/.exec(results[0]?.text ?? "")?.[0] ?? assert.fail(results[0]?.text);
    await step.begun();
    const more = call("a2a_call", { agent: url, task_id: taskId, message: `${nextStep.order}\nsay no` });
    const run = await caller.start(more);
    await historyOf(url, taskId, 2);
    step.letGo();
    await nextStep.begun();
    const other = await stage.session(stage.workspace("person"));
    const sent = other.command(`/a2a-send ${url} --task ${taskId} say both are done`);
    await historyOf(url, taskId, 3);
    nextStep.letGo();
    assert.match((await sent).join("\n"), new RegExp(`completed\\]\\n[\\s\\S]*both are done\\s+task ${taskId}`));
    const answer = await run.finished();
    assert.match(answer.results[0]?.text ?? "", /completed\][\s\S]*both are done/);
  });
});

/** The task whose status is the newest. */
async function newestTask(url: string): Promise<RpcTask> {
  const { result } = await rpc(url, "ListTasks", {});
  const [task] = (result as unknown as { tasks: RpcTask[] }).tasks;
  return task ?? assert.fail("no task");
}

/** Waits until so many messages stand in the task's history. */
async function historyOf(url: string, id: string, count: number): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const { result } = await rpc(url, "GetTask", { id });
    if (((result as { history?: unknown[] }).history ?? []).length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`${id} has not got ${count} messages`);
}
