import assert from "node:assert/strict";
import { chmod, mkdir, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createJournalFiles } from "../../../../src/core/platform/journal-files.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

describe("journal files", () => {
  let dir: TempDir;
  const clock = createFakeClock();
  const files = createJournalFiles(clock);
  beforeEach(async () => {
    dir = await createTempDir();
  });
  afterEach(() => dir.remove());
  const at = (name: string): string => join(dir.path, name);

  it("closes a folder of ours to others, whether it was there or not", async () => {
    await files.makeFolder(at("a/b"));
    await mkdir(at("open"));
    await chmod(at("open"), 0o755);
    await files.makeFolder(at("open"));
    for (const name of ["a/b", "open"]) assert.equal((await stat(at(name))).mode & 0o777, 0o700);
  });

  it("reads at a place, and less only where the file ends", async () => {
    await writeFile(at("f"), "0123456789");
    const file = await files.open(at("f"));
    assert.equal(file?.size, 10);
    assert.equal(Buffer.from((await file?.read(3, 4)) ?? []).toString(), "3456");
    assert.equal(Buffer.from((await file?.read(8, 4)) ?? []).toString(), "89");
    assert.equal((await file?.read(20, 4))?.length, 0);
    await file?.close();
    assert.equal(await files.open(at("none")), undefined);
  });

  it("opens neither links nor folders", async () => {
    await writeFile(at("f"), "x");
    await symlink(at("f"), at("link"));
    await mkdir(at("folder"));
    for (const name of ["link", "folder"]) {
      await assert.rejects(files.open(at(name)), (error) => isA2aError(error, "FILE_FAILED"));
    }
  });

  it("lets one of many rename a file, and tells the others", async () => {
    await writeFile(at("f"), "x");
    const tries = await Promise.all(Array.from({ length: 20 }, (_, n) => files.rename(at("f"), at(`by-${n}`))));
    assert.equal(tries.filter((mine) => mine).length, 1);
  });

  it("touches what is there", async () => {
    await writeFile(at("f"), "x");
    await utimes(at("f"), 1, 1);
    assert.equal(await files.touch(at("f")), true);
    assert.equal((await stat(at("f"))).mtimeMs, clock.now());
    assert.equal(await files.touch(at("none")), false);
  });
});
