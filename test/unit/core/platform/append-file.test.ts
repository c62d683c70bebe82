import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AppendFile, type AppendParts, createAppendFile } from "../../../../src/core/platform/append-file.ts";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createFakeClock, type FakeClock } from "../../../support/fake-clock.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const full = (): Error => Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });

describe("append file", () => {
  let dir: TempDir;
  let clock: FakeClock;
  let file: AppendFile | undefined;
  beforeEach(async () => {
    dir = await createTempDir();
    clock = createFakeClock();
  });
  afterEach(async () => {
    await file?.close();
    await dir.remove();
  });
  const open = (parts: Partial<AppendParts> = {}): AppendFile => {
    file = createAppendFile(join(dir.path, "lines"), clock, parts);
    return file;
  };
  const content = (): Promise<string> => readFile(join(dir.path, "lines"), "utf8");
  const add = (to: AppendFile, text: string, sync = false): Promise<void> => to.append(Buffer.from(text), sync);
  const fails = (what: RegExp) => (error: unknown) => isA2aError(error, "FILE_FAILED") && what.test(error.message);

  it("takes nothing once it is closed: its number may belong to another file by then", async () => {
    const lines = open();
    await add(lines, "one\n");
    await lines.close();
    assert.deepEqual([lines.usable, lines.isThere()], [false, false]);
    const other = createAppendFile(join(dir.path, "other"), clock);
    await assert.rejects(add(lines, "two\n"), fails(/it is closed/));
    assert.equal(other.size, 0);
    assert.equal(await readFile(join(dir.path, "other"), "utf8"), "");
    await other.close();
  });

  it("adds at the end and reads at any place", async () => {
    const lines = open();
    await add(lines, "one\n");
    await add(lines, "two\n");
    assert.equal(lines.size, 8);
    assert.equal(Buffer.from(await lines.read(4, 4)).toString(), "two\n");
    await assert.rejects(lines.read(6, 4), fails(/shorter than it was/));
  });

  it("never goes on in a file that is there, also not through a link", async () => {
    await writeFile(join(dir.path, "lines"), "x");
    assert.throws(() => open(), fails(/EEXIST/));
  });

  it("goes on after short writes", async () => {
    const lines = open({ writeSync: (fd, bytes, offset) => writeSync(fd, bytes, offset, 1) });
    await add(lines, "one\ntwo\n");
    assert.equal(await content(), "one\ntwo\n");
  });

  it("leaves nothing of a write that fails at any byte, and takes the next one", async () => {
    const text = "a line with ü\n";
    const length = Buffer.byteLength(text);
    for (let room = 0; room < length; room++) {
      let left = Number.POSITIVE_INFINITY;
      const lines = open({
        writeSync(fd, bytes, offset, count) {
          if (left === 0) throw full();
          const written = writeSync(fd, bytes, offset, Math.min(count, left));
          left -= written;
          return written;
        },
      });
      await add(lines, "kept\n");
      left = room;
      await assert.rejects(add(lines, text), fails(/ENOSPC/));
      assert.equal(await content(), "kept\n");
      left = Number.POSITIVE_INFINITY;
      await add(lines, text);
      assert.equal(await content(), `kept\n${text}`);
      assert.equal(lines.size, 5 + length);
      await lines.close();
      await dir.remove();
      dir = await createTempDir();
    }
  });

  it("takes nothing more when what failed cannot be cut off", async () => {
    const lines = open({
      writeSync(fd, bytes, offset) {
        writeSync(fd, bytes, offset, 2);
        throw full();
      },
      truncate() {
        throw new Error("EIO");
      },
    });
    await assert.rejects(add(lines, "one\n"), fails(/ENOSPC/));
    assert.equal(lines.usable, false);
    await assert.rejects(add(lines, "two\n"), fails(/unusable/));
  });

  it("gives up instead of writing nothing for ever", async () => {
    const lines = open({ writeSync: () => 0 });
    await assert.rejects(add(lines, "one\n"), fails(/nothing could be written/));
  });

  it("takes back what the disk did not take when it was asked to be sure", async () => {
    let broken = true;
    const lines = open({ sync: () => (broken ? Promise.reject(new Error("EIO")) : Promise.resolve()) });
    await add(lines, "one\n");
    await assert.rejects(add(lines, "two\n", true), fails(/EIO/));
    assert.equal(await content(), "one\n");
    broken = false;
    await add(lines, "three\n", true);
    assert.equal(await content(), "one\nthree\n");
  });

  it("writes through a thread for a while after a write that blocked, and fails as a whole there, too", async () => {
    const ways: string[] = [];
    let takes = 10;
    const lines = open({
      writeSync(fd, bytes, offset, length) {
        ways.push("blocking");
        clock.tick(takes);
        return writeSync(fd, bytes, offset, length);
      },
      write(fd, bytes, offset, length) {
        ways.push("thread");
        if (bytes.length > 10) return Promise.reject(full());
        return Promise.resolve({ bytesWritten: writeSync(fd, bytes, offset, Math.min(2, length)) });
      },
    });
    await add(lines, "one\n");
    takes = 0;
    await add(lines, "two\n");
    await assert.rejects(add(lines, "much too long\n"), fails(/ENOSPC/));
    clock.tick(2_000);
    await add(lines, "three\n");
    assert.equal(await content(), "one\ntwo\nthree\n");
    assert.deepEqual(ways, ["blocking", "thread", "thread", "thread", "blocking"]);
  });

  it("can be closed twice", async () => {
    const lines = open();
    await lines.close();
    await lines.close();
  });
});
