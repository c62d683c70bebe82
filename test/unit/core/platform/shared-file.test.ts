import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as lockfile from "proper-lockfile";
import { createSystemClock } from "../../../../src/core/platform/clock.ts";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { type Change, createSharedFiles, type SharedFileParts } from "../../../../src/core/platform/shared-file.ts";
import { skipBecause } from "../../../support/skip-because.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const posix = process.platform !== "win32";
const CAP = 1000;

/** Adds a word to the end of the file. */
const add =
  (word: string): Change =>
  (content) =>
    Buffer.from(`${content === undefined ? "" : Buffer.from(content).toString()}${word}`);

function refusal(code: string): Error {
  return Object.assign(new Error(`${code}: operation not permitted, rename`), { code });
}

describe("shared files", () => {
  let dir: TempDir;
  let path: string;
  beforeEach(async () => {
    dir = await createTempDir();
    path = join(dir.path, "settings.json");
  });
  afterEach(() => dir.remove());

  const update = (change: Change, parts: Partial<SharedFileParts> = {}, at = path): Promise<boolean> =>
    createSharedFiles(createSystemClock(), parts).update(at, CAP, change);
  const content = (): Promise<string> => readFile(path, "utf8");
  const names = (): Promise<string[]> => readdir(dir.path);

  it("replace the content and leave nothing else behind", async () => {
    await writeFile(path, "a");
    assert.equal(await update(add("b")), true);
    assert.equal(await content(), "ab");
    assert.deepEqual(await names(), ["settings.json"]);
  });

  it("make a missing file for its owner only, and its folder too", async () => {
    const inner = join(dir.path, "agent", "settings.json");
    await update(add("a"), {}, inner);
    assert.equal(await readFile(inner, "utf8"), "a");
    if (posix) assert.equal((await stat(inner)).mode & 0o777, 0o600);
  });

  it("are not touched when nothing has to be changed", async () => {
    await writeFile(path, "a");
    const before = await stat(path);
    assert.equal(await update(() => undefined), false);
    assert.equal((await stat(path)).ino, before.ino);
  });

  it("keep their mode", async function () {
    if (!posix) skipBecause(this, "needs a POSIX system");
    await writeFile(path, "a");
    for (const mode of [0o640, 0o644, 0o600]) {
      await chmod(path, mode);
      await update(add("b"));
      assert.equal((await stat(path)).mode & 0o777, mode);
    }
  });

  it("are changed where their links lead, and the links stay", async () => {
    const target = join(dir.path, "dotfiles", "pi.json");
    await mkdir(join(dir.path, "dotfiles"));
    await writeFile(target, "a");
    await symlink(join("dotfiles", "pi.json"), path);
    await update(add("b"));
    assert.equal(await readFile(target, "utf8"), "ab");
    assert.equal(await readlink(path), join("dotfiles", "pi.json"));
    assert.deepEqual(await readdir(join(dir.path, "dotfiles")), ["pi.json"]);
  });

  it("are not made behind a link that leads nowhere", async () => {
    await symlink(join(dir.path, "none"), path);
    await assert.rejects(update(add("a")), /a link that leads nowhere/);
    assert.ok((await lstat(path)).isSymbolicLink());
  });

  it("stay as they are when their owner made them read-only", async () => {
    await writeFile(path, "a", { mode: 0o400 });
    await assert.rejects(update(add("b")), /it is read-only/);
    assert.deepEqual([await content(), await names()], ["a", ["settings.json"]]);
  });

  it("get the change of another process that came between, and ours (G03)", async () => {
    await writeFile(path, "a");
    let asked = 0;
    await update((before) => {
      asked += 1;
      const after = add("b")(before);
      if (asked === 1) writeFileSync(path, "A");
      return after;
    });
    assert.deepEqual([asked, await content(), await names()], [2, "Ab", ["settings.json"]]);
  });

  it("wait for a process that holds them", async () => {
    await writeFile(path, "a");
    const release = lockfile.lockSync(path, { realpath: false });
    const updated = update(add("b"));
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(path, "A");
    release();
    await updated;
    assert.equal(await content(), "Ab");
  });

  it("are asked again while another process has half of them written, and refused when they stay so", async () => {
    const whole: Change = (before) => {
      if (Buffer.from(before ?? []).toString() !== "whole") throw new A2aError("CONFIG_INVALID", "half");
      return add("!")(before);
    };
    await writeFile(path, "ha");
    let waits = 0;
    await update(whole, {
      async wait() {
        waits += 1;
        await writeFile(path, "whole");
      },
    });
    assert.deepEqual([waits, await content()], [1, "whole!"]);
    await writeFile(path, "ha");
    await assert.rejects(update(whole), /half/);
    assert.deepEqual([await content(), await names()], ["ha", ["settings.json"]]);
  });

  for (const code of ["EPERM", "EBUSY", "EACCES"]) {
    it(`are tried again for a moment while the system refuses with ${code} (G06)`, async () => {
      await writeFile(path, "a");
      const waits: number[] = [];
      let refusals = 3;
      const { renameSync } = await import("node:fs");
      await update(add("b"), {
        rename(from, to) {
          refusals -= 1;
          if (refusals >= 0) throw refusal(code);
          renameSync(from, to);
        },
        async wait(ms) {
          waits.push(ms);
        },
      });
      assert.deepEqual([await content(), waits], ["ab", [10, 20, 50]]);
    });

    it(`stay as they are, and say so, when ${code} lasts (G06)`, async () => {
      await writeFile(path, "a");
      let tries = 0;
      const parts: Partial<SharedFileParts> = {
        rename() {
          tries += 1;
          throw refusal(code);
        },
        wait: async () => undefined,
      };
      await assert.rejects(
        update(add("b"), parts),
        (error) => isA2aError(error, "FILE_FAILED") && error.message.includes(`${path}: ${code}`),
      );
      assert.deepEqual([tries, await content(), await names()], [6, "a", ["settings.json"]]);
    });
  }

  it("say at once what another refusal is, and leave nothing behind", async () => {
    await writeFile(path, "a");
    const parts: Partial<SharedFileParts> = {
      rename() {
        throw refusal("ENOSPC");
      },
    };
    await assert.rejects(update(add("b"), parts), /cannot write .*ENOSPC/);
    assert.deepEqual([await content(), await names()], ["a", ["settings.json"]]);
  });

  it("stay as they are on a full disk (G04)", function () {
    if (process.platform !== "linux") skipBecause(this, "needs Linux");
    // A limit on the size of files is met like a full disk: the write stops in the middle.
    const script = `
      import { createSharedFiles } from "./src/core/platform/shared-file.ts";
      import { createSystemClock } from "./src/core/platform/clock.ts";
      process.on("SIGXFSZ", () => {});
      const big = Buffer.alloc(5_000_000, "x");
      await createSharedFiles(createSystemClock()).update(${JSON.stringify(path)}, 9e6, () => big).then(
        () => console.log("written"),
        (error) => console.log(error.message),
      );`;
    writeFileSync(path, "a");
    const shell = `ulimit -f 1000; exec "${process.execPath}" --import tsx --input-type=module -e "$SCRIPT"`;
    const said = execFileSync("bash", ["-c", shell], {
      // What the child covers would be counted beside what this process does.
      env: { ...process.env, NODE_V8_COVERAGE: "", SCRIPT: script },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    assert.match(said, /cannot write .*EFBIG/);
    return Promise.all([content(), names()]).then((found) => assert.deepEqual(found, ["a", ["settings.json"]]));
  });

  it("lose what a killed process left beside them, but nothing young and nobody else's (G04)", async () => {
    await writeFile(path, "a");
    const old = new Date(Date.now() - 120_000);
    const left = ["settings.json.12-0123456789ab.tmp", "settings.json.7-ba9876543210.tmp"];
    const kept = ["other.json.12-0123456789ab.tmp", "settings.json.bak", "settings.json.tmp"];
    for (const name of [...left, ...kept]) {
      await writeFile(join(dir.path, name), "x");
      await utimes(join(dir.path, name), old, old);
    }
    const young = "settings.json.99-0123456789ab.tmp";
    await writeFile(join(dir.path, young), "x");
    await update(add("b"));
    assert.deepEqual(await names(), [...kept, young, "settings.json"].toSorted());
  });

  it("larger than the cap are refused", async () => {
    await writeFile(path, "x".repeat(CAP + 1));
    await assert.rejects(update(add("b")), /larger than 1000 bytes/);
  });
});
