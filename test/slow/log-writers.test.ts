// Several processes add to one log at once and rotate it: no line is torn, and none is lost but with a whole old file.

import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createSharedLog } from "../../src/core/platform/shared-log.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

const WRITER = fileURLToPath(new URL("fixtures/log-writer.ts", import.meta.url));
const run = promisify(execFile);
/** What the children cover would be counted beside what this process does. */
const ENV = { ...process.env, NODE_V8_COVERAGE: "" };

interface Line {
  readonly name: string;
  readonly n: number;
}

describe("writers of one log", function () {
  this.timeout(120_000);
  let dir: TempDir;
  let path: string;
  beforeEach(async () => {
    dir = await createTempDir();
    path = join(dir.path, "log.jsonl");
  });
  afterEach(() => dir.remove());

  const args = (name: string, lines: number, maxBytes: number): string[] => [
    ...["--import", "tsx", WRITER],
    ...[path, name, String(lines), String(maxBytes)],
  ];
  const write = (name: string, lines: number, maxBytes: number) =>
    run(process.execPath, args(name, lines, maxBytes), { env: ENV });
  const linesOf = async (file: string): Promise<Line[]> =>
    (await readFile(file, "utf8"))
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const numbersOf = (lines: readonly Line[], wanted: string): number[] =>
    lines.filter(({ name }) => name === wanted).map(({ n }) => n);
  const upTo = (end: number, begin = 0): number[] => Array.from({ length: end - begin }, (_, n) => begin + n);

  it("lose no line in a rotation", async () => {
    // About 270 KB in all, so one rotation.
    await Promise.all([write("a", 600, 150_000), write("b", 600, 150_000)]);
    const lines = [...(await linesOf(`${path}.1`)), ...(await linesOf(path))];
    assert.deepEqual(numbersOf(lines, "a"), upTo(600));
    assert.deepEqual(numbersOf(lines, "b"), upTo(600));
    assert.deepEqual((await readdir(dir.path)).sort(), ["log.jsonl", "log.jsonl.1"]);
  });

  it("keep the newest lines without a gap through many rotations, and every file small, also behind a link", async () => {
    await writeFile(join(dir.path, "real.jsonl"), "");
    await symlink(join(dir.path, "real.jsonl"), path);
    await Promise.all(["a", "b", "c"].map((name) => write(name, 800, 20_000)));
    const old = join(dir.path, "real.jsonl.1");
    const lines = [...(await linesOf(old)), ...(await linesOf(path))];
    const newest = ["a", "b", "c"].filter((name) => numbersOf(lines, name).length > 0);
    assert.ok(newest.length > 0);
    for (const name of newest) {
      const numbers = numbersOf(lines, name);
      assert.deepEqual(numbers, upTo(800, numbers[0]));
    }
    for (const file of [path, old]) assert.ok((await stat(file)).size <= 20_000);
  });

  it("that are killed at any moment tear no line of others", async () => {
    const killed: ChildProcess[] = [];
    for (const ms of [0, 3, 20]) {
      const child = spawn(process.execPath, args(`killed ${ms}`, 1e9, 1e9), { stdio: "ignore", env: ENV });
      killed.push(child);
      const has = (): Promise<boolean> =>
        readFile(path, "utf8").then(
          (text) => text.includes(`killed ${ms}`),
          () => false,
        );
      while (!(await has())) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    // A lock that a killed writer left is taken over after ten seconds.
    await createSharedLog(createSystemClock(), { path, maxBytes: 1e9 }).append('{"name":"last","n":0}\n', 30_000);
    const lines = await linesOf(path);
    for (const ms of [0, 3, 20]) {
      const numbers = numbersOf(lines, `killed ${ms}`);
      assert.deepEqual(numbers, upTo(numbers.length));
    }
    assert.equal(lines.at(-1)?.name, "last");
  });
});
