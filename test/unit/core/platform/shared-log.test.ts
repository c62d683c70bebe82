import assert from "node:assert/strict";
import * as fs from "node:fs";
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createSystemClock } from "../../../../src/core/platform/clock.ts";
import { type A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { createSharedLog, type LogFileParts, type SharedLog } from "../../../../src/core/platform/shared-log.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const WAIT_MS = 5000;

describe("shared log", () => {
  let dir: TempDir;
  let path: string;
  beforeEach(async () => {
    dir = await createTempDir();
    path = join(dir.path, "log.jsonl");
  });
  afterEach(() => dir.remove());

  const logOf = (maxBytes = 1000, parts: Partial<LogFileParts> = {}): SharedLog =>
    createSharedLog(createSystemClock(), { path, maxBytes }, parts);
  const read = (name = "log.jsonl"): Promise<string> => readFile(join(dir.path, name), "utf8");
  const failed = async (work: Promise<unknown>): Promise<A2aError> => {
    const error = await work.then(
      () => assert.fail("it was written"),
      (caught: unknown) => caught,
    );
    assert.ok(isA2aError(error, "FILE_FAILED"), String(error));
    return error;
  };

  it("begins a file for its owner alone, in a folder that it makes, and adds to it", async () => {
    path = join(dir.path, "agent", "log.jsonl");
    const log = logOf();
    await log.append("one\n", WAIT_MS);
    await log.append("two\nthree\n", WAIT_MS);
    assert.equal(await read("agent/log.jsonl"), "one\ntwo\nthree\n");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(dir.path, "agent")), ["log.jsonl"]);
  });

  it("puts a file aside that would grow too large, and replaces the one before it", async () => {
    const log = logOf(10);
    for (const line of ["aaaa\n", "bbbb\n", "cccc\n"]) await log.append(line, WAIT_MS);
    assert.equal(await read(), "cccc\n");
    assert.equal(await read("log.jsonl.1"), "aaaa\nbbbb\n");
    await log.append("dddd\n", WAIT_MS);
    await log.append("eeee\n", WAIT_MS);
    assert.equal(await read("log.jsonl.1"), "cccc\ndddd\n");
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it("takes lines that alone are larger than a file may be", async () => {
    await logOf(10).append(`${"x".repeat(50)}\n`, WAIT_MS);
    assert.equal((await read()).length, 51);
  });

  it("never glues a line to half a line that another process left", async () => {
    await writeFile(path, 'whole\n{"half":');
    await logOf().append("next\n", WAIT_MS);
    assert.equal(await read(), 'whole\n{"half":\nnext\n');
  });

  it("takes a file for its owner that was open to others", async () => {
    await writeFile(path, "old\n");
    await chmod(path, 0o644);
    await logOf().append("new\n", WAIT_MS);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  });

  it("follows a link, and rotates where it leads", async () => {
    const real = join(dir.path, "elsewhere");
    await mkdir(real);
    await writeFile(join(real, "audit"), "");
    await symlink(join(real, "audit"), path);
    const log = logOf(5);
    await log.append("one\n", WAIT_MS);
    await log.append("two\n", WAIT_MS);
    assert.deepEqual(await readdir(real), ["audit", "audit.1"]);
    assert.equal(await read(), "two\n");
  });

  it("begins the file behind links that lead nowhere while another session has put it aside", async () => {
    const real = join(dir.path, "elsewhere");
    await mkdir(real);
    await symlink(join("elsewhere", "second"), path);
    await symlink("audit", join(real, "second"));
    await writeFile(join(real, "audit.1"), "old\n");
    await logOf().append("one\n", WAIT_MS);
    assert.equal(await read(join("elsewhere", "audit")), "one\n");
    assert.deepEqual(await readdir(real), ["audit", "audit.1", "second"]);
  });

  it("refuses a link that leads nowhere, and what is no regular file", async () => {
    await symlink(join(dir.path, "nothing"), path);
    assert.match((await failed(logOf().append("x\n", WAIT_MS))).message, /leads nowhere/);
    path = join(dir.path, "pipe");
    const { execFileSync } = await import("node:child_process");
    execFileSync("mkfifo", [path]);
    assert.match((await failed(logOf().append("x\n", WAIT_MS))).message, /not a regular file/);
    path = join(dir.path, "folder");
    await mkdir(path);
    await failed(logOf().append("x\n", WAIT_MS));
    path = join(dir.path, "pipe", "log.jsonl");
    assert.match((await failed(logOf().append("x\n", WAIT_MS))).message, /pipe/);
  });

  it("adds nothing when the disk is full in the middle of a line", async () => {
    await logOf().append("one\n", WAIT_MS);
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    let calls = 0;
    const writeSync: LogFileParts["writeSync"] = (fd: number, bytes: NodeJS.ArrayBufferView | string) => {
      calls += 1;
      if (calls > 1) throw full;
      return fs.writeSync(fd, bytes as Uint8Array, 0, 3);
    };
    const error = await failed(logOf(1000, { writeSync }).append("two\nthree\n", WAIT_MS));
    assert.match(error.message, /cannot write .*log\.jsonl: ENOSPC/);
    assert.equal(await read(), "one\n");
    await logOf().append("four\n", WAIT_MS);
    assert.equal(await read(), "one\nfour\n");
  });

  it("grows on while the old file cannot be put aside, but not without end", async () => {
    const renameSync = (): never => {
      throw Object.assign(new Error("EBUSY: resource busy, rename"), { code: "EBUSY" });
    };
    const log = logOf(10, { renameSync });
    for (const line of ["aaaa\n", "bbbb\n", "cccc\n", "dddd\n"]) await log.append(line, WAIT_MS);
    assert.match((await failed(log.append("eeee\n", WAIT_MS))).message, /EBUSY/);
    assert.equal(await read(), "aaaa\nbbbb\ncccc\ndddd\n");
  });

  it("waits for another writer, and gives up after its time", async () => {
    const lock = `${path}.lock`;
    await mkdir(lock);
    await failed(logOf().append("x\n", 30));
    const at = new Date(Date.now() - 11_000);
    await utimes(lock, at, at);
    await logOf().append("taken over\n", WAIT_MS);
    assert.equal(await read(), "taken over\n");
  });
});
