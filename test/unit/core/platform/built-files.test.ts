import assert from "node:assert/strict";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BUILT_FILES, builtEntry, isInstalled } from "../../../../src/core/platform/built-files.ts";
import { createTempDir, type TempDir } from "../../../support/temp-dir.ts";

describe("built files", () => {
  let temp: TempDir;

  beforeEach(async () => {
    temp = await createTempDir();
    await mkdir(join(temp.path, "v1"));
    for (const name of ["entry.js", "lazy.js"]) await writeFile(join(temp.path, "v1", name), "12345");
    await list({ entry: "v1/entry.js", files: { "v1/entry.js": 5, "v1/lazy.js": 5 } });
  });

  afterEach(() => temp.remove());

  const list = (content: unknown): Promise<void> => writeFile(join(temp.path, BUILT_FILES), JSON.stringify(content));

  it("are used when all of the list are there, whole", () => {
    assert.equal(builtEntry(temp.path), join(temp.path, "v1", "entry.js"));
  });

  it("are not used when the folder or the list is missing", async () => {
    assert.equal(builtEntry(join(temp.path, "elsewhere")), undefined);
    await rm(join(temp.path, BUILT_FILES));
    assert.equal(builtEntry(temp.path), undefined);
  });

  it("are not used when one of them is missing, or was written in part", async () => {
    await truncate(join(temp.path, "v1", "lazy.js"), 4);
    assert.equal(builtEntry(temp.path), undefined);
    await rm(join(temp.path, "v1", "lazy.js"));
    assert.equal(builtEntry(temp.path), undefined);
  });

  it("are not used with a list that says something else, or half of it", async () => {
    for (const content of [
      null,
      [],
      {},
      { entry: 1, files: {} },
      { entry: "v1/entry.js" },
      { entry: "v1/entry.js", files: null },
    ]) {
      await list(content);
      assert.equal(builtEntry(temp.path), undefined, JSON.stringify(content));
    }
    await list({ entry: "v1/other.js", files: { "v1/entry.js": 5 } });
    assert.equal(builtEntry(temp.path), undefined);
    await writeFile(join(temp.path, BUILT_FILES), '{"entry": "v1/entry.js", "fil');
    assert.equal(builtEntry(temp.path), undefined);
  });
});

describe("a package", () => {
  let temp: TempDir;

  beforeEach(async () => {
    temp = await createTempDir();
  });

  afterEach(() => temp.remove());

  const folder = async (...steps: string[]): Promise<string> => {
    const path = join(temp.path, ...steps);
    await mkdir(path, { recursive: true });
    return path;
  };

  it("is installed in a folder of packages, and nowhere else", async () => {
    assert.ok(isInstalled(await folder("lib", "node_modules", "pi-a2a")));
    assert.ok(!isInstalled(await folder("work", "pi-a2a")));
    assert.ok(!isInstalled(await folder("my_node_modules", "pi-a2a")));
  });

  it("is a checkout where it is linked from such a folder", async () => {
    const checkout = await folder("work", "pi-a2a");
    const link = join(await folder("lib", "node_modules"), "pi-a2a");
    await symlink(checkout, link, "dir");
    assert.ok(!isInstalled(link));
  });
});
