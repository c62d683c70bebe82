import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFilesPort } from "../../../../src/core/platform/files.ts";
import { skipBecause } from "../../../support/skip-because.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const posix = process.platform !== "win32";

function failsNaming(path: string) {
  return (error: unknown): boolean => isA2aError(error, "FILE_FAILED") && error.message.includes(path);
}

function refusal(code: string): Error {
  return Object.assign(new Error(`${code}: operation not permitted, rename`), { code });
}

describe("files port", () => {
  const files = createFilesPort();
  let dir: TempDir;
  const at = (name: string): string => join(dir.path, name);
  beforeEach(async () => {
    dir = await createTempDir();
  });
  afterEach(() => dir.remove());

  describe("readText", () => {
    it("gives undefined for a missing file", async () => {
      assert.equal(await files.readText(at("none")), undefined);
    });

    it("gives the content as it stands in the file", async () => {
      await writeFile(at("a"), "\uFEFFzwölf\r\n");
      assert.equal(await files.readText(at("a")), "\uFEFFzwölf\r\n");
    });

    it("refuses a file above the cap and takes one of exactly the cap", async () => {
      await writeFile(at("a"), "12345");
      assert.equal(await files.readText(at("a"), { maxBytes: 5 }), "12345");
      await assert.rejects(files.readText(at("a"), { maxBytes: 4 }), failsNaming(at("a")));
    });

    it("refuses a folder", async () => {
      await assert.rejects(files.readText(dir.path), failsNaming(dir.path));
    });

    it("refuses a named pipe instead of waiting for a writer", async function () {
      if (!posix) skipBecause(this, "needs a POSIX system");
      execFileSync("mkfifo", [at("pipe")]);
      await assert.rejects(files.readText(at("pipe")), failsNaming(at("pipe")));
    });

    it("refuses a path with a NUL byte with the error of every other failure", async () => {
      await assert.rejects(files.readText(at("a\u0000b")), failsNaming(dir.path));
    });
  });

  describe("readBytes", () => {
    it("gives the bytes as they are, and undefined for a missing file", async () => {
      const bytes = Uint8Array.from([0, 255, 128, 10]);
      await writeFile(at("a"), bytes);
      assert.deepEqual(Uint8Array.from((await files.readBytes(at("a"))) ?? []), bytes);
      assert.equal(await files.readBytes(at("none")), undefined);
    });

    it("refuses a file above the cap, and a folder", async () => {
      await writeFile(at("a"), "12345");
      await assert.rejects(files.readBytes(at("a"), { maxBytes: 4 }), failsNaming(at("a")));
      await assert.rejects(files.readBytes(dir.path), failsNaming(dir.path));
    });
  });

  describe("realPath", () => {
    it("follows every link, and gives undefined for a path that leads nowhere", async () => {
      const real = (await files.realPath(dir.path)) ?? "";
      await mkdir(at("sub"));
      await writeFile(at("sub/a"), "x");
      await symlink(at("sub"), at("link"));
      assert.equal(await files.realPath(at("link/a")), join(real, "sub", "a"));
      assert.equal(await files.realPath(at("sub/none")), undefined);
      assert.equal(await files.realPath(at("sub/a/none")), undefined);
    });
  });

  describe("removing folders", () => {
    it("takes everything in the folder along, but not what its links lead to", async () => {
      await mkdir(at("tree/deep"), { recursive: true });
      await mkdir(at("kept"));
      await writeFile(at("kept/file"), "x");
      await writeFile(at("tree/deep/file"), "x");
      await symlink(at("kept"), at("tree/link"));
      await files.removeTree(at("tree"));
      await files.removeTree(at("tree"));
      assert.deepEqual(await readdir(dir.path), ["kept"]);
      assert.deepEqual(await readdir(at("kept")), ["file"]);
    });

    it("removes an empty folder only, when asked for that", async () => {
      await mkdir(at("empty"));
      await mkdir(at("full"));
      await writeFile(at("full/file"), "x");
      await symlink(at("full"), at("link"));
      for (const name of ["empty", "full", "full/file", "link", "none"]) await files.removeIfEmpty(at(name));
      assert.deepEqual(await readdir(dir.path), ["full", "link"]);
    });
  });

  describe("readText of a file that is being written", () => {
    const isWhole = (text: string): boolean => text.endsWith(".");

    it("reads again until the text is whole", async () => {
      await writeFile(at("a"), "");
      const steps = ["hal", "half", "whole."];
      const patient = createFilesPort({ wait: () => writeFile(at("a"), steps.shift() ?? "too late") });
      assert.equal(await patient.readText(at("a"), { isWhole }), "whole.");
      assert.deepEqual(steps, []);
    });

    it("gives what is there when it never becomes whole, after waits of a fifth of a second", async () => {
      await writeFile(at("a"), "half");
      const waits: number[] = [];
      const patient = createFilesPort({ wait: async (ms) => waits.push(ms) });
      assert.equal(await patient.readText(at("a"), { isWhole }), "half");
      assert.equal(
        waits.reduce((sum, ms) => sum + ms, 0),
        200,
      );
    });

    it("does not wait for a missing file, nor for a whole one", async () => {
      await writeFile(at("a"), "whole.");
      const hasty = createFilesPort({ wait: () => assert.fail("waited") });
      assert.equal(await hasty.readText(at("a"), { isWhole }), "whole.");
      assert.equal(await hasty.readText(at("none"), { isWhole }), undefined);
    });
  });

  describe("writeAtomic", () => {
    it("makes a file that only its user may read, and leaves nothing else behind", async () => {
      await files.writeAtomic(at("a"), "one");
      assert.equal(await readFile(at("a"), "utf8"), "one");
      if (posix) assert.equal((await stat(at("a"))).mode & 0o777, 0o600);
      assert.deepEqual(await readdir(dir.path), ["a"]);
    });

    it("replaces the old content, and narrows its mode", async () => {
      await writeFile(at("a"), "old", { mode: 0o644 });
      await files.writeAtomic(at("a"), new TextEncoder().encode("new"));
      assert.equal(await readFile(at("a"), "utf8"), "new");
      if (posix) assert.equal((await stat(at("a"))).mode & 0o777, 0o600);
    });

    it("lets many writers of one file work at once: the content is one of theirs, whole", async () => {
      const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
      await Promise.all(texts.map((text) => files.writeAtomic(at("a"), text)));
      assert.ok(texts.includes(await readFile(at("a"), "utf8")));
      assert.deepEqual(await readdir(dir.path), ["a"]);
    });

    it("names the path when the folder is missing", async () => {
      await assert.rejects(files.writeAtomic(at("no/a"), "x"), failsNaming(at("no/a")));
    });

    for (const code of ["EPERM", "EBUSY", "EACCES"]) {
      it(`tries again when the system refuses the rename with ${code} three times (G06)`, async () => {
        let left = 3;
        const waits: number[] = [];
        const patient = createFilesPort({
          async rename(from, to) {
            if (left-- > 0) throw refusal(code);
            await writeFile(to, await readFile(from));
          },
          wait: async (ms) => waits.push(ms),
        });
        await patient.writeAtomic(at("a"), "kept");
        assert.equal(await readFile(at("a"), "utf8"), "kept");
        assert.equal(waits.length, 3);
      });
    }

    it("gives up when the rename is always refused: the old content stays and no temporary file (G06)", async () => {
      await writeFile(at("a"), "old");
      const refused = createFilesPort({ rename: () => Promise.reject(refusal("EPERM")), wait: async () => undefined });
      await assert.rejects(refused.writeAtomic(at("a"), "new"), failsNaming(at("a")));
      assert.equal(await readFile(at("a"), "utf8"), "old");
      assert.deepEqual(await readdir(dir.path), ["a"]);
    });

    it("does not repeat a rename that failed for another reason", async () => {
      let tries = 0;
      const full = createFilesPort({
        rename() {
          tries += 1;
          return Promise.reject(refusal("ENOSPC"));
        },
      });
      await assert.rejects(full.writeAtomic(at("a"), "new"), failsNaming(at("a")));
      assert.equal(tries, 1);
    });
  });

  describe("ensureDir", () => {
    it("makes the folder and its parents for its user alone, and takes one that exists", async () => {
      await files.ensureDir(at("x/y"));
      await files.ensureDir(at("x/y"));
      if (!posix) return;
      assert.equal((await stat(at("x"))).mode & 0o777, 0o700);
      assert.equal((await stat(at("x/y"))).mode & 0o777, 0o700);
    });

    it("names the path when a file stands there", async () => {
      await writeFile(at("a"), "");
      await assert.rejects(files.ensureDir(at("a")), failsNaming(at("a")));
    });
  });

  it("lists names in order, and nothing for a missing folder", async () => {
    await writeFile(at("b"), "");
    await writeFile(at("a"), "");
    assert.deepEqual(await files.list(dir.path), ["a", "b"]);
    assert.deepEqual(await files.list(at("none")), []);
  });

  it("removes a file, takes a missing one, and refuses a folder", async () => {
    await writeFile(at("a"), "");
    await files.remove(at("a"));
    await files.remove(at("a"));
    await mkdir(at("d"));
    await assert.rejects(files.remove(at("d")), failsNaming(at("d")));
    assert.deepEqual(await readdir(dir.path), ["d"]);
  });

  it("tells files, folders and nothing apart, through symbolic links", async () => {
    await writeFile(at("a"), "12345");
    await symlink(at("a"), at("link"));
    const info = await files.stat(at("link"));
    assert.deepEqual([info?.kind, info?.size], ["file", 5]);
    assert.equal(info?.modifiedAt, (await stat(at("a"))).mtimeMs);
    assert.equal((await files.stat(dir.path))?.kind, "folder");
    assert.equal(await files.stat(at("none")), undefined);
  });

  it("says why a file cannot be read, and names the path once", async () => {
    if (!posix || process.getuid?.() === 0) {
      await writeFile(at("a"), "");
      await assert.rejects(files.readText(join(at("a"), "b")), /^A2aError: cannot read \S+: ENOTDIR: not a directory$/);
      return;
    }
    await writeFile(at("a"), "x");
    await chmod(at("a"), 0);
    await assert.rejects(files.readText(at("a")), /^A2aError: cannot read \S+: EACCES: permission denied$/);
  });
});
