// The main job: one Pi session hands a task to another, and the reply comes back as the tool's result.

import assert from "node:assert/strict";
import { appeared } from "../support/e2e-processes.ts";
import { call, hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("two Pi sessions", () => {
  let stage: Stage;
  let folder: Workspace;
  let server: PiProcess;
  let caller: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    folder = stage.workspace("served", {
      "src/server.ts": "// TODO: answer 404\n",
      "src/store.ts": "export const notes = 1;\n// TODO: write them down\n",
      "src/format.ts": "export const title = 1;\n",
    });
    [server, caller] = await Promise.all([stage.session(folder), stage.session(stage.workspace("calling"))]);
    url = await serve(server);
  });

  after(() => stage.close());

  it("hand over a sentence, and the child answers from the files of its own workspace", async () => {
    const { text, results } = await caller.prompt(`ask the agent at ${url} which files hold TODO comments`);
    assert.deepEqual(
      results.map(({ tool, failed }) => ({ tool, failed })),
      [{ tool: "a2a_call", failed: false }],
    );
    assert.match(text, /2 files hold TODO comments/);
    assert.match(text, /src\/server\.ts:1: \/\/ TODO: answer 404/);
    assert.match(text, /src\/store\.ts:2: \/\/ TODO: write them down/);
    assert.doesNotMatch(text, /format\.ts/);
  });

  it("let the child change its workspace with real tools", async () => {
    const edit = call("edit", { path: "plan.md", edits: [{ oldText: "draft", newText: "final" }] });
    const message = `${call("write", { path: "plan.md", content: "a draft\n" })}\n${edit}\nsay the plan is final`;
    const { results } = await caller.prompt(call("a2a_call", { agent: url, message }));
    assert.match(results[0]?.text ?? "", /the plan is final/);
    assert.equal(folder.read("plan.md"), "a final\n");
  });

  it("show progress on both sides while the child works", async () => {
    const from = { caller: caller.events.all.length, server: server.events.all.length };
    const message = `say looking around\n${hold("shell-progress", "go-progress")}\nsay all done`;
    const run = await caller.start(call("a2a_call", { agent: url, message }));
    await appeared(folder.file("shell-progress"));
    // The child's tool is held here, so all of this comes before the task's end.
    await caller.events.next("an update of the tool row", (e) => e.type === "tool_execution_update", {
      from: from.caller,
    });
    await server.notification(/inbound.*looking around/s, { from: from.server });
    await server.events.next("a footer", () => /running/.test(Object.values(server.statuses()).join()), {
      from: from.server,
    });
    folder.write("go-progress");
    assert.match((await run.finished()).text, /all done/);
    await server.notification(/inbound.*completed/s, { from: from.server });
    const isEmpty = (): boolean => Object.keys(server.statuses()).length === 0;
    await server.events.next("an empty footer", isEmpty, { from: from.server });
  });

  it("continue a conversation by its context id, and only that one", async () => {
    const first = await caller.prompt(call("a2a_call", { agent: url, message: "remember the heron" }));
    const contextId = /ctx-[0-9a-f]{16}/.exec(first.results[0]?.text ?? "")?.[0];
    assert.ok(contextId, `no context id in ${first.results[0]?.text}`);
    const ask = { agent: url, message: "what did I ask first?" };
    const second = await caller.prompt(call("a2a_call", { ...ask, context_id: contextId }));
    assert.match(second.results[0]?.text ?? "", /You asked first:[\s\S]*remember the heron/);
    const other = await caller.prompt(call("a2a_call", ask));
    assert.doesNotMatch(other.results[0]?.text ?? "", /heron/);
  });

  it("keep a detached task that is fetched later", async () => {
    const message = `${hold("shell-detached", "go-detached")}\nsay the long job is done`;
    const ack = await caller.prompt(call("a2a_call", { agent: url, message, async_dispatch: true }));
    const ackText = ack.results[0]?.text ?? "";
    assert.equal(ack.results[0]?.failed, false, ackText);
    const taskId = /task-[0-9a-f]{16}/.exec(ackText)?.[0];
    assert.ok(taskId, `no task id in ${ackText}`);
    await appeared(folder.file("shell-detached"));
    const now = await caller.prompt(call("a2a_status", { agent: url, task_id: taskId }));
    assert.match(now.results[0]?.text ?? "", /working/);
    const wait = await caller.start(call("a2a_status", { agent: url, task_id: taskId, wait_seconds: 30 }));
    folder.write("go-detached");
    const done = (await wait.finished()).results[0]?.text ?? "";
    assert.match(done, /completed/);
    assert.match(done, /the long job is done/);
  });

  it("end a detached task that is no longer wanted, by the model's tool and by the person's command", async () => {
    for (const way of ["tool", "command"]) {
      const message = `${hold(`shell-${way}`, `go-${way}`)}\nsay never`;
      const ack = await caller.prompt(call("a2a_call", { agent: url, message, async_dispatch: true }));
      const taskId = /task-[0-9a-f]{16}/.exec(ack.results[0]?.text ?? "")?.[0] ?? "";
      await appeared(folder.file(`shell-${way}`));
      const said =
        way === "tool"
          ? (await caller.prompt(call("a2a_cancel", { agent: url, task_id: taskId }))).results[0]?.text
          : (await caller.command(`/a2a-cancel ${url} ${taskId}`)).join("\n");
      assert.match(said ?? "", new RegExp(`task ${taskId} · context \\S+ · canceled`));
      const again = await caller.prompt(call("a2a_status", { agent: url, task_id: taskId }));
      assert.match(again.results[0]?.text ?? "", /canceled/);
    }
  });

  it("keep what a peer asked out of the serving session's model", async () => {
    const before = await server.prompt("context");
    assert.equal(before.text, "[user message 1] context");
    await caller.prompt(call("a2a_call", { agent: url, message: "say a secret of the peer" }));
    const { text } = await server.prompt("context");
    assert.equal(text, "[user message 1] context\n[user message 2] context");
    assert.equal(((await server.request("get_state")) as { isStreaming: boolean }).isStreaming, false);
  });

  it("run the slash commands of a person: send, discover, status", async () => {
    const sent = await caller.command(`/a2a-send ${url} say hello from the peer`);
    const lines = `${sent.join("\n")}\n${JSON.stringify(caller.events.all.slice(-20))}`;
    assert.match(lines, /hello from the peer/);
    assert.match((await caller.command(`/a2a-discover ${url}`)).join("\n"), /1\.0/);
    assert.match((await server.command("/a2a-status")).join("\n"), /listening/);
    assert.match((await caller.command("/a2a-help")).join("\n"), /a2a-send/);
  });
});
