// Real processes: what they print, and that nothing of them is left.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, it } from "mocha";
import { createSystemClock } from "../../../../src/core/platform/clock.ts";
import {
  type CommandOptions,
  type CommandPort,
  createCommandPort,
  plainWords,
} from "../../../../src/core/platform/command.ts";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { untilGone } from "../../../support/process-alive.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

describe("running a command", () => {
  let dir: TempDir;
  let port: CommandPort;
  beforeEach(async () => {
    dir = await createTempDir();
    port = createCommandPort(createSystemClock());
  });
  afterEach(async () => {
    port.close();
    await dir.remove();
  });

  const run = (command: string, options: Partial<CommandOptions> = {}) =>
    port.run(command, {
      cwd: dir.path,
      timeoutMs: 8000,
      maxBytes: 1000,
      signal: new AbortController().signal,
      ...options,
    });

  it("gives what it prints, without a shell where it needs none", async () => {
    assert.deepEqual(await run("printf %s 'a b'"), { kind: "printed", text: "a b" });
  });

  it("uses a shell where the command needs one, in the folder it is told", async () => {
    assert.deepEqual(await run('echo "$(pwd)" | cat'), { kind: "printed", text: `${dir.path}\n` });
  });

  it("says why it gave nothing, and nothing of what was printed", async () => {
    assert.deepEqual(await run("echo hunter2 && exit 3"), { kind: "failed", why: "ended with status 3" });
    assert.deepEqual(await run("no-such-command-here x"), { kind: "failed", why: "could not be started (ENOENT)" });
    assert.deepEqual(await run("kill -9 $$"), { kind: "failed", why: "was ended by SIGKILL" });
  });

  it("stops one that prints too much or takes too long", async () => {
    assert.deepEqual(await run("yes"), { kind: "failed", why: "printed more than 1000 bytes" });
    assert.deepEqual(await run("sleep 60", { timeoutMs: 50 }), { kind: "failed", why: "took longer than 0.05 s" });
  });

  it("kills the command and its children when its signal aborts", async () => {
    const control = new AbortController();
    const running = run("sleep 60 & echo $! > child; echo $$ > shell; wait", { signal: control.signal });
    const pids = await written("child", "shell");
    control.abort(new A2aError("CANCELLED", "stopped"));
    await assert.rejects(running, (error) => isA2aError(error, "CANCELLED"));
    await allEnded(pids);
  });

  it("kills all that still runs when it is closed, and starts nothing later", async () => {
    const running = run("sleep 60 & echo $! > child; echo $$ > shell; wait");
    const pids = await written("child", "shell");
    port.close();
    assert.deepEqual(await running, { kind: "failed", why: "was ended, as this session ends" });
    await allEnded(pids);
    assert.equal((await run("echo x")).kind, "failed");
  });

  it("does not wait for what it left behind, and leaves none of it", async () => {
    assert.deepEqual(await run("sleep 60 & echo $! > child; echo token"), { kind: "printed", text: "token\n" });
    await allEnded(await written("child"));
  });

  async function written(...names: readonly string[]): Promise<readonly number[]> {
    const paths = names.map((name) => `${dir.path}/${name}`);
    await until(() => paths.every((path) => existsSync(path) && readFileSync(path, "utf8").trim() !== ""));
    return paths.map((path) => Number(readFileSync(path, "utf8")));
  }
});

describe("a command's words", () => {
  for (const [command, words] of [
    ["pass show a2a/hermes", ["pass", "show", "a2a/hermes"]],
    ["  op read 'op://Private/a b/token' ", ["op", "read", "op://Private/a b/token"]],
    ['vault kv get -field="the token" secret/a', ["vault", "kv", "get", "-field=the token", "secret/a"]],
    ["echo $TOKEN", undefined],
    ["a | b", undefined],
    ["a; b", undefined],
    ["cat ~/token", undefined],
    ['echo "$(x)"', undefined],
    ["echo 'open", undefined],
    ["HOME=/x tool", undefined],
    ["ls *.txt", undefined],
    [" ", undefined],
  ] as const) {
    it(`of ${JSON.stringify(command)} ${words === undefined ? "need a shell" : "are plain"}`, () => {
      assert.deepEqual(plainWords(command), words);
    });
  }
});

async function allEnded(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await untilGone(pid);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
