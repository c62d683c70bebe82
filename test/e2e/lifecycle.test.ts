// The life of long jobs when things go wrong on either side: the caller is killed, the server is killed and comes back on the same port
// or on another one, is reloaded, finds garbage among what it kept. Callers are told the truth, once.

import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SESSION_COMMANDS } from "../support/e2e-host.ts";
import { appeared, vanished } from "../support/e2e-processes.ts";
import { call, hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import { freePort } from "../support/free-port.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("a long job", function () {
  // Many sessions start, one after the other.
  this.timeout(180_000);
  let stage: Stage;
  let folder: Workspace;
  let serial = 0;

  before(() => {
    stage = openStage();
    folder = stage.workspace("served");
  });
  after(() => stage.close());

  const server = (port = 0): Promise<PiProcess> =>
    stage.session(folder, { env: { A2A_PORT: String(port) }, extensions: [SESSION_COMMANDS] });
  const caller = (args: readonly string[] = []): Promise<PiProcess> =>
    stage.session(stage.workspace(`calling-${++serial}`), { saved: true, args, env: { A2A_UI_WAKE: "notify" } });

  /** Hands over a job that waits for the file `go`; its id, and the process that waits. */
  async function dispatch(pi: PiProcess, url: string, go: string): Promise<{ taskId: string; shell: number }> {
    const message = `${hold(`shell-${go}`, go)}\nsay the long job is done`;
    const { results } = await pi.prompt(call("a2a_call", { agent: url, message, async_dispatch: true }));
    const taskId = /task-[0-9a-f]{16}/.exec(results[0]?.text ?? "")?.[0];
    assert.ok(taskId, `no task id in ${results[0]?.text}`);
    return { taskId, shell: Number(await appeared(folder.file(`shell-${go}`))) };
  }
  /** kill -9, with the shell that its child has started. */
  async function killServer(pi: PiProcess, shell: number): Promise<void> {
    await stage.kill(pi);
    process.kill(shell, "SIGKILL");
  }
  const sessionOf = async (pi: PiProcess): Promise<string> =>
    ((await pi.request("get_state")) as { sessionFile: string }).sessionFile;
  const told = (pi: PiProcess, taskId: string): string[] =>
    pi.notifications().filter((text) => text.startsWith("A2A:") && text.includes(taskId));
  const openFiles = (): string[] => readdirSync(join(stage.root, "agent", "a2a_dispatched"));

  /** How the task ended at its server, in an audit. */
  const inboundEnds = (audit: string, taskId: string): unknown[] =>
    audit
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line.direction === "in" && line.event === "outcome" && line.taskId === taskId)
      .map(({ state }) => state);
  /** The files of the servers that keep tasks. */
  const owned = (): string[] => {
    const kept = join(stage.root, "agent", "a2a_tasks");
    return readdirSync(kept)
      .filter((name) => name.endsWith(".owner.json"))
      .map((name) => join(kept, name));
  };

  it("is told of once when its caller was killed and comes back", async () => {
    const serving = await server();
    const url = await serve(serving);
    const first = await caller();
    const { taskId } = await dispatch(first, url, "go-killed");
    const sessionFile = await sessionOf(first);
    await stage.kill(first);
    folder.write("go-killed");
    const again = await caller(["--session", sessionFile]);
    await again.notification(new RegExp(`completed task ${taskId}`));
    assert.deepEqual(openFiles(), []);
    assert.doesNotMatch((await again.command("/a2a-status")).join("\n"), /Dispatched tasks/);
    assert.equal(told(again, taskId).length, 1);
    await serving.command("/a2a-server stop");
  });

  it("runs to its end while its server is loaded again, and is told of once", async () => {
    const serving = await server();
    const url = await serve(serving);
    const pi = await caller();
    const { taskId } = await dispatch(pi, url, "go-reload");
    const owners = owned();
    await serving.command("/reload-all");
    folder.write("go-reload");
    await pi.notification(new RegExp(`completed task ${taskId}`));
    const status = async (): Promise<string> =>
      (await pi.prompt(call("a2a_status", { agent: url, task_id: taskId }))).results[0]?.text ?? "";
    assert.match(await status(), /the long job is done/);
    assert.equal(told(pi, taskId).length, 1);
    // Then the part of the session that ran it is closed, and the one that came after it has its tasks.
    for (const owner of owners) await vanished(owner, 15_000);
    assert.equal(owned().length, 1);
    assert.match(await status(), /the long job is done/);
    await serving.command("/a2a-server stop");
  });

  it("is told of as interrupted, once, when its server was killed and comes back where it was (S19, L11)", async () => {
    const port = await freePort();
    const serving = await server(port);
    const url = await serve(serving);
    const pi = await caller();
    const { taskId, shell } = await dispatch(pi, url, "go-same");
    await killServer(serving, shell);
    const next = await server(port);
    assert.equal(await serve(next), url);
    await pi.notification(new RegExp(`failed task ${taskId}`));
    const { results } = await pi.prompt(call("a2a_status", { agent: url, task_id: taskId }));
    assert.match(
      results[0]?.text ?? "",
      /interrupted by the end of the session that ran it; its steps are in \S+\.jsonl/,
    );
    assert.deepEqual([told(pi, taskId).length, openFiles()], [1, []]);
    await next.command("/a2a-server stop");
    const path = join(stage.root, "agent", "a2a_audit.jsonl");
    const audit = await appeared(path, { where: (text) => inboundEnds(text, taskId).length > 0 });
    assert.deepEqual(inboundEnds(audit, taskId), ["TASK_STATE_FAILED"]);
  });

  it("stays with its caller when its server comes back on another port, which is told where to look (C39)", async () => {
    const serving = await server();
    const url = await serve(serving);
    const pi = await caller();
    const { taskId, shell } = await dispatch(pi, url, "go-moved");
    await killServer(serving, shell);
    const next = await server();
    const moved = await serve(next);
    assert.notEqual(moved, url);
    const gone = await pi.prompt(call("a2a_status", { agent: url, task_id: taskId }));
    assert.match(gone.results[0]?.text ?? "", /nothing listens there[\s\S]*another port[\s\S]*same task id/);
    assert.match((await pi.command("/a2a-status")).join("\n"), new RegExp(`${taskId} on ${url}, sent by this session`));
    const { results } = await pi.prompt(call("a2a_status", { agent: moved, task_id: taskId }));
    assert.match(results[0]?.text ?? "", /interrupted by the end of the session that ran it/);
    assert.deepEqual(openFiles(), []);
    await next.command("/a2a-server stop");
  });

  it("that asked its caller takes the answer after its server was killed (S15)", async () => {
    const port = await freePort();
    const serving = await server(port);
    const url = await serve(serving);
    const pi = await caller();
    const asked = await pi.prompt(call("a2a_call", { agent: url, message: "say [INPUT_REQUIRED] which one?" }));
    const taskId = /task-[0-9a-f]{16}/.exec(asked.results[0]?.text ?? "")?.[0];
    assert.ok(taskId, asked.results[0]?.text);
    await stage.kill(serving);
    const next = await server(port);
    await serve(next);
    const answer = call("a2a_call", { agent: url, message: "say the second one", task_id: taskId });
    assert.match((await pi.prompt(answer)).results[0]?.text ?? "", /the second one/);
    await next.command("/a2a-server stop");
  });

  it("is kept by a server that says at its start and in its status what of its files it cannot read", async () => {
    writeFileSync(join(stage.root, "agent", "a2a_tasks", "old.0.jsonl"), "garbage\n\0\n");
    const serving = await server();
    const said = (await serving.command("/a2a-server start")).join("\n");
    assert.match(said, /Kept tasks: 2 lines of old\.0\.jsonl are damaged and were passed over/);
    assert.match((await serving.command("/a2a-server status")).join("\n"), /Kept tasks: 2 lines of old\.0\.jsonl/);
    await serving.command("/a2a-server stop");
  });
});
