// A caller hands over a long job and goes away: what it hears of the job's end, once, when it stays, when it comes back, and when its
// model is to be woken.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { appeared } from "../support/e2e-processes.ts";
import { call, hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("a task that was dispatched", () => {
  let stage: Stage;
  let folder: Workspace;
  let url: string;
  let serial = 0;

  before(async () => {
    stage = openStage();
    folder = stage.workspace("served");
    url = await serve(await stage.session(folder));
  });

  after(() => stage.close());

  const caller = (wake: string): Promise<PiProcess> =>
    stage.session(stage.workspace(`calling-${++serial}`), { saved: true, env: { A2A_UI_WAKE: wake } });

  /** Hands over a job that waits for the file `go`; its id, once it runs. */
  async function dispatch(pi: PiProcess, go: string): Promise<string> {
    const message = `${hold(`shell-${go}`, go)}\nsay the long job is done`;
    const { results } = await pi.prompt(call("a2a_call", { agent: url, message, async_dispatch: true }));
    const taskId = /task-[0-9a-f]{16}/.exec(results[0]?.text ?? "")?.[0];
    assert.ok(taskId, `no task id in ${results[0]?.text}`);
    await appeared(folder.file(`shell-${go}`));
    return taskId;
  }

  const kept = (): string[] => readdirSync(join(stage.root, "agent", "a2a_dispatched"));
  const told = (pi: PiProcess, taskId: string): string[] =>
    pi.notifications().filter((text) => text.startsWith("A2A:") && text.includes(taskId));

  it("tells the person of its end, and leaves the model alone", async () => {
    const pi = await caller("notify");
    const taskId = await dispatch(pi, "go-stays");
    assert.match((await pi.command("/a2a-status")).join("\n"), new RegExp(`${taskId} on ${url}, sent by this session`));
    folder.write("go-stays");
    await pi.notification(new RegExp(`completed task ${taskId}`));
    assert.deepEqual(kept(), []);
    const { text } = await pi.prompt("context");
    assert.doesNotMatch(text, /completed task|user message 3/);
    assert.doesNotMatch((await pi.command("/a2a-status")).join("\n"), /Dispatched tasks/);
    assert.equal(told(pi, taskId).length, 1);
  });

  it("tells the session that sent it when that is resumed after a restart, once, and no other session", async () => {
    const first = await caller("notify");
    const taskId = await dispatch(first, "go-later");
    const { sessionFile } = (await first.request("get_state")) as { sessionFile: string };
    await first.stop();
    folder.write("go-later");
    const other = await caller("notify");
    assert.match((await other.command("/a2a-status")).join("\n"), new RegExp(`${taskId} on ${url}, sent by another`));
    await other.request("switch_session", { sessionPath: sessionFile });
    await other.notification(new RegExp(`completed task ${taskId}`));
    const again = await stage.session(stage.workspace("again"), { saved: true, args: ["--session", sessionFile] });
    assert.doesNotMatch((await again.command("/a2a-status")).join("\n"), /Dispatched tasks/);
    assert.deepEqual([told(other, taskId).length, told(again, taskId).length, kept()], [1, 0, []]);
  });

  it("is told by a process that starts with its session", async () => {
    const first = await caller("notify");
    const taskId = await dispatch(first, "go-restart");
    const { sessionFile } = (await first.request("get_state")) as { sessionFile: string };
    await first.stop();
    const again = await stage.session(stage.workspace("back"), { saved: true, args: ["--session", sessionFile] });
    folder.write("go-restart");
    await again.notification(new RegExp(`completed task ${taskId}`));
    assert.equal(told(again, taskId).length, 1);
  });

  it("wakes the idle model where ui.wake is model", async () => {
    const pi = await caller("model");
    const taskId = await dispatch(pi, "go-wake");
    const from = pi.events.all.length;
    folder.write("go-wake");
    await pi.events.next("a turn of its own", (event) => event.type === "agent_end", { from });
    assert.equal(told(pi, taskId).length, 1);
    assert.match((await pi.prompt("context")).text, new RegExp(`completed task ${taskId}[\\s\\S]*a2a_status`));
  });

  it("is not told again after a2a_status has read its end", async () => {
    const pi = await caller("model");
    const taskId = await dispatch(pi, "go-read");
    const wait = await pi.start(call("a2a_status", { agent: url, task_id: taskId, wait_seconds: 30 }));
    folder.write("go-read");
    assert.match((await wait.finished()).results[0]?.text ?? "", /the long job is done/);
    assert.deepEqual(kept(), []);
    await pi.prompt("context");
    assert.deepEqual(told(pi, taskId), []);
  });
});
