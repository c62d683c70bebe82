// How a delegated task ends when it does not end well: the caller is told why, and nothing is left running.

import assert from "node:assert/strict";
import { artifactText, openStream, rpc, sendText, textMessage } from "../support/e2e-http.ts";
import { appeared, descendants, gone } from "../support/e2e-processes.ts";
import { call, hold } from "../support/e2e-script.ts";
import { openStage, type Stage, serve, type Workspace } from "../support/e2e-stage.ts";
import { freePort } from "../support/free-port.ts";
import { measured } from "../support/measured.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("a delegated task that does not end well", () => {
  let stage: Stage;
  let folder: Workspace;
  let server: PiProcess;
  let caller: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    folder = stage.workspace("served");
    const env = { A2A_PORT: String(await freePort()) };
    [server, caller] = await Promise.all([stage.session(folder, { env }), stage.session(stage.workspace("calling"))]);
    url = await serve(server);
  });

  after(() => stage.close());

  it("stops on both sides when the caller presses Esc, and the next call works (S07)", async () => {
    const from = server.events.all.length;
    const run = await caller.start(call("a2a_call", { agent: url, message: hold("shell-esc") }));
    const shell = Number(await appeared(folder.file("shell-esc")));
    await caller.abort();
    const { stopReason } = await run.finished();
    assert.equal(stopReason, "aborted");
    await gone([shell]);
    await server.notification(/inbound.*cancel/is, { from });
    const next = await caller.prompt(call("a2a_call", { agent: url, message: "say still here" }));
    assert.match(next.results[0]?.text ?? "", /still here/);
  });

  it("keeps what it has said when it is canceled, marked as partial, and says what it took", async () => {
    const { frames } = openStream(url, "SendStreamingMessage", textMessage(`say I begin\n${hold("shell-partial")}`));
    await appeared(folder.file("shell-partial"));
    const { task } = await frames.next("the task", (frame) => frame.task !== undefined);
    await rpc(url, "CancelTask", { id: task?.id });
    await frames.next("the end", ({ statusUpdate }) => statusUpdate?.status.state === "TASK_STATE_CANCELED");
    const partial = { artifactId: "reply", name: "reply", parts: [{ text: "I begin" }], metadata: { partial: true } };
    const pieces = frames.all.flatMap(({ artifactUpdate }) => artifactUpdate ?? []);
    assert.deepEqual(pieces.at(-1)?.artifact, partial);
    const { result } = await rpc(url, "GetTask", { id: task?.id });
    assert.deepEqual(result?.artifacts, [partial]);
    const { metadata } = result as { metadata?: Record<string, { usage?: { runs: number; inputTokens: number } }> };
    const usage = metadata?.["urn:pi-a2a:ext:v1"]?.usage;
    assert.equal(usage?.runs, 1);
    assert.ok(usage.inputTokens > 0);
  });

  it("fails the tool with the reason when the child's model fails (S02)", async () => {
    const { results } = await caller.prompt(
      call("a2a_call", { agent: url, message: "fail the model is out of order" }),
    );
    assert.equal(results[0]?.failed, true);
    assert.match(results[0]?.text ?? "", /the model is out of order/);
  });

  it("fails the tool when the child's last turn stops on length without text", async () => {
    const { results } = await caller.prompt(call("a2a_call", { agent: url, message: "length" }));
    assert.equal(results[0]?.failed, true);
    assert.match(results[0]?.text ?? "", /no usable reply/);
  });

  it("never passes an older turn's text off as the reply (S02)", async () => {
    const message = `say first impressions\n${call("bash", { command: "true" })}\nfail the line went dead`;
    const { results } = await caller.prompt(call("a2a_call", { agent: url, message }));
    assert.equal(results[0]?.failed, true);
    assert.match(results[0]?.text ?? "", /the line went dead/);
  });

  it("fails the tool when nobody listens at the address, and says what to do", async () => {
    const { results } = await caller.prompt(call("a2a_call", { agent: "http://127.0.0.1:9", message: "hello" }));
    assert.equal(results[0]?.failed, true);
    assert.match(results[0]?.text ?? "", /127\.0\.0\.1:9/);
  });

  it("ends its tools and settles when the server is stopped", async () => {
    const run = await caller.start(call("a2a_call", { agent: url, message: hold("shell-stop") }));
    const shell = Number(await appeared(folder.file("shell-stop")));
    await server.command("/a2a-server stop");
    await gone([shell]);
    assert.equal((await run.finished()).results[0]?.failed, true);
    url = await serve(server);
  });

  it("gives the port back at once when the server is stopped under an open stream (L02)", async () => {
    const { frames } = openStream(url, "SendStreamingMessage", textMessage(hold("shell-port")));
    await appeared(folder.file("shell-port"));
    await server.command("/a2a-server stop");
    await frames.next("a last event", ({ statusUpdate }) => /FAILED|CANCELED/.test(statusUpdate?.status.state ?? ""));
    assert.equal(await serve(server), url);
  });
});

describe("a task that outlasts the reply window", () => {
  it("fails with the reason, and its tools are gone", async () => {
    const stage = openStage();
    try {
      const folder = stage.workspace("served");
      const [server, caller] = await Promise.all([
        stage.session(folder, { env: { A2A_REPLY_TIMEOUT: "3" } }),
        stage.session(stage.workspace("calling")),
      ]);
      const url = await serve(server);
      const run = await caller.start(call("a2a_call", { agent: url, message: hold("shell") }));
      const shell = Number(await appeared(folder.file("shell")));
      const { results } = await run.finished();
      assert.equal(results[0]?.failed, true);
      assert.match(results[0]?.text ?? "", /\b3 s/);
      await gone([shell]);
      // The slot is free again.
      assert.equal(artifactText(await sendText(url, "say next")), "next");
    } finally {
      await stage.close();
    }
  });
});

describe("quitting a session that serves and calls", () => {
  it("ends both tasks and leaves nothing behind within two seconds", async function () {
    const stage = openStage();
    try {
      const [folder, peerFolder] = [stage.workspace("served"), stage.workspace("peer")];
      const [host, peer] = await Promise.all([stage.session(folder), stage.session(peerFolder)]);
      const [url, peerUrl] = await Promise.all([serve(host), serve(peer)]);
      const inbound = sendText(url, hold("shell-in"));
      await host.start(call("a2a_call", { agent: peerUrl, message: hold("shell-out") }));
      const shells = [await appeared(folder.file("shell-in")), await appeared(peerFolder.file("shell-out"))].map(
        Number,
      );
      const left = descendants(host.pid);
      assert.ok(left.includes(shells[0] ?? -1), "the shell is a descendant of Pi");
      const { code, elapsedMs } = await host.stop();
      assert.equal(code, 0);
      await gone([host.pid, ...left, ...shells]);
      // The promise of the design; everything else here is waited for without a limit of its own.
      assert.ok(elapsedMs < 2_000, `took ${elapsedMs} ms`);
      measured(this, elapsedMs);
      assert.match((await inbound).status.state, /FAILED|CANCELED/);
    } finally {
      await stage.close();
    }
  });
});
