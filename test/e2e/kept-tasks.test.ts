// A real Pi session that serves is killed, or quits; the next one of the same agent folder answers for its tasks.

import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { artifactText, type RpcReply, rpc, sendText } from "../support/e2e-http.ts";
import { appeared } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("a session after one that served", () => {
  let stage: Stage;
  let folder: Workspace;
  let server: PiProcess;
  let url: string;

  const start = async (): Promise<void> => {
    server = await stage.session(folder, { env: { A2A_PORT: "0" } });
    url = await serve(server);
  };
  before(async () => {
    stage = openStage();
    folder = stage.workspace("served");
    await start();
  });
  after(() => stage.close());

  const tasksFolder = (): string => join(stage.root, "agent", "a2a_tasks");
  const taskOf = async (id: string): Promise<NonNullable<RpcReply["result"]>> => {
    const { result } = await rpc(url, "GetTask", { id });
    assert.ok(result !== undefined, `no task ${id}`);
    return result;
  };

  it("that was killed reads its tasks, names the transcript of what ran, and takes the answer to a question (S19, L11)", async () => {
    const done = await sendText(url, "say one two three");
    const asked = await sendText(url, "say [INPUT_REQUIRED] which one?");
    const { id: running } = await sendText(url, hold("shell"), { configuration: { returnImmediately: true } });
    const shell = Number(await appeared(folder.file("shell")));
    await stage.kill(server);
    process.kill(shell, "SIGKILL");

    await start();
    assert.deepEqual(await taskOf(done.id), done);
    assert.equal(artifactText(done), "one two three");
    const failed = await taskOf(running);
    assert.equal(failed.status?.state, "TASK_STATE_FAILED");
    const text = JSON.stringify(failed.status?.message);
    assert.match(text, /interrupted by the end of the session/);
    const transcript = /its steps are in (\S+\.jsonl)/.exec(text)?.[1] ?? "none";
    assert.ok(existsSync(join(stage.root, "agent", "a2a_sessions", transcript)), text);
    assert.equal((await taskOf(asked.id)).status?.state, "TASK_STATE_INPUT_REQUIRED");
    const answered = await sendText(url, "say the second one", { taskId: asked.id });
    assert.deepEqual([answered.id, answered.status.state], [asked.id, "TASK_STATE_COMPLETED"]);
  });

  it("that quit reads its tasks, and its contexts go on", async () => {
    const done = await sendText(url, "say before");
    const { code } = await server.stop();
    assert.equal(code, 0);
    await start();
    assert.deepEqual(await taskOf(done.id), done);
    const next = await sendText(url, "say after", { contextId: done.contextId });
    assert.equal(next.contextId, done.contextId);
    assert.equal(artifactText(next), "after");
  });

  it("that only calls touches nothing on disk", async () => {
    const before = readdirSync(tasksFolder());
    const caller = await stage.session(stage.workspace("calling"));
    await caller.command("/a2a-status");
    await caller.command(`/a2a-send ${url} say hello`);
    assert.equal(readdirSync(tasksFolder()).filter((name) => name.startsWith(`${caller.pid}-`)).length, 0);
    assert.equal(readdirSync(tasksFolder()).length, before.length);
  });
});
