// The host's other extensions work in the child and are cleaned up after it; this package is there only once.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FIXTURES, runPi, SESSION_COMMANDS } from "../support/e2e-host.ts";
import { artifactText, rpc, sendText } from "../support/e2e-http.ts";
import { appeared, gone } from "../support/e2e-processes.ts";
import { hold } from "../support/e2e-script.ts";
import { announcedUrl, openStage, type Stage, type Workspace } from "../support/e2e-stage.ts";
import type { PiProcess } from "../support/pi-process.ts";

/** An extension with one tool of this name. */
function toolExtension(name: string): string {
  return `export default (pi) => pi.registerTool({ name: "${name}", label: "Here", description: "Says that it is here.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "${name} is here" }], details: undefined }) });\n`;
}

interface ProbeLine {
  readonly event: "start" | "shutdown";
  readonly session: string;
  readonly helper: number;
}

describe("an extension of the host that starts a process for each session", () => {
  let stage: Stage;
  let folder: Workspace;
  let server: PiProcess;
  let url: string;

  before(async () => {
    stage = openStage();
    const installed = stage.workspace("installed", {
      "package.json": JSON.stringify({ name: "installed", type: "module", pi: { extensions: ["./extension.ts"] } }),
      "extension.ts": toolExtension("from_package"),
    });
    folder = stage.workspace("served", { ".pi/extensions/local.ts": toolExtension("from_project") });
    await runPi(["install", installed.path], { cwd: stage.root, env: stage.env });
    // Somewhere else than this package, as the extensions of others are.
    const probe = join(stage.root, "probe-extension.ts");
    copyFileSync(join(FIXTURES, "probe-extension.ts"), probe);
    const env = { PROBE_LOG: join(stage.root, "probe.jsonl"), A2A_SERVER_ENABLED: "true", A2A_REPLY_TIMEOUT: "3" };
    server = await stage.session(folder, { env, extensions: [probe, SESSION_COMMANDS] });
    url = announcedUrl(await server.notification(/listening/)) ?? "";
  });

  after(() => stage.close());

  const lines = (): ProbeLine[] => {
    const path = join(stage.root, "probe.jsonl");
    if (!existsSync(path)) return [];
    return readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as ProbeLine);
  };

  /** Checks that since `before` one child started and was shut down, each once, and that its process is gone. */
  const assertOneChild = async (before: number): Promise<void> => {
    const since = lines().slice(before);
    assert.deepEqual(
      since.map(({ event }) => event),
      ["start", "shutdown"],
    );
    assert.equal(since[0]?.session, since[1]?.session);
    await gone(since.map(({ helper }) => helper));
  };

  it("lends its tool to the child and is shut down after success (L06)", async () => {
    const before = lines().length;
    const reply = artifactText(await sendText(url, "call probe {}"));
    assert.equal(reply, `probe said: helper ${lines()[before]?.helper}`);
    await assertOneChild(before);
  });

  it("is there beside the extensions of packages and of the project, as far as the host has them (L08)", async () => {
    const request = "call from_package {}\ncall from_project {}";
    const reply = artifactText(await sendText(url, request));
    assert.match(reply, /^from_package said: from_package is here\n/);
    // 0.73.1 loads what a project brings, later lines only when the project is trusted.
    assert.equal(reply, (await server.prompt(request)).text);
  });

  it("is shut down after a failure (L06)", async () => {
    const before = lines().length;
    assert.equal((await sendText(url, "fail out of order")).status.state, "TASK_STATE_FAILED");
    await assertOneChild(before);
  });

  it("is shut down after a timeout (L06)", async () => {
    const before = lines().length;
    const task = await sendText(url, hold("shell-window"));
    assert.equal(task.status.state, "TASK_STATE_FAILED");
    await gone([Number(folder.read("shell-window"))]);
    await childEnds(before);
    await assertOneChild(before);
  });

  it("is shut down after a cancel (L06)", async () => {
    const before = lines().length;
    const { id } = await sendText(url, hold("shell-cancel"), { configuration: { returnImmediately: true } });
    await appeared(folder.file("shell-cancel"));
    await rpc(url, "CancelTask", { id });
    await childEnds(before);
    await assertOneChild(before);
  });

  it("sees one server however many children run (L07)", async () => {
    const before = lines().length;
    const configuration = { returnImmediately: true };
    const names = ["shell-1", "shell-2", "shell-3"];
    await Promise.all(names.map((name) => sendText(url, hold(name, "go-all"), { configuration })));
    await Promise.all(names.map((name) => appeared(folder.file(name))));
    // Looked at while the children are there: what they open they may well close at their end.
    assert.deepEqual(await listeners(), [new URL(url).port]);
    folder.write("go-all");
    await gone(
      lines()
        .slice(before)
        .map(({ helper }) => helper),
    );
    assert.deepEqual(await listeners(), [new URL(url).port]);
    assert.equal(server.notifications().filter((text) => /listening on 127/.test(text)).length, 1);
  });

  /** The ports that the serving Pi process listens on now. */
  async function listeners(): Promise<string[]> {
    const shown = (await server.command("/listeners")).find((text) => text.startsWith("listening on: "));
    return (shown ?? "").replace("listening on: ", "").split(", ");
  }

  /** A caller may hear of the end before the child is cleaned up: the helper's end is the sign. */
  async function childEnds(before: number): Promise<void> {
    const started = lines()[before];
    assert.ok(started, "the child started the probe");
    await gone([started.helper]);
  }
});
