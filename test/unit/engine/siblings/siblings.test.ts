import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, readdir, readFile, stat, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { JournalFiles } from "../../../../src/core/platform/journal-files.ts";
import { textMessage, userMessage } from "../../../support/builders.ts";
import { ALICE, BOB, GENEROUS_LIMITS } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer } from "../../../support/journal-rig.ts";

const LONG = "x".repeat(2_000);
const SMALL = { segmentBytes: 128 * 1024 };

describe("the tasks of other servers of the folder", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  const stateAt = async (server: KeptServer, taskId: string, owner = ALICE): Promise<string | undefined> =>
    (await server.siblings.find(owner, taskId))?.task.status.state;
  const linesOf = async ({ key }: KeptServer): Promise<string> => {
    const name = (await readdir(house.folder)).find((one) => one.startsWith(`${key}.0.jsonl`));
    assert.ok(name !== undefined);
    return join(house.folder, name);
  };

  it("are read as their own server has them, at every step", async () => {
    const a = await house.open();
    const b = await house.open();
    const task = await a.start();
    const { taskId, run } = task;
    const same = async (): Promise<void> =>
      assert.deepEqual((await b.siblings.find(ALICE, taskId))?.task, await a.engine.get(ALICE, taskId));
    run.working("thinking");
    await task.first;
    await same();
    run.metadata({ tokens: 3 });
    run.text("half ", { lastChunk: false });
    run.working("more");
    run.ask("which one?");
    await a.settled(task);
    assert.equal(await stateAt(b, taskId), "TASK_STATE_INPUT_REQUIRED");
    await same();
    await a.engine.submit({ caller: ALICE, detached: true, message: textMessage("the second", { taskId }) });
    await same();
    const again = await a.runner.next();
    assert.equal(again, run);
    const resumed = await a.runner.next();
    resumed.text("whole");
    resumed.complete();
    await a.settled(task);
    await same();
    assert.equal(await stateAt(b, taskId), "TASK_STATE_COMPLETED");
    await a.quit();
    await b.quit();
  });

  it("are nothing to another owner, and so are direct replies to anybody", async () => {
    const a = await house.open();
    const b = await house.open();
    const { taskId } = await a.finish("done");
    const direct = await a.start();
    direct.run.reply("no task");
    await direct.first;
    assert.equal(await b.siblings.find(BOB, taskId), undefined);
    assert.equal((await b.siblings.page(BOB, { limit: 10 })).total, 0);
    assert.equal(await b.siblings.find(ALICE, direct.taskId), undefined);
    assert.equal((await b.siblings.page(ALICE, { limit: 10 })).total, 1);
    await a.quit();
    await b.quit();
  });

  it("cost a look only what is new: no byte is read twice, and none without a question", async () => {
    let bytes = 0;
    const counting = (real: JournalFiles): JournalFiles => ({
      ...real,
      async open(path) {
        const file = await real.open(path);
        if (file === undefined) return undefined;
        const read = async (offset: number, length: number): Promise<Uint8Array> => {
          const piece = await file.read(offset, length);
          bytes += piece.length;
          return piece;
        };
        return { ...file, read };
      },
    });
    const a = await house.open();
    const b = await house.open({ journalFiles: counting });
    for (let n = 0; n < 20; n++) await a.finish(LONG);
    assert.equal(bytes, 0);
    await b.siblings.page(ALICE, { limit: 1 });
    const { size } = await stat(await linesOf(a));
    assert.ok(bytes >= size && bytes < 1.2 * size, `${bytes} of ${size}`);
    bytes = 0;
    for (let n = 0; n < 20; n++) await b.siblings.page(ALICE, { limit: 1 });
    assert.equal(bytes, 0);
    const { taskId } = await a.finish("new");
    assert.equal(await stateAt(b, taskId), "TASK_STATE_COMPLETED");
    assert.ok(bytes < 4_000, `${bytes}`);
    await a.quit();
    await b.quit();
  });

  it("stay right while their server makes its files smaller", async () => {
    house.limits = { ...GENEROUS_LIMITS, maxTasks: 40 };
    const a = await house.open(SMALL);
    const b = await house.open();
    const asking = await a.start({ message: userMessage({ contextId: "ctx-asking" }) });
    asking.run.ask("which one?");
    await a.settled(asking);
    const seen = new Set<string>();
    for (let n = 0; n < 300; n++) {
      house.clock.tick(1);
      const { taskId } = await a.finish(`${n} ${LONG}`, { message: textMessage(LONG) });
      if (n % 7 !== 0) continue;
      const found = await b.siblings.find(ALICE, taskId);
      assert.deepEqual(found?.task, await a.engine.get(ALICE, taskId));
      seen.add(taskId);
    }
    await a.journal.idle();
    const kept = await a.engine.list(ALICE, { limit: 100 });
    const theirs = await b.siblings.page(ALICE, { limit: 100 });
    const ids = new Set(theirs.tasks.map(({ id }) => id));
    for (const task of kept.tasks) {
      assert.ok(ids.has(task.id), `${task.id} is missing`);
      assert.deepEqual((await b.siblings.find(ALICE, task.id))?.task, task);
    }
    // What was let go may show as long as its line is there, and no longer.
    assert.ok(theirs.total < 150, `${theirs.total} tasks`);
    assert.equal(await stateAt(b, asking.taskId), "TASK_STATE_INPUT_REQUIRED");
    const fresh = await house.open();
    assert.equal((await fresh.siblings.page(ALICE, { limit: 1 })).total, theirs.total);
    for (const server of [fresh, b, a]) await server.quit();
  });

  it("are read where they are now when their file went after the look", async () => {
    const a = await house.open(SMALL);
    const { taskId } = await a.finish("kept", { caller: BOB });
    for (let n = 0; n < 30; n++) await a.finish(`${n} ${LONG}`, { message: textMessage(LONG) });
    const opened = new Set<string>();
    let moved = 0;
    const late = (real: JournalFiles): JournalFiles => ({
      ...real,
      async open(path) {
        // The second time is for the body.
        if (opened.has(path) && moved++ === 0) {
          house.limits = { ...GENEROUS_LIMITS, maxTasks: 5 };
          await a.finish("the last straw");
          await a.journal.idle();
          assert.equal(existsSync(path), false);
        }
        opened.add(path);
        return real.open(path);
      },
    });
    const b = await house.open({ journalFiles: late });
    assert.deepEqual((await b.siblings.find(BOB, taskId))?.task, await a.engine.get(BOB, taskId));
    assert.ok(moved > 0);
    assert.deepEqual(b.log.lines(), []);
    await a.quit();
    await b.quit();
  });

  it("are found when their file went after the listing, and was never read before", async () => {
    const a = await house.open(SMALL);
    const { taskId } = await a.finish("kept", { caller: BOB });
    for (let n = 0; n < 30; n++) await a.finish(`${n} ${LONG}`, { message: textMessage(LONG) });
    let late = false;
    const b = await house.open({
      files: (real) => ({
        ...real,
        async list(path) {
          const names = await real.list(path);
          if (!late) return names;
          late = false;
          house.limits = { ...GENEROUS_LIMITS, maxTasks: 5 };
          await a.finish("the last straw");
          await a.journal.idle();
          assert.notDeepEqual(await real.list(path), names);
          return names;
        },
      }),
    });
    late = true;
    assert.equal(await stateAt(b, taskId, BOB), "TASK_STATE_COMPLETED");
    assert.equal(late, false);
    await a.quit();
    await b.quit();
  });

  it("wait for the rest of a line, and are read again where a write was taken back", async () => {
    const elsewhere = await createJournalHouse();
    const stranger = await elsewhere.open();
    // Both count their ids from one.
    await stranger.finish("zero");
    const second = await stranger.finish("two");
    const third = await stranger.finish(LONG);
    const name = (await readdir(elsewhere.folder)).find((one) => one.endsWith(".jsonl")) ?? "";
    const lines = (await readFile(join(elsewhere.folder, name), "utf8")).split("\n").map((line) => `${line}\n`);
    const lineOf = ({ taskId }: { readonly taskId: string }): string =>
      lines.find((line) => line.includes('"k":"end"') && line.includes(taskId)) ?? "";
    await stranger.quit();
    await elsewhere.remove();

    const a = await house.open();
    const b = await house.open();
    const total = async (): Promise<number> => (await b.siblings.page(ALICE, { limit: 10 })).total;
    await a.finish("one");
    const path = await linesOf(a);
    const { size } = await stat(path);
    await appendFile(path, lineOf(second).slice(0, -10));
    assert.equal(await total(), 1);
    await appendFile(path, lineOf(second).slice(-10));
    assert.equal(await total(), 2);
    await truncate(path, size);
    assert.equal(await total(), 1);
    await appendFile(path, lineOf(second));
    assert.equal(await total(), 2);
    // Taken back, and more written, between two looks.
    await truncate(path, size);
    await appendFile(path, lineOf(third));
    assert.equal(await total(), 2);
    assert.equal(await b.siblings.find(ALICE, second.taskId), undefined);
    assert.equal(await stateAt(b, third.taskId), "TASK_STATE_COMPLETED");
    for (const server of [b, a]) await server.quit();
  });

  it("pass over files that are none of ours, and say so once", async () => {
    const a = await house.open();
    const b = await house.open();
    const { taskId } = await a.finish("one");
    await writeFile(join(house.folder, "strange.0.jsonl"), "\0\n{}\nnot a line", { mode: 0o600 });
    await writeFile(join(house.folder, "strange.owner.json"), JSON.stringify({ pid: 1, namespace: "elsewhere" }));
    await symlink("/etc/passwd", join(house.folder, "linked.0.jsonl"));
    await symlink("/etc/passwd", join(house.folder, "linked.owner.json"));
    const now = house.clock.now() / 1000;
    for (const name of ["strange", "linked"])
      await utimes(join(house.folder, `${name}.owner.json`), now, now).catch(() => undefined);
    for (let n = 0; n < 3; n++) assert.equal(await stateAt(b, taskId), "TASK_STATE_COMPLETED");
    const told = b.log.lines().filter(({ text }) => text.includes("linked.0.jsonl"));
    assert.equal(told.length, 1);
    await a.quit();
    await b.quit();
  });

  it("are taken over when their server is found dead, once, and then belong to one engine", async () => {
    const a = await house.open();
    const b = await house.open();
    const c = await house.open();
    const running = await a.start({ message: userMessage({ contextId: "ctx-1" }) });
    running.run.working();
    const asking = await a.start();
    asking.run.ask("which one?");
    await a.settled(asking);
    const done = await a.finish("done");
    await a.kill();
    await Promise.all([b.siblings.find(ALICE, running.taskId), c.siblings.find(ALICE, running.taskId)]);
    const owners = [b, c].filter(({ engine }) => engine.has(ALICE, running.taskId));
    assert.equal(owners.length, 1);
    const [owner] = owners;
    const other = owner === b ? c : b;
    assert.ok(owner !== undefined);
    for (const [{ taskId }, state] of [
      [running, "TASK_STATE_FAILED"],
      [asking, "TASK_STATE_INPUT_REQUIRED"],
      [done, "TASK_STATE_COMPLETED"],
    ] as const) {
      assert.equal((await owner.engine.get(ALICE, taskId)).status.state, state);
      assert.equal(await owner.siblings.find(ALICE, taskId), undefined);
      assert.equal(await stateAt(other, taskId), state);
      assert.equal(other.engine.has(ALICE, taskId), false);
    }
    assert.equal((await other.siblings.page(ALICE, { limit: 10 })).total, 3);
    assert.equal((await owner.siblings.page(ALICE, { limit: 10 })).total, 0);
    // A restart of the new owner's reader agrees.
    await owner.kill();
    const d = await house.open();
    assert.equal((await d.engine.list(ALICE, { limit: 10 })).total, 3);
    for (const server of [d, other]) await server.quit();
  });

  it("that ended with their server stay where they are until somebody has to change them", async () => {
    const a = await house.open();
    const b = await house.open();
    const { taskId } = await a.finish("done");
    await a.kill();
    assert.equal((await b.siblings.find(ALICE, taskId))?.home, "dead");
    assert.equal(b.engine.has(ALICE, taskId), false);
    await b.siblings.takeOver();
    assert.equal(b.engine.has(ALICE, taskId), true);
    assert.equal(await b.siblings.find(ALICE, taskId), undefined);
    await b.quit();
  });

  it("of a server that nobody can look at are its own until its file is untouched for long", async () => {
    const a = await house.open({ namespace: "container" });
    const b = await house.open();
    const { taskId, run } = await a.start();
    run.working();
    await a.journal.announce("http://127.0.0.1:7420");
    const now = house.clock.now() / 1000;
    await utimes(join(house.folder, `${a.key}.owner.json`), now, now);
    const found = await b.siblings.find(ALICE, taskId);
    assert.ok(found !== undefined && found.home !== "dead");
    assert.deepEqual([found.home.key, found.home.door], [a.key, undefined]);
    await utimes(join(house.folder, `${a.key}.owner.json`), now - 91, now - 91);
    await b.siblings.find(ALICE, taskId);
    assert.equal((await b.engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    await b.quit();
  });

  it("name their door once their server listens", async () => {
    const a = await house.open();
    const b = await house.open();
    const { taskId } = await a.finish("done");
    const door = async (): Promise<unknown> => {
      const home = (await b.siblings.find(ALICE, taskId))?.home;
      return home === "dead" ? home : home?.door;
    };
    assert.equal(await door(), undefined);
    await a.journal.announce("http://127.0.0.1:7420");
    assert.deepEqual(await door(), { origin: "http://127.0.0.1:7420", secret: "secret-1" });
    await a.quit();
    await b.quit();
  });

  it("go on in a context where it ran last, wherever that was", async () => {
    const a = await house.open();
    const b = await house.open();
    const message = userMessage({ contextId: "ctx-shared" });
    const first = await a.finish("one", { message });
    assert.equal(await b.siblings.lastOf(BOB, "ctx-shared"), undefined);
    assert.equal((await b.siblings.lastOf(ALICE, "ctx-shared"))?.taskId, first.taskId);
    house.clock.tick(10);
    const second = await b.finish("two", { message });
    house.clock.tick(10);
    assert.equal((await a.siblings.lastOf(ALICE, "ctx-shared"))?.taskId, second.taskId);
    await a.kill();
    await b.siblings.takeOver();
    // What was taken over ran before: the engine goes on from its own.
    const { run } = await b.start({ message });
    assert.equal(run.request.previousTaskId, second.taskId);
    await b.quit();
  });
});
