import assert from "node:assert/strict";
import { getEventListeners, once } from "node:events";
import { existsSync, readdirSync, watch, writeFileSync } from "node:fs";
import { fauxToolCall, fauxAssistantMessage as say } from "@mariozechner/pi-ai";
import type { RunOutput } from "../../src/core/ports.ts";
import { untilGone } from "../support/process-alive.ts";
import { createSdkHost, type SdkHost, type SdkHostOptions } from "../support/sdk-host.ts";

describe("the life of a child session", () => {
  let host: SdkHost;
  const start = async (options?: SdkHostOptions): Promise<void> => {
    host = await createSdkHost(options);
  };
  afterEach(() => host.close());

  describe("with an extension that registers a tool and starts a process on session_start (L06)", () => {
    beforeEach(() => start({ extensions: ["probe.ts"] }));

    /** Start and shutdown once for each child, and no process left. */
    async function assertCleanedUp(children: number): Promise<void> {
      const events = await host.events();
      assert.equal(events.filter(({ event }) => event === "start").length, children);
      assert.equal(events.filter(({ event }) => event === "shutdown").length, children);
      for (const { pid } of events) await untilGone(pid ?? 0);
    }

    it("offers the tool to the child and ends the process, child after child", async () => {
      for (let count = 1; count <= 3; count++) {
        host.script(call("probe"), (context) => say(JSON.stringify(context.messages.at(-1))));
        const { outcome, reply } = await host.run("use the probe");
        assert.deepEqual(outcome, { kind: "completed" });
        assert.match(reply ?? "", /helper runs/);
        await assertCleanedUp(count);
      }
    });

    it("cleans up after a failure", async () => {
      host.script(say("", { stopReason: "error", errorMessage: "refused" }));
      const { outcome } = await host.run("fail");
      assert.equal(outcome.kind, "failed");
      await assertCleanedUp(1);
    });

    it("cleans up when the task is cancelled while a tool runs, and ends the tool's processes", async () => {
      const abort = new AbortController();
      host.script(
        call("bash", { command: "echo $$ > shell.pid; sleep 600 & echo $! > sleep.pid; touch started; wait" }),
      );
      const running = host.run("run", { signal: abort.signal });
      await fileAppears(host.workspace, "started");
      abort.abort();
      assert.deepEqual((await running).outcome, { kind: "canceled" });
      for (const name of ["shell.pid", "sleep.pid"]) await untilGone(Number(await host.read(name)));
      await assertCleanedUp(1);
    });

    it("cleans up when the task is cancelled while the model streams", async () => {
      const abort = new AbortController();
      host.script(say("word ".repeat(500)));
      const onOutput = (output: RunOutput): void => {
        if (output.kind === "artifact") abort.abort();
      };
      const { outcome, outputs } = await host.run("talk", { signal: abort.signal, onOutput });
      assert.deepEqual(outcome, { kind: "canceled" });
      assert.equal(outputs.filter((output) => output.kind === "artifact").length, 1);
      await assertCleanedUp(1);
    });

    it("does not start a child for a task that was cancelled before", async () => {
      const { outcome } = await host.run("late", { signal: AbortSignal.abort() });
      assert.deepEqual(outcome, { kind: "canceled" });
      assert.equal(host.faux.state.callCount, 0);
      assert.deepEqual(await host.events(), []);
    });
  });

  it("ends when its signal aborts while an extension never finishes starting (L06)", async () => {
    await start({ extensions: ["stuck-start.ts"] });
    const abort = new AbortController();
    const running = host.run("work", { signal: abort.signal });
    await fileAppears(host.extensionDir, "events.jsonl");
    abort.abort();
    assert.deepEqual((await running).outcome, { kind: "canceled" });
    assert.deepEqual(
      (await host.events()).map(({ event }) => event),
      ["start", "shutdown"],
    );
  });

  it("ends when its signal aborts while extensions load, and starts nothing afterwards (L06)", async () => {
    await start({ extensions: ["slow-load.ts"] });
    const abort = new AbortController();
    const running = host.run("one", { signal: abort.signal });
    await fileAppears(host.extensionDir, "events.jsonl");
    abort.abort();
    assert.deepEqual((await running).outcome, { kind: "canceled" });
    // Both load now, the first one first.
    writeFileSync(`${host.extensionDir}/go`, "");
    host.script(say("ok"));
    await host.run("two");
    const events = (await host.events()).map(({ event }) => event);
    assert.deepEqual(events, ["loading", "loading", "start", "shutdown"]);
  });

  it("stops a compaction that runs when the task is cancelled", async () => {
    await start({ contextWindow: 12_000 });
    const abort = new AbortController();
    let summary: AbortSignal | undefined;
    host.script(
      call("bash", { command: `printf 'word %.0s' $(seq 1 4000)` }),
      say("", { stopReason: "error", errorMessage: "prompt is too long: 213462 tokens > 200000 maximum" }),
      async (_context, options) => {
        summary = options?.signal;
        abort.abort();
        // Until it is stopped; a summary that nobody stops is written to its end.
        if (summary !== undefined && !summary.aborted) await once(summary, "abort");
        return say("SUMMARY");
      },
    );
    const { outcome } = await host.run("long work", { signal: abort.signal });
    assert.deepEqual(outcome, { kind: "canceled" });
    assert.equal(summary?.aborted, true);
  });

  it("closes a child that was opened although its task was cancelled", async () => {
    await start({ extensions: ["slow-load.ts"] });
    const abort = new AbortController();
    const running = host.run("one", { signal: abort.signal });
    await fileAppears(host.extensionDir, "events.jsonl");
    abort.abort();
    assert.deepEqual((await running).outcome, { kind: "canceled" });
    writeFileSync(`${host.extensionDir}/go`, "");
    // Only a closed child has its empty transcript removed.
    await untilEmpty(`${host.agentDir}/a2a_sessions`);
  });

  it("runs the next message of a conversation normally after a cancel (S07)", async () => {
    await start();
    const abort = new AbortController();
    host.script(call("bash", { command: "touch started; sleep 600" }));
    const first = host.run("one", { taskId: "task-1", signal: abort.signal });
    await fileAppears(host.workspace, "started");
    abort.abort();
    await first;
    host.script(say("fine"));
    const { outcome, reply } = await host.run("two", { taskId: "task-2", previousTaskId: "task-1" });
    assert.deepEqual(outcome, { kind: "completed" });
    assert.equal(reply, "fine");
  });

  it("gives the reply after extensions have done what they start at the end of a run (L09)", async () => {
    await start({ extensions: ["deferring.ts"] });
    host.script(say("done"));
    await host.run("work");
    assert.deepEqual(
      (await host.events()).map(({ event }) => event),
      ["work started", "work done", "shutdown"],
    );
  });

  it("survives an extension whose handlers fail, and logs the failures", async () => {
    await start({ extensions: ["failing.ts"] });
    host.script(say("done"));
    const { outcome } = await host.run("work");
    assert.deepEqual(outcome, { kind: "completed" });
    const log = JSON.stringify(host.log.lines());
    for (const text of ["start failed", "end failed", "shutdown failed"]) assert.ok(log.includes(text), text);
  });

  it("starts no further model call when it is stopped between a compaction and the run that follows it", async () => {
    await start({ contextWindow: 12_000 });
    const abort = new AbortController();
    host.script(
      call("bash", { command: `printf 'word %.0s' $(seq 1 4000)` }),
      say("", { stopReason: "error", errorMessage: "prompt is too long: 213462 tokens > 200000 maximum" }),
      () => {
        setImmediate(() => abort.abort());
        return say("SUMMARY");
      },
      say("must not be asked for"),
    );
    const { outcome } = await host.run("long work", { signal: abort.signal });
    assert.deepEqual(outcome, { kind: "canceled" });
    // 0.73.1 would go on 100 ms after the compaction, and nothing tells that it did not.
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(host.faux.getPendingResponseCount(), 1);
  });

  it("leaves no listener on the signal and no handle behind", async () => {
    await start({ extensions: ["probe.ts"] });
    const abort = new AbortController();
    host.script(say("warm up"), call("bash", { command: "true" }), say("done"));
    await host.run("first");
    for (const { pid } of await host.events()) await untilGone(pid ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    const before = process.getActiveResourcesInfo().sort();
    await host.run("second", { signal: abort.signal });
    for (const { pid } of await host.events()) await untilGone(pid ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
    assert.equal(getEventListeners(abort.signal, "abort").length, 0);
  });
});

function call(name: string, args: Record<string, unknown> = {}) {
  return say([fauxToolCall(name, args)], { stopReason: "toolUse" });
}

/** Resolves when the folder holds nothing. */
async function untilEmpty(folder: string): Promise<void> {
  const watcher = watch(folder);
  try {
    while (readdirSync(folder).length > 0) await once(watcher, "change");
  } finally {
    watcher.close();
  }
}

/** Resolves when the folder holds the file. */
async function fileAppears(folder: string, name: string): Promise<void> {
  const watcher = watch(folder);
  try {
    while (!existsSync(`${folder}/${name}`)) await once(watcher, "change");
  } finally {
    watcher.close();
  }
}
