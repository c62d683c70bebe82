// Two real Pi sessions of one agent folder serve side by side: a caller may ask either for the tasks of the other.

import assert from "node:assert/strict";
import { SESSION_COMMANDS } from "../support/e2e-host.ts";
import { artifactText, openStream, type RpcReply, rpc, sendText } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { call, hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

const DETACHED = { configuration: { returnImmediately: true } };

describe("two sessions of one agent folder that serve", () => {
  let stage: Stage;
  let folders: readonly [Workspace, Workspace];
  let sessions: readonly [PiProcess, PiProcess];
  let urls: readonly [string, string];

  before(async () => {
    stage = openStage();
    folders = [stage.workspace("one"), stage.workspace("two")];
    sessions = await Promise.all([
      stage.session(folders[0], { env: { A2A_PORT: "0" }, extensions: [SESSION_COMMANDS] }),
      stage.session(folders[1], { env: { A2A_PORT: "0" } }),
    ]);
    urls = await Promise.all([serve(sessions[0]), serve(sessions[1])]);
  });
  after(() => stage.close());

  const taskAt = async (url: string, id: string): Promise<NonNullable<RpcReply["result"]>> => {
    const { result } = await rpc(url, "GetTask", { id });
    assert.ok(result !== undefined, `no task ${id}`);
    return result;
  };

  it("read, list and follow each other's tasks, live [task-durable]", async () => {
    const [a, b] = urls;
    const done = await sendText(a, "say one two three");
    assert.deepEqual(await taskAt(b, done.id), done);
    const { id } = await sendText(a, hold("shell"), DETACHED);
    const stream = openStream(b, "SubscribeToTask", { id });
    await stream.frames.next("the task", ({ task }) => task?.id === id);
    await appeared(folders[0].file("shell"));
    assert.equal((await taskAt(b, id)).status.state, "TASK_STATE_WORKING");
    folders[0].write("go");
    const end = ({
      statusUpdate,
    }: {
      readonly statusUpdate?: { readonly status: { readonly state: string } };
    }): boolean => statusUpdate?.status.state === "TASK_STATE_COMPLETED";
    await stream.frames.next("its end", end);
    const [listA, listB] = await Promise.all([a, b].map((url) => rpc(url, "ListTasks", { includeArtifacts: true })));
    assert.deepEqual(listB, listA);
    stream.close();
  });

  it("cancel and answer each other's tasks where they run, and go on in each other's conversations", async () => {
    const [a, b] = urls;
    const { id } = await sendText(a, hold("canceled", "never"), DETACHED);
    await appeared(folders[0].file("canceled"));
    const { result } = await rpc(b, "CancelTask", { id });
    assert.equal(result?.status.state, "TASK_STATE_CANCELED");
    assert.equal((await taskAt(a, id)).status.state, "TASK_STATE_CANCELED");

    const asked = await sendText(a, call("a2a_ask_caller", { question: "Which branch?" }));
    assert.equal(asked.status.state, "TASK_STATE_INPUT_REQUIRED");
    const answered = await sendText(b, call("bash", { command: "pwd" }), { taskId: asked.id });
    assert.deepEqual([answered.id, answered.status.state], [asked.id, "TASK_STATE_COMPLETED"]);
    assert.ok(artifactText(answered).includes(folders[0].path), artifactText(answered));

    const first = await sendText(a, "say the first words");
    const next = await sendText(b, "what did I ask first?", { contextId: first.contextId });
    assert.match(artifactText(next), /You asked first: say the first words/);
  });

  it("know each other's tasks from before a /reload and after it", async () => {
    const [a, b] = urls;
    const before = await sendText(a, hold("before", "never"), DETACHED);
    await appeared(folders[0].file("before"));
    await sessions[0].command("/reload-all");
    await taskAt(a, before.id);
    const after = await sendText(a, hold("after", "never"), DETACHED);
    await appeared(folders[0].file("after"));
    const stream = openStream(b, "SubscribeToTask", { id: before.id });
    await stream.frames.next("the task", ({ task }) => task?.id === before.id);
    for (const { id } of [before, after]) {
      const { result } = await rpc(b, "CancelTask", { id });
      assert.equal(result?.status.state, "TASK_STATE_CANCELED");
    }
    await stream.frames.next("its end", ({ statusUpdate }) => statusUpdate?.status.state === "TASK_STATE_CANCELED");
    stream.close();
    const lists = await Promise.all([a, b].map((url) => rpc(url, "ListTasks", { includeArtifacts: true })));
    assert.deepEqual(lists[1], lists[0]);
  });

  it("tell the truth when one of them is killed in the middle of a stream", async () => {
    const [a, b] = urls;
    const { id } = await sendText(a, hold("killed", "never"), DETACHED);
    const stream = openStream(b, "SubscribeToTask", { id });
    const shell = Number(await appeared(folders[0].file("killed")));
    await stream.frames.next("the task", ({ task }) => task?.id === id);
    await stage.kill(sessions[0]);
    process.kill(shell, "SIGKILL");
    const { statusUpdate } = await stream.frames.next(
      "the end",
      (frame) => frame.statusUpdate?.status.state === "TASK_STATE_FAILED",
    );
    assert.match(JSON.stringify(statusUpdate), /interrupted by the end of the session.*its steps are in/);
    assert.equal((await taskAt(b, id)).status.state, "TASK_STATE_FAILED");
    stream.close();
  });
});
