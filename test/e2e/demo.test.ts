// `npm run demo`, as a person runs it.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createEventLog, type EventLog } from "../support/e2e-event-log.ts";
import { isolatedEnv, REPOSITORY, run } from "../support/e2e-host.ts";
import { descendants, gone } from "../support/e2e-processes.ts";
import { openStage, type Stage } from "../support/e2e-stage.ts";

const DEMO = ["--import", "tsx", join("scripts", "demo", "run.ts")];

/** The curl example of the README, letter for letter. */
const README_BODY = `{"jsonrpc":"2.0","id":1,"method":"SendMessage",
       "params":{"message":{"messageId":"m1","role":"ROLE_USER",
                 "parts":[{"text":"Find all TODO comments in src/"}]}}}`;

describe("npm run demo", () => {
  let stage: Stage;

  before(() => {
    stage = openStage();
  });

  after(() => stage.close());

  it("shows card, progress, reply and the files involved, and exits with 0 in under 30 s", async () => {
    const { code, stdout, stderr } = await run(process.execPath, DEMO, {
      cwd: REPOSITORY,
      env: demoEnv(),
      deadlineMs: 30_000,
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /card:\n {2}name /);
    assert.match(stdout, /\[session 1\] .*A2A inbound/);
    assert.match(stdout, /\[session 2\] calls a2a_call/);
    assert.match(stdout, /reply:\n[\s\S]*2 files hold TODO comments/);
    assert.match(stdout, /files involved:\n {2}src\/server\.ts\n {2}src\/store\.ts\n$/);
  });

  it("explains its flags and exits with 2 on an unknown one", async () => {
    const { code, stderr } = await run(process.execPath, [...DEMO, "--fast"], { cwd: REPOSITORY, env: demoEnv() });
    assert.equal(code, 2);
    assert.match(stderr, /--fast[\s\S]*Usage: npm run demo/);
  });

  it("-- --serve answers the README's curl until it is stopped", async () => {
    const demo = spawn(process.execPath, [...DEMO, "--serve"], {
      cwd: REPOSITORY,
      env: demoEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      const output = readOutput(demo);
      const ready = await output.next("the ready line", (line) => line.startsWith("ready: "), { deadlineMs: 30_000 });
      const url = /http:\S+/.exec(ready)?.[0] ?? "";
      const response = await fetch(url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: README_BODY,
      });
      const text = await response.text();
      assert.match(text, /^\s*\{.*"result":\{"task":\{.*TASK_STATE_COMPLETED/s);
      assert.match(text, /src\/store\.ts/);
      const left = descendants(demo.pid ?? -1);
      const exited = new Promise((resolve) => demo.once("exit", (code) => resolve(code)));
      demo.kill("SIGTERM");
      assert.equal(await exited, 0);
      await gone(left);
    } finally {
      demo.kill("SIGKILL");
    }
  });

  function demoEnv(): Record<string, string> {
    return isolatedEnv(stage.root);
  }
});

function readOutput(child: ChildProcess): EventLog<string> {
  const log = createEventLog<string>();
  let rest = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) log.push(line);
    });
  }
  child.once("close", (code) => log.close(`the demo ended with code ${code}`));
  return log;
}
