// Several processes write one settings file at once, each in its own way: no change is lost, nobody reads half a file.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SettingsManager } from "@mariozechner/pi-coding-agent";
import { saveSettings } from "../../src/core/config/save.ts";
import { parseSettings, readSettingsFile } from "../../src/core/config/settings-file.ts";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createFilesPort } from "../../src/core/platform/files.ts";
import { createSharedFiles } from "../../src/core/platform/shared-file.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

const WRITER = fileURLToPath(new URL("fixtures/settings-writer.ts", import.meta.url));
const run = promisify(execFile);
/** What the children cover would be counted beside what this process does. */
const ENV = { ...process.env, NODE_V8_COVERAGE: "" };

describe("writers of one settings file", function () {
  this.timeout(180_000);
  let dir: TempDir;
  let path: string;
  beforeEach(async () => {
    dir = await createTempDir();
    path = join(dir.path, "settings.json");
  });
  afterEach(() => dir.remove());

  const writer = (kind: string, times: number, id: string) =>
    run(process.execPath, ["--import", "tsx", WRITER, kind, dir.path, String(times), id], { env: ENV });
  const readAll = async (): Promise<Record<string, unknown>> => JSON.parse(await readFile(path, "utf8"));

  /** A save that finds what dead processes left two minutes ago. */
  const saveAfterAWhile = async (): Promise<void> => {
    const then = new Date(Date.now() - 120_000);
    const left = (await readdir(dir.path)).filter((name) => name !== "settings.json");
    for (const name of left) await utimes(join(dir.path, name), then, then);
    await saveSettings({
      shared: createSharedFiles(createSystemClock()),
      path,
      edits: [{ setting: { key: "server.port", name: "" }, value: 1 }],
    });
  };

  it("lose nothing, and no reader sees a broken file (G03)", async () => {
    await writeFile(path, '{"kept":true}');
    let done = false;
    const work = Promise.all([
      writer("ours", 30, "one"),
      writer("ours", 30, "two"),
      writer("lockfile", 30, "counter"),
      writer("pi", 30, "theme"),
    ]).finally(() => {
      done = true;
    });
    const files = createFilesPort();
    let reads = 0;
    while (!done) {
      const { faults } = await readSettingsFile(files, path, "global");
      assert.deepEqual(faults, []);
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await work;
    const settings = await readAll();
    const { peers } = settings.a2a as { peers: Record<string, unknown> };
    assert.equal(Object.keys(peers).length, 60);
    assert.deepEqual([settings.counter, settings.theme, settings.kept], [30, "theme-29", true]);
    assert.deepEqual(await readdir(dir.path), ["settings.json"]);
    assert.ok(reads > 0);
  });

  it("begin with no file at all (G03)", async () => {
    // Not beside Pi: what Pi writes into a file that it found missing replaces what came there meanwhile.
    await Promise.all([writer("ours", 10, "one"), writer("ours", 10, "two")]);
    const settings = await readAll();
    assert.equal(Object.keys((settings.a2a as { peers: object }).peers).length, 20);
  });

  it("inside one process wait for each other too: Pi stands still while it waits for a lock", async () => {
    await writeFile(path, "{}");
    const shared = createSharedFiles(createSystemClock());
    for (let round = 0; round < 50; round++) {
      const setting = { key: "server.port", name: "" } as const;
      const saved = saveSettings({ shared, path, edits: [{ setting, value: 1000 + round }] });
      const manager = SettingsManager.create("/nowhere", dir.path);
      manager.setTheme(`theme-${round}`);
      await manager.flush();
      assert.deepEqual(manager.drainErrors(), []);
      await saved;
      assert.deepEqual(await readAll(), { theme: `theme-${round}`, a2a: { server: { port: 1000 + round } } });
    }
  });

  it("that are killed at any moment leave the old content or the new one, and a lock that goes (G04)", async () => {
    await writeFile(path, JSON.stringify({ kept: "x".repeat(200_000) }));
    for (const ms of [0, 4, 15]) {
      const child = spawn(process.execPath, ["--import", "tsx", WRITER, "ours", dir.path, "100000", `k${ms}`], {
        stdio: "ignore",
        env: ENV,
      });
      const before = (await stat(path)).mtimeMs;
      // The first write shows that it is at work.
      while ((await stat(path)).mtimeMs === before) await new Promise((resolve) => setTimeout(resolve, 1));
      await new Promise((resolve) => setTimeout(resolve, ms));
      child.kill("SIGKILL");
      await once(child, "exit");
      const text = await readFile(path, "utf8");
      assert.ok(!("problem" in parseSettings(text)) && text.includes("x".repeat(200_000)));
    }
    await saveAfterAWhile();
    assert.deepEqual(await readdir(dir.path), ["settings.json"]);
  });

  it("that are killed between writing and replacing leave the old content, and the next save tidies up (G04)", async () => {
    const before = '{"theme":"dark"}';
    await writeFile(path, before);
    await assert.rejects(writer("dies", 1, "x"), { signal: "SIGKILL" });
    assert.equal(await readFile(path, "utf8"), before);
    const left = await readdir(dir.path);
    assert.deepEqual([left.length, left.includes("settings.json.lock")], [3, true]);
    await saveAfterAWhile();
    assert.equal(await readFile(path, "utf8"), '{"theme":"dark","a2a":{"server":{"port":1}}}');
    assert.deepEqual(await readdir(dir.path), ["settings.json"]);
  });
});
