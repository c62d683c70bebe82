// `npm run bench` as a person meets it, for one row: real servers, real load, an end without a trace.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startMeasured } from "../hostile/support/measured-process.ts";
import { createEventLog } from "../support/e2e-event-log.ts";
import { REPOSITORY } from "../support/e2e-host.ts";
import { descendants, gone } from "../support/e2e-processes.ts";
import { createTempDir } from "../support/temp-dir.ts";

const CACHE = join(REPOSITORY, ".cache");
const folders = (): readonly string[] =>
  existsSync(CACHE) ? readdirSync(CACHE).filter((name) => name.startsWith("bench-")) : [];

interface Ran {
  readonly child: ChildProcess;
  /** Waits for a line on stderr. */
  readonly told: (text: string) => Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string }>;
}

function startBench(...flags: readonly string[]): Ran {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/bench/run.ts", ...flags], { cwd: REPOSITORY });
  const lines = createEventLog<string>();
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    for (const line of text.split("\n")) lines.push(line);
  });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) => {
    child.once("close", (code) => {
      process.off("exit", kill);
      lines.close(`it ended with ${code}`);
      resolve({ code, stdout });
    });
  });
  return { child, told: (text) => lines.next(text, (line) => line.includes(text), { deadlineMs: 60_000 }), ended };
}

describe("a measured process", () => {
  it("that is asked while it is let go refuses, and ends nobody else", async () => {
    const folder = await createTempDir();
    const program = join(folder.path, "answers.mjs");
    const answers =
      "process.on('message', ({ id }) => process.send({ id })); process.on('disconnect', () => process.exit());";
    await writeFile(program, answers);
    const measured = await startMeasured(pathToFileURL(program), {}, 64, []);
    const ending = measured.end();
    await assert.rejects(measured.ask("ready"), /channel closed/i);
    await ending;
    await folder.remove();
  });
});

describe("npm run bench", () => {
  it("measures a row, prints it as JSON, and leaves nothing behind", async () => {
    const before = folders();
    const { code, stdout } = await startBench("--quick", "--json", "--only", "card-304").ended;
    assert.equal(code, 0, stdout);
    const { quick, rows } = JSON.parse(stdout);
    assert.equal(quick, true);
    assert.deepEqual(
      rows.map(({ id, concurrency }: { id: string; concurrency: number }) => [id, concurrency]),
      [["card-304", 16]],
    );
    for (const figure of ["ours", "limit", "sdk", "ratio", "cpuRatio"]) assert.ok(rows[0][figure] > 0, figure);
    assert.deepEqual(folders(), before);
  });

  it("ends everything that it started when it is stopped, and says so by its exit code", async () => {
    const before = folders();
    const { child, told, ended } = startBench("--quick", "--only", "send");
    await told("SendMessage");
    const started = descendants(child.pid ?? -1);
    assert.ok(started.length >= 2, "its servers run");
    child.kill("SIGINT");
    assert.equal((await ended).code, 1);
    await gone(started);
    assert.deepEqual(folders(), before);
  });
});
