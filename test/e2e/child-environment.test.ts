// What a child session takes over from the host, on either Pi line: providers that extensions brought, the trust in the project, and
// the time that retries and other extensions need before a run has settled.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES, REPOSITORY, SESSION_COMMANDS } from "../support/e2e-host.ts";
import { artifactText, sendText } from "../support/e2e-http.ts";
import { openStage, type Stage, serve } from "../support/e2e-stage.ts";
import { trustArgs } from "../support/e2e-trust.ts";
import type { PiProcess } from "../support/pi-process.ts";

const SDK_FIXTURES = join(REPOSITORY, "test", "sdk", "fixtures");

describe("a child session", () => {
  let stage: Stage;
  let host: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    const extensions = [
      outside(join(SDK_FIXTURES, "own-provider.ts")),
      outside(join(FIXTURES, "flaky-provider.ts")),
      outside(join(SDK_FIXTURES, "deferring.ts")),
      SESSION_COMMANDS,
    ];
    host = await stage.session(stage.workspace("served"), { extensions });
    url = await serve(host);
  });

  after(() => stage.close());

  it("is heard only when other extensions have ended the work they do after a run (L09)", async () => {
    // The host loads that extension as well, but has not run yet.
    await sendText(url, "say done");
    assert.deepEqual(deferred(), ["work started", "work done", "shutdown"]);
  });

  it("runs on a provider that an extension registered, and so does the host before and after it (L08)", async () => {
    await useModel("own", "own-model");
    assert.match((await host.prompt("hello")).text, /^own\/own-model, thinking \w+, alive$/);
    const before = (await host.prompt("hello")).text;
    assert.equal(artifactText(await sendText(url, "hello")), before);
    assert.equal((await host.prompt("hello")).text, before);
  });

  it("runs on it after a reload and in a new session too, and so does the host (L03, L08)", async () => {
    for (const replace of [() => host.command("/reload-all"), () => host.newSession()]) {
      await replace();
      await useModel("own", "own-model");
      const before = (await host.prompt("hello")).text;
      assert.match(before, /^own\/own-model, thinking \w+, alive$/);
      assert.equal(artifactText(await sendText(url, "hello")), before);
      assert.equal((await host.prompt("hello")).text, before);
    }
  });

  it("answers after its retries, never with the text of a try that failed (S02)", async () => {
    await useModel("flaky", "agent");
    const task = await sendText(url, "hello");
    assert.equal(task.status.state, "TASK_STATE_COMPLETED");
    assert.match(artifactText(task), /^answered at try \d+$/);
  });

  /** A copy beside the stage, as the extensions of others are somewhere else than this package. */
  function outside(path: string): string {
    const copy = join(stage.root, path.split("/").at(-1) ?? "");
    copyFileSync(path, copy);
    return copy;
  }

  function deferred(): string[] {
    const path = join(stage.root, "events.jsonl");
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, "utf8").trim().split("\n");
    return lines.map((line) => (JSON.parse(line) as { event: string }).event);
  }

  async function useModel(provider: string, modelId: string): Promise<void> {
    await host.request("set_model", { provider, modelId });
  }
});

describe("a child session in a project with extensions of its own", () => {
  let stage: Stage;
  let trust: readonly string[];

  before(async () => {
    stage = openStage();
    trust = await trustArgs(stage);
  });

  after(() => stage.close());

  it("gets them when the host has trusted the project, and where the host knows no trust", async () => {
    const { childSays, hostSays } = await ask(trust);
    assert.equal(childSays, "from_project said: from_project is here");
    assert.equal(childSays, hostSays);
  });

  it("does not get them when the host has not", async () => {
    const { childSays, hostSays } = await ask([]);
    if (trust.length > 0) assert.match(childSays, /^from_project failed: .*not found/);
    else assert.equal(childSays, "from_project said: from_project is here");
    assert.equal(childSays, hostSays);
  });

  async function ask(args: readonly string[]): Promise<{ childSays: string; hostSays: string }> {
    const folder = stage.workspace(`project-${args.join("")}`, { ".pi/extensions/local.ts": LOCAL_EXTENSION });
    const host = await stage.session(folder, { args });
    const url = await serve(host);
    const childSays = artifactText(await sendText(url, "call from_project {}"));
    return { childSays, hostSays: (await host.prompt("call from_project {}")).text };
  }
});

const LOCAL_EXTENSION = `export default (pi) => pi.registerTool({ name: "from_project", label: "Here", description: "Says that it is here.",
  parameters: { type: "object", properties: {} },
  execute: async () => ({ content: [{ type: "text", text: "from_project is here" }], details: undefined }) });\n`;
