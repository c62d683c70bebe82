import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import type { JournalFiles } from "../../../../src/core/platform/journal-files.ts";
import { textMessage, userMessage } from "../../../support/builders.ts";
import { ALICE, GENEROUS_LIMITS } from "../../../support/engine-rig.ts";
import { lineBytes } from "../../../support/journal-lines.ts";
import {
  createJournalHouse,
  type JournalHouse,
  type KeptServer,
  type ServerOptions,
} from "../../../support/journal-rig.ts";

const LONG = "x".repeat(2_000);
/** Small, so that a few tasks fill files. */
const SMALL = { segmentBytes: 128 * 1024 };

describe("journal: compaction", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  const sizes = async (): Promise<number> => {
    let bytes = 0;
    for (const name of await readdir(house.folder)) bytes += (await stat(join(house.folder, name))).size;
    return bytes;
  };
  const finishMany = async (server: KeptServer, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      house.clock.tick(1);
      ids.push((await server.finish(`${n} ${LONG}`, { message: textMessage(LONG) })).taskId);
    }
    return ids;
  };

  it("keeps what is on disk within a few times of what is kept, and every kept task readable", async () => {
    house.limits = { ...GENEROUS_LIMITS, maxTasks: 40 };
    const server = await house.open(SMALL);
    const asking = await server.start({ message: userMessage({ contextId: "ctx-asking" }) });
    asking.run.ask("which one?");
    await server.settled(asking);
    const hooked = await server.finish("hooked");
    await server.engine.push.set(ALICE, hooked.taskId, { id: "a", url: "https://hooks.example.com/" });
    const ids = await finishMany(server, 400);
    await server.journal.idle();
    const kept = await server.engine.list(ALICE, { limit: 100 });
    assert.ok(kept.total >= 36 && kept.total <= 40, `${kept.total} tasks`);
    const bytes = await sizes();
    assert.ok(bytes < 8 * SMALL.segmentBytes, `${bytes} bytes on disk`);
    assert.equal((await server.engine.get(ALICE, ids.at(-1) ?? "")).artifacts?.[0]?.parts[0] !== undefined, true);
    await server.kill();

    const second = await house.open(SMALL);
    assert.deepEqual(second.problems, []);
    // Tasks that were let go may come back where their lines still lie in a file; none that was kept is missing.
    const after = await second.engine.list(ALICE, { limit: 100 });
    for (const { id } of kept.tasks.slice(0, 36))
      assert.ok(
        after.tasks.some((task) => task.id === id),
        id,
      );
    assert.deepEqual(await second.engine.push.list(ALICE, hooked.taskId).catch(() => "gone"), "gone");
    assert.equal((await second.engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
    await second.quit();
  });

  it("makes one file of those that many starts have left, and removes the marks of their servers", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      const server = await house.open();
      ids.push(...(await finishMany(server, 1)));
      await server.kill();
    }
    const last = await house.open();
    await last.journal.idle();
    const names = await readdir(house.folder);
    assert.ok(names.length <= 8, names.join(" "));
    for (const id of ids) assert.equal((await last.engine.get(ALICE, id)).status.state, "TASK_STATE_COMPLETED");
    await last.quit();
  });

  it("lets no task that has ended and was let go come back as one that was interrupted", async () => {
    house.limits = { ...GENEROUS_LIMITS, maxTasks: 10 };
    const tiny = { segmentBytes: 4_096 };
    const server = await house.open(tiny);
    // Its question keeps the first file there, in which the other one begins.
    const asking = await server.start();
    asking.run.ask("which one?");
    await server.settled(asking);
    const { taskId, first, run } = await server.start();
    run.working("step one");
    await finishMany(server, 2);
    run.text("done");
    run.complete();
    await server.settled({ taskId, first });
    await finishMany(server, 30);
    await server.journal.idle();
    await assert.rejects(server.engine.get(ALICE, taskId), /no task/);
    await server.kill();

    const second = await house.open(tiny);
    assert.deepEqual(second.problems, []);
    const { tasks } = await second.engine.list(ALICE, { limit: 100 });
    assert.deepEqual([...new Set(tasks.map(({ status }) => status.state))].sort(), [
      "TASK_STATE_COMPLETED",
      "TASK_STATE_INPUT_REQUIRED",
    ]);
    // Its end stays as long as the file in which it begins, and not for ever.
    await second.engine.cancel(ALICE, asking.taskId);
    await finishMany(second, 30);
    await second.journal.idle();
    const lines = await Promise.all(
      (await readdir(house.folder)).map((name) => readFile(join(house.folder, name), "utf8")),
    );
    assert.equal(lines.join("").includes(taskId), false);
    await second.quit();
  });

  it("waits until a start has taken in all that the files hold", async () => {
    await mkdir(house.folder, { mode: 0o700 });
    const now = house.clock.now();
    const count = 30_000;
    for (let file = 0; file < 2; file++) {
      // The young ones first: old ones that were taken in go again before the young ones are known.
      const numbers = Array.from({ length: count / 2 }, (_, n) => 2 * n + file);
      const lines = numbers.reverse().map((n) => endLine(n, now - count + n));
      await writeFile(join(house.folder, `old.${file}.jsonl`), Buffer.concat(lines), { mode: 0o600 });
    }
    house.limits = { ...GENEROUS_LIMITS, maxTasks: 100 };
    const server = await house.open();
    await server.journal.idle();
    assert.deepEqual([server.problems, server.log.lines()], [[], []]);
    const [bytes, most] = [await sizes(), 220 * endLine(count, now).length];
    assert.ok(bytes < most, `${bytes} bytes, ${most} at most`);
    const { tasks } = await server.engine.list(ALICE, { limit: 1 });
    assert.equal(tasks[0]?.id, `task-${count - 1}`);
    await server.quit();
  });

  it("goes on reading while a file is replaced", async () => {
    house.limits = { ...GENEROUS_LIMITS, maxTasks: 60 };
    const server = await house.open(SMALL);
    const reading: Promise<unknown>[] = [];
    for (let n = 0; n < 20; n++) {
      await finishMany(server, 20);
      reading.push(server.engine.list(ALICE, { limit: 100 }));
    }
    const pages = (await Promise.all(reading)) as Awaited<ReturnType<KeptServer["engine"]["list"]>>[];
    for (const { tasks } of pages) for (const { artifacts } of tasks) assert.equal(artifacts?.length, 1);
    assert.deepEqual(server.log.lines(), []);
    await server.quit();
  });

  const steps: readonly (keyof JournalFiles | "remove")[] = ["create", "open", "rename", "syncNames", "remove"];
  for (const step of steps) {
    it(`loses nothing when it stops at any ${step}`, async () => {
      for (let at = 0; at < 3; at++) {
        const own = await createJournalHouse();
        try {
          const first = await own.open(SMALL);
          const asking = await first.start();
          asking.run.ask("which one?");
          await first.settled(asking);
          const ids: string[] = [];
          for (let n = 0; n < 90; n++) {
            own.clock.tick(1);
            ids.push((await first.finish(`${n} ${LONG}`)).taskId);
          }
          await first.kill();
          own.limits = { ...GENEROUS_LIMITS, maxTasks: 30 };
          const broken = await own.open({ ...SMALL, ...breaking(step, at) });
          await broken.journal.idle();
          const kept = await broken.engine.list(ALICE, { limit: 100 });
          assert.ok(kept.total >= 27);
          await broken.kill();
          const third = await own.open(SMALL);
          await third.journal.idle();
          const after = await third.engine.list(ALICE, { limit: 100 });
          for (const task of kept.tasks.slice(0, 27)) {
            assert.deepEqual(
              after.tasks.find(({ id }) => id === task.id),
              task,
            );
          }
          assert.equal((await third.engine.get(ALICE, asking.taskId)).status.state, "TASK_STATE_INPUT_REQUIRED");
          assert.deepEqual(
            (await readdir(own.folder)).filter((name) => name.endsWith(".tmp")),
            [],
          );
          await third.quit();
        } finally {
          await own.remove();
        }
      }
    });
  }
});

