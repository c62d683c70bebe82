// The lock is the host's: proper-lockfile, which the host uses, is the judge in both directions.

import assert from "node:assert/strict";
import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { mkdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import * as lockfile from "proper-lockfile";
import { createSystemClock } from "../../../../src/core/platform/clock.ts";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { withFileLock, withOwnFileLock } from "../../../../src/core/platform/file-lock.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

const OPTIONS = { realpath: false };

describe("file lock", () => {
  const clock = createSystemClock();
  let dir: TempDir;
  let path: string;
  let folder: string;
  beforeEach(async () => {
    dir = await createTempDir();
    path = join(dir.path, "settings.json");
    folder = `${path}.lock`;
  });
  afterEach(() => dir.remove());

  const ageOf = async (ms: number): Promise<void> => {
    const at = new Date(Date.now() - ms);
    await utimes(folder, at, at);
  };
  const isThere = (): Promise<boolean> =>
    stat(folder).then(
      () => true,
      () => false,
    );

  it("keeps the host out while it is held, and lets it in afterwards", async () => {
    const seen = await withFileLock(path, { clock }, () => {
      assert.throws(() => lockfile.lockSync(path, OPTIONS), { code: "ELOCKED" });
      return lockfile.checkSync(path, OPTIONS);
    });
    assert.equal(seen, true);
    const release = lockfile.lockSync(path, OPTIONS);
    release();
  });

  it("waits for the host, and gives up with a way out", async () => {
    const release = lockfile.lockSync(path, OPTIONS);
    await assert.rejects(
      withFileLock(path, { clock, waitMs: 30 }, () => assert.fail("the lock is the host's")),
      (error) => isA2aError(error, "FILE_FAILED") && error.message.includes(path) && error.hint.includes(folder),
    );
    const waiting = withFileLock(path, { clock }, () => "mine");
    release();
    assert.equal(await waiting, "mine");
  });

  it("takes over a lock that nobody refreshed for 10 s, and none that is younger", async () => {
    await mkdir(folder);
    await ageOf(9000);
    await assert.rejects(withFileLock(path, { clock, waitMs: 30 }, () => "mine"));
    await ageOf(10_500);
    assert.equal(await withFileLock(path, { clock, waitMs: 30 }, () => "mine"), "mine");
    assert.equal(await isThere(), false);
  });

  it("left by a killed process of ours is taken over by the host", async () => {
    await mkdir(folder);
    await ageOf(10_500);
    lockfile.lockSync(path, OPTIONS)();
  });

  it("is given back when the work fails, and the work's error passes", async () => {
    await assert.rejects(
      withFileLock(path, { clock }, () => {
        throw new Error("full");
      }),
      /full/,
    );
    assert.equal(await isThere(), false);
  });

  it("that was taken over meanwhile is known to be lost, and left to its new owner", async () => {
    await withFileLock(path, { clock }, (held) => {
      assert.equal(held(), true);
      rmdirSync(folder);
      assert.equal(held(), false);
      mkdirSync(folder);
      assert.equal(held(), false);
    });
    assert.ok(statSync(folder).isDirectory());
  });

  it("says why it cannot be made", async () => {
    await rm(dir.path, { recursive: true });
    await assert.rejects(
      withFileLock(path, { clock }, () => "mine"),
      (error) => isA2aError(error, "FILE_FAILED"),
    );
  });

  it("lets one of many in at a time", async () => {
    let inside = 0;
    const turns = Array.from({ length: 20 }, () =>
      withFileLock(path, { clock }, () => {
        inside += 1;
        assert.equal(inside, 1);
        inside -= 1;
      }),
    );
    await Promise.all(turns);
  });

  it("of our own files keeps others out until it is removed, lets them in afterwards, and is taken over when it is old", async () => {
    const seen = await withOwnFileLock(path, { clock }, (held) => {
      assert.throws(() => lockfile.lockSync(path, OPTIONS), { code: "ELOCKED" });
      return held();
    });
    assert.deepEqual([seen, await isThere()], [true, false]);
    await mkdir(folder);
    await assert.rejects(withOwnFileLock(path, { clock, waitMs: 30 }, () => "mine"));
    await ageOf(11_000);
    const both = ["one", "two"].map((name) => withOwnFileLock(path, { clock }, () => name));
    assert.deepEqual([await Promise.all(both), await isThere()], [["one", "two"], false]);
    const failing = withOwnFileLock(path, { clock }, () => {
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    assert.equal(await isThere(), false);
  });
});
