import assert from "node:assert/strict";
import { writeSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AppendParts } from "../../../../src/core/platform/append-file.ts";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import type { FilesPort } from "../../../../src/core/platform/files.ts";
import type { JournalFiles } from "../../../../src/core/platform/journal-files.ts";
import { textMessage, userMessage } from "../../../support/builders.ts";
import { ALICE } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer } from "../../../support/journal-rig.ts";

/** A disk with room for so many bytes. */
function disk(): { room: number; readonly parts: Partial<AppendParts> } {
  const state = {
    room: Number.POSITIVE_INFINITY,
    parts: {
      writeSync(fd: number, bytes: Uint8Array, offset: number, length: number): number {
        if (state.room === 0)
          throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
        const written = writeSync(fd, bytes, offset, Math.min(length, state.room));
        state.room -= written;
        return written;
      },
    },
  };
  return state;
}

const notStored = (error: unknown): boolean => isA2aError(error, "NOT_STORED");

describe("journal: bad days", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  const send = (server: KeptServer, text = "hello") =>
    server.engine.submit({ caller: ALICE, message: textMessage(text), detached: false });

  it("a full disk refuses new tasks, keeps what there is, and heals when there is room", async () => {
    const full = disk();
    const server = await house.open({ parts: full.parts });
    const { taskId } = await server.finish("one");
    full.room = 10;
    await assert.rejects(send(server), notStored);
    await assert.rejects(send(server), notStored);
    assert.equal((await server.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    assert.match(server.journal.problem() ?? "", /cannot write .*ENOSPC/);
    full.room = Number.POSITIVE_INFINITY;
    const healed = await server.finish("two");
    assert.equal(server.journal.problem(), undefined);
    await server.kill();
    const second = await house.open();
    assert.deepEqual(second.problems, []);
    const { tasks } = await second.engine.list(ALICE, { limit: 10 });
    assert.deepEqual(tasks.map(({ id }) => id).sort(), [taskId, healed.taskId].sort());
    await second.quit();
  });

  it("a disk that is full at any byte of a task's life fails that task at most, and never lies about it", async () => {
    for (let room = 0; room < 2_400; room += 83) {
      const own = await createJournalHouse();
      const full = disk();
      const server = await own.open({ parts: full.parts });
      const before = await server.finish("before");
      full.room = room;
      const told = new Map<string, string>();
      const task = await lifeOf(server);
      if (task !== undefined) told.set(task.id, task.state);
      full.room = Number.POSITIVE_INFINITY;
      const after = await server.finish("after");
      await server.kill();
      const second = await own.open();
      assert.deepEqual(second.problems, []);
      for (const { taskId } of [before, after]) {
        assert.equal((await second.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
      }
      for (const [id, state] of told)
        assert.equal((await second.engine.get(ALICE, id)).status.state, state, `room ${room}`);
      await second.quit();
      await own.remove();
    }
  });

  it("a folder that may not be written still gives what is in it; new tasks are refused until it may be", async () => {
    const first = await house.open();
    const { taskId } = await first.finish("one");
    const running = await first.start();
    running.run.working();
    await first.kill();
    const gate = { closed: true };
    const server = await house.open(readOnly(gate));
    assert.match(server.problems.join("\n"), /EROFS/);
    assert.match(server.problems.join("\n"), /left for a start that can write/);
    assert.equal((await server.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    assert.equal(server.engine.has(ALICE, running.taskId), false);
    await assert.rejects(send(server), notStored);
    gate.closed = false;
    const healed = await server.finish("two");
    await server.kill();
    const third = await house.open();
    for (const id of [taskId, healed.taskId]) {
      assert.equal((await third.engine.get(ALICE, id)).status.state, "TASK_STATE_COMPLETED");
    }
    assert.equal((await third.engine.get(ALICE, running.taskId)).status.state, "TASK_STATE_FAILED");
    await third.quit();
  });

  it("a file in the place of the folder refuses new tasks, and does not keep the server from starting", async () => {
    await writeFile(house.folder, "x");
    const server = await house.open();
    assert.equal(server.problems.length > 0, true);
    await assert.rejects(send(server), notStored);
    await rm(house.folder);
    await server.finish("one");
    await server.quit();
  });

  it("an owner file that leads nowhere, and folders where files should be, keep nobody from taking over the others", async () => {
    const first = await house.open();
    const asking = await first.start();
    asking.run.working();
    const { taskId } = await first.finish("one");
    await first.kill();
    const at = (name: string): string => join(house.folder, name);
    await symlink(at("loop.owner.json"), at("loop.owner.json"));
    await mkdir(at("older.owner.json"));
    await utimes(at("older.owner.json"), 1, 1);
    await mkdir(at("third.by-fourth.json"));
    const second = await house.open();
    assert.match(second.problems.join("\n"), /cannot look at \S+loop\.owner\.json: ELOOP/);
    for (const name of ["older", "third"])
      assert.match(second.problems.join("\n"), new RegExp(`cannot remove \\S+${name}\\.by-`));
    assert.equal((await second.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    assert.equal((await second.engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_FAILED");
    await second.quit();
  });

  it("tasks whose owner file comes to lead nowhere are still shown by a living server", async () => {
    const live = await house.open();
    const other = await house.open();
    const running = await other.start();
    running.run.working();
    await other.kill();
    const owner = join(house.folder, `${other.key}.owner.json`);
    await rm(owner);
    await symlink(owner, owner);
    assert.equal((await live.siblings.find(ALICE, running.taskId))?.task.id, running.taskId);
    await live.quit();
  });

  it("lines with numbers and times that nobody reaches harm nothing that is written after them", async () => {
    const first = await house.open();
    const running = await first.start();
    running.run.working();
    await first.finish("one");
    await first.kill();
    const path = join(house.folder, "server-1.0.jsonl");
    const lines = (await readFile(path, "utf8")).split("\n").slice(0, -1);
    const far = String(Number.MAX_SAFE_INTEGER);
    const damaged = [
      ...lines.map((line) => line.replace(/"n":\d+/, `"n":${far}`)),
      ...lines.map((line) => line.replace(/"at":\d+/, `"at":${far}`).replace(/task-/, "tusk-")),
    ];
    await writeFile(join(house.folder, "server-0.0.jsonl"), `${damaged.join("\n")}\n`);
    const second = await house.open();
    assert.equal((await second.engine.get(ALICE, running.taskId)).status.state, "TASK_STATE_FAILED");
    const { taskId } = await second.finish("two");
    await second.kill();
    const third = await house.open();
    assert.deepEqual(
      third.problems.filter((problem) => problem.includes("server-2")),
      [],
    );
    for (const id of [taskId, running.taskId]) assert.equal(third.engine.has(ALICE, id), true);
    await third.quit();
  });

  it("files that cannot be read are told once each, and harm no other", async () => {
    const first = await house.open();
    const { taskId } = await first.finish("one");
    await first.kill();
    await mkdir(join(house.folder, "server-1.7.jsonl"));
    await symlink("/etc/hosts", join(house.folder, "server-1.8.jsonl"));
    await writeFile(join(house.folder, "server-1.9.jsonl"), "garbage\n\0\0\n{}\n");
    const second = await house.open();
    assert.equal(second.problems.length, 3);
    assert.match(
      second.problems.join("\n"),
      /server-1\.7\.jsonl.*\n.*server-1\.8\.jsonl.*\n3 lines of server-1\.9\.jsonl/,
    );
    assert.equal((await second.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    await second.quit();
  });

  it("files of another user are left alone and told of, and harm no other", async () => {
    const first = await house.open();
    const { taskId } = await first.finish("one");
    await first.kill();
    const { getuid } = process;
    // Only one who is somebody else sees files that are not its own.
    process.getuid = () => 4_294_967_294;
    try {
      const second = await house.open();
      assert.match(second.problems.join("\n"), /belongs to another user/);
      await assert.rejects(second.engine.get(ALICE, taskId), /no task/);
      await second.quit();
    } finally {
      if (getuid !== undefined) process.getuid = getuid;
    }
    const third = await house.open();
    assert.equal((await third.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
    await third.quit();
  });

  it("a journal that was cut at any byte gives what was whole: no task changes, none is half there", async () => {
    const first = await house.open();
    const one = await first.finish("one");
    const asking = await first.start();
    asking.run.ask("which one?");
    await first.settled(asking);
    await first.kill();
    const whole = await readFile(join(house.folder, "server-1.0.jsonl"));
    const seen = new Set<string>();
    for (let left = whole.length; left > -23; left -= 23) {
      const cut = Math.max(0, left);
      const own = await createJournalHouse();
      await mkdir(own.folder);
      await writeFile(join(own.folder, "old.0.jsonl"), whole.subarray(0, cut));
      const server = await own.open();
      assert.deepEqual(server.problems, []);
      const { tasks } = await server.engine.list(ALICE, { limit: 10 });
      seen.add(tasks.map(({ id, status }) => `${id === one.taskId ? "one" : "two"} ${status.state.slice(11)}`).join());
      await server.quit();
      await own.remove();
    }
    const expected = [
      "",
      "one FAILED",
      "one COMPLETED",
      "two FAILED,one COMPLETED",
      "one COMPLETED,two INPUT_REQUIRED",
    ];
    assert.deepEqual(
      [...seen].map((each) => each.split(",").sort().join()).sort(),
      expected.map((each) => each.split(",").sort().join()).sort(),
    );
  });

  it("a body that went bad on the disk leaves its task with its state, and says so", async () => {
    const server = await house.open();
    const { taskId } = await server.finish("one");
    await server.kill();
    const second = await house.open();
    const path = join(house.folder, "server-1.0.jsonl");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll('"artifacts":[', '"artifacts":{'));
    const task = await second.engine.get(ALICE, taskId);
    assert.equal(task.status.state, "TASK_STATE_COMPLETED");
    assert.match(JSON.stringify(task.status.message), /cannot be read/);
    assert.equal((await second.engine.list(ALICE, { limit: 5 })).tasks.length, 1);
    await writeFile(path, "");
    assert.match(JSON.stringify((await second.engine.get(ALICE, taskId)).status.message), /cannot be read/);
    await rm(path);
    await second.quit();
  });

  it("an event that is damaged inside is left out and told, and its task fails with what is left", async () => {
    const first = await house.open();
    const { taskId, run } = await first.start();
    run.working();
    run.text("x", { lastChunk: false });
    await first.finish("other");
    await first.kill();
    const path = join(house.folder, "server-1.0.jsonl");
    await writeFile(
      path,
      (await readFile(path, "utf8")).replace('"parts":[{"text":"x"}]', "\"parts\":[\"{'text':'x'\"]"),
    );
    const second = await house.open();
    assert.match(second.problems.join(), /damaged/);
    assert.equal((await second.engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    await second.quit();
  });

  it("ids of callers are data: they name no file and break no line", async () => {
    const contextId = '../../x\n"}\u2028,"b":{';
    const first = await house.open();
    const { taskId } = await first.finish("one", {
      caller: { key: "peer:../\n", name: "x" },
      message: userMessage({ contextId, messageId: "\n" }),
    });
    await first.kill();
    assert.deepEqual(await readdir(house.folder), ["server-1.0.jsonl", "server-1.owner.json"]);
    const second = await house.open();
    assert.equal((await second.engine.get({ key: "peer:../\n", name: "y" }, taskId)).contextId, contextId);
    await second.quit();
  });

  it("with durability disk every batch is asked for, and one that is not sure is refused", async () => {
    let asked = 0;
    let broken = false;
    const sync = (): Promise<void> => {
      asked += 1;
      return broken ? Promise.reject(new Error("EIO")) : Promise.resolve();
    };
    const server = await house.open({ sync: true, parts: { sync } });
    const { taskId } = await server.finish("one");
    assert.ok(asked >= 2);
    broken = true;
    await assert.rejects(send(server), notStored);
    broken = false;
    await server.kill();
    const second = await house.open();
    assert.deepEqual(
      (await second.engine.list(ALICE, { limit: 5 })).tasks.map(({ id }) => id),
      [taskId],
    );
    await second.quit();
  });

  for (const what of ["the folder", "each file"] as const) {
    it(`makes ${what} again when somebody deletes it, and keeps what it accepts from then on`, async () => {
      const server = await house.open();
      const before = await server.finish("before");
      const asking = await server.start();
      if (what === "the folder") await rm(house.folder, { recursive: true });
      else for (const name of await readdir(house.folder)) await rm(join(house.folder, name));
      const after = await server.finish("after");
      asking.run.complete();
      await server.settled(asking);
      assert.equal((await server.engine.get(ALICE, before.taskId)).status.state, "TASK_STATE_COMPLETED");
      assert.equal((await readdir(house.folder)).filter((name) => name.endsWith(".owner.json")).length, 1);
      await server.kill();
      const second = await house.open();
      assert.deepEqual(second.problems, []);
      for (const { taskId } of [after, asking]) {
        assert.equal((await second.engine.get(ALICE, taskId)).status.state, "TASK_STATE_COMPLETED");
      }
      await second.quit();
    });
  }

  it("an open folder is closed to others", async () => {
    await mkdir(house.folder);
    await chmod(house.folder, 0o777);
    const server = await house.open();
    assert.equal((await stat(house.folder)).mode & 0o777, 0o700);
    await server.quit();
  });
});

/** Sends, works, asks, is answered, completes: what the caller was told in the end, if anything. */
async function lifeOf(server: KeptServer): Promise<{ readonly id: string; readonly state: string } | undefined> {
  const started = await server.start({ message: textMessage("hello") }).catch(() => undefined);
  if (started === undefined) return undefined;
  const { run, ...submission } = started;
  run.working();
  run.text("a reply of some length");
  run.complete();
  const task = await server.settled(submission);
  return { id: task.id, state: task.status.state };
}

function readOnly(gate: { closed: boolean }) {
  const refuse = (path: string): A2aError => new A2aError("FILE_FAILED", `cannot write ${path}: EROFS`);
  const or = <T>(path: string, act: () => Promise<T>): Promise<T> =>
    gate.closed ? Promise.reject(refuse(path)) : act();
  return {
    files: (real: FilesPort): FilesPort => ({
      ...real,
      writeAtomic: (path, content) => or(path, () => real.writeAtomic(path, content)),
      remove: (path) => or(path, () => real.remove(path)),
    }),
    journalFiles: (real: JournalFiles): JournalFiles => ({
      ...real,
      makeFolder: (path) => or(path, () => real.makeFolder(path)),
      rename: (from, to) => or(from, () => real.rename(from, to)),
      create(path) {
        if (gate.closed) throw refuse(path);
        return real.create(path);
      },
    }),
  };
}