function endLine(n: number, at: number): Buffer {
  const frame = { taskId: `task-${n}`, contextId: `ctx-${n}`, at };
  const status = { state: "TASK_STATE_COMPLETED", timestamp: new Date(at).toISOString() } as const;
  const task = { id: frame.taskId, contextId: frame.contextId, status, artifacts: [] };
  return lineBytes({ event: { kind: "status", ...frame, status }, end: { task, owner: ALICE, ranAt: at } }, n);
}

/** From the `at`-th call on that has to do with lines, everything of this kind fails. */
function breaking(step: keyof JournalFiles | "remove", at: number): Pick<ServerOptions, "files" | "journalFiles"> {
  let calls = 0;
  const refuse = (path: string): A2aError => new A2aError("FILE_FAILED", `cannot touch ${path}: EIO`);
  /** Reading at the start, and the file that grows, do not count. */
  const first = step === "open" ? at + 7 : at;
  const guard = (path: string): void => {
    if (!path.includes(step === "create" ? ".tmp" : ".jsonl")) return;
    calls += 1;
    if (calls > first) throw refuse(path);
  };
  const guarded = <T extends readonly [string, ...unknown[]], R>(act: (...args: T) => R): ((...args: T) => R) => {
    return (...args) => {
      guard(args[0]);
      return act(...args);
    };
  };
  if (step === "remove") return { files: (real) => ({ ...real, remove: async (path) => guarded(real.remove)(path) }) };
  return {
    journalFiles: (real) => ({
      ...real,
      ...(step === "create" && { create: guarded(real.create) }),
      ...(step === "open" && { open: async (path: string) => guarded(real.open)(path) }),
      ...(step === "rename" && { rename: async (from: string, to: string) => guarded(real.rename)(from, to) }),
      ...(step === "syncNames" && { syncNames: async (path: string) => guarded(real.syncNames)(path) }),
    }),
  };
}
