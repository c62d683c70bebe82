// The scripted model and the RPC driver in real Pi, without this package: what every other end-to-end test stands on.

import assert from "node:assert/strict";
import { appeared, gone } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { openStage, type Stage, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

describe("the scripted model in real Pi", () => {
  let stage: Stage;
  let folder: Workspace;
  let pi: PiProcess;

  before(async () => {
    stage = openStage();
    folder = stage.workspace("repository", { "src/a.ts": "let a; // TODO: name it\n", "src/b.ts": "let b;\n" });
    pi = await stage.session(folder, { a2a: false });
  });

  after(() => stage.close());

  it("makes the calls of a request one after another and reports their results", async () => {
    const { text, results, stopReason } = await pi.prompt(
      'say working\ncall bash {"command":"echo one"}\ncall bash {"command":"exit 3"}',
    );
    assert.deepEqual(
      results.map(({ tool, failed }) => ({ tool, failed })),
      [
        { tool: "bash", failed: false },
        { tool: "bash", failed: true },
      ],
    );
    assert.match(text, /^bash said: one\s+bash failed: [\s\S]*code 3/);
    assert.equal(stopReason, "stop");
  });

  it("answers which files hold TODO comments from what its tools found", async () => {
    const { text, results } = await pi.prompt("Find all TODO comments in src/");
    assert.deepEqual(
      results.map(({ tool }) => tool),
      ["bash", "read"],
    );
    assert.match(text, /^One file holds TODO comments:\n- src\/a\.ts:1: let a; \/\/ TODO: name it\n/);
  });

  it("streams its text in small pieces", async () => {
    const from = pi.events.all.length;
    await pi.prompt("slow 5 1");
    const updates = pi.events.all.slice(from).filter((event) => event.type === "message_update");
    assert.ok(updates.length >= 5, `${updates.length} updates`);
  });

  it("stops a running tool on abort", async () => {
    const run = await pi.start(hold("shell"));
    const shell = Number(await appeared(folder.file("shell")));
    await pi.abort();
    assert.equal((await run.finished()).stopReason, "aborted");
    await gone([shell]);
  });

  it("stops its stream on abort", async () => {
    const from = pi.events.all.length;
    const run = await pi.start("slow 1000 20");
    await pi.events.next("a piece of text", (event) => event.type === "message_update", { from });
    await pi.abort();
    assert.equal((await run.finished()).stopReason, "aborted");
  });

  it("ends with an error and its message, and on length, when told to", async () => {
    const failed = await pi.prompt("fail the model is out of order");
    assert.equal(failed.stopReason, "error");
    assert.equal(failed.error, "the model is out of order");
    const cut = await pi.prompt("say half a sen\nlength");
    assert.equal(cut.stopReason, "length");
    assert.equal(cut.text, "half a sen");
  });

  it("waits until the host has retried", async () => {
    const { stopReason, error } = await pi.prompt("fail 503 service unavailable");
    assert.equal(stopReason, "error");
    assert.match(error ?? "", /503/);
    assert.ok(pi.events.all.some((event) => event.type === "auto_retry_start"));
  });

  it("tells the messages it has seen, in this conversation only", async () => {
    await pi.newSession();
    await pi.prompt("remember the heron");
    const { text } = await pi.prompt("context");
    assert.match(text, /\[user message 1\] remember the heron\n\[user message 2\] context/);
    assert.match((await pi.prompt("what did I ask first?")).text, /remember the heron/);
    await pi.newSession();
    assert.doesNotMatch((await pi.prompt("context")).text, /heron/);
  });
});
