import assert from "node:assert/strict";
import { readdir, readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { userMessage } from "../../../support/builders.ts";
import { ALICE } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer } from "../../../support/journal-rig.ts";

const CONTAINER = { namespace: "container" };

describe("journal: taking over", () => {
  let house: JournalHouse;
  beforeEach(async () => {
    house = await createJournalHouse();
  });
  afterEach(() => house.remove());

  const counts = async (servers: readonly KeptServer[], taskId: string): Promise<number> =>
    servers.filter(({ engine }) => engine.has(ALICE, taskId)).length;
  const killed = async (): Promise<string> => {
    const server = await house.open();
    const { taskId, run } = await server.start();
    run.working();
    await server.kill();
    return taskId;
  };
  const untouched = async (key: string, seconds: number): Promise<void> => {
    const then = house.clock.now() / 1000 - seconds;
    await utimes(join(house.folder, `${key}.owner.json`), then, then);
  };

  it("is done by exactly one of many that start at once, also of what the dead one had taken over itself", async () => {
    for (let round = 0; round < 6; round++) {
      const first = await house.open();
      const asking = await first.start();
      asking.run.ask("which one?");
      await first.settled(asking);
      await first.kill();
      // The second has the first one's question, and answers it halfway: lines of one task in two sets of files.
      const second = await house.open();
      await second.engine.submit({ caller: ALICE, detached: true, message: userMessage({ taskId: asking.taskId }) });
      const { run } = await second.start();
      run.working();
      await second.kill();
      const servers = await Promise.all(Array.from({ length: 5 }, () => house.open()));
      assert.equal(await counts(servers, asking.taskId), 1);
      const [owner] = servers.filter(({ engine }) => engine.has(ALICE, asking.taskId));
      assert.equal((await owner?.engine.get(ALICE, asking.taskId))?.status.state, "TASK_STATE_FAILED");
      for (const server of servers) await server.quit();
      const names = await readdir(house.folder);
      assert.deepEqual(
        names.filter((name) => name.endsWith(".tmp")),
        [],
      );
    }
  });

  it("leaves the tasks of those that live alone", async () => {
    const living = await house.open();
    const { taskId, run } = await living.start();
    const other = await house.open();
    assert.equal(other.engine.has(ALICE, taskId), false);
    await other.quit();
    run.complete();
    await living.quit();
  });

  it("waits 90 s of one that cannot be looked at, and a touch now and then keeps it alive", async () => {
    const far = await house.open(CONTAINER);
    const { taskId, run } = await far.start();
    run.working();
    await untouched(far.key, 89);
    const near = await house.open();
    assert.equal(near.engine.has(ALICE, taskId), false);
    await near.quit();

    await untouched(far.key, 91);
    // What is asked for on a timer is done when the next server looks.
    house.clock.tick(30_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const patient = await house.open();
    assert.equal(patient.engine.has(ALICE, taskId), false);
    await patient.quit();

    await far.kill();
    await untouched(far.key, 91);
    const heir = await house.open();
    assert.equal((await heir.engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    await heir.quit();
  });

  it("goes on where another one stopped halfway", async () => {
    const taskId = await killed();
    // Taken over, and the heir died before it wrote anything.
    await rename(join(house.folder, "server-1.owner.json"), join(house.folder, "server-1.by-server-77.json"));
    const heir = await house.open();
    assert.equal((await heir.engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    await heir.quit();
  });

  it("takes over lines whose owner file is gone or damaged", async () => {
    const one = await killed();
    const two = await killed();
    await rm(join(house.folder, "server-1.by-server-2.json"));
    await writeFile(join(house.folder, "server-2.owner.json"), "{");
    await untouched("server-2", 91);
    const heir = await house.open();
    for (const id of [one, two]) assert.equal((await heir.engine.get(ALICE, id)).status.state, "TASK_STATE_FAILED");
    await heir.quit();
  });

  it("waits 90 s of lines without an owner file while there is a process of that number", async () => {
    const server = await house.open({ key: "1-server" });
    const { taskId, run } = await server.start();
    run.working();
    await rm(join(house.folder, "1-server.owner.json"));
    const early = await house.open();
    assert.equal(early.engine.has(ALICE, taskId), false);
    await early.quit();
    await untouched("1-server", 91);
    const late = await house.open();
    assert.equal((await late.engine.get(ALICE, taskId)).status.state, "TASK_STATE_FAILED");
    await late.quit();
  });

  it("does not take the tasks of one that lives and whose owner file somebody deletes; that one makes it again", async () => {
    const living = await house.open({ key: "1-server" });
    const { taskId, run } = await living.start();
    run.working();
    await rm(join(house.folder, "1-server.owner.json"));
    const other = await house.open();
    assert.equal(other.engine.has(ALICE, taskId), false);
    await other.quit();
    house.clock.tick(30_000);
    const owner = (): Promise<string> => readFile(join(house.folder, "1-server.owner.json"), "utf8");
    while (!(await owner()).includes('"secret"'));
    run.complete();
    const ended = await living.engine.settled(ALICE, taskId);
    assert.equal(ended.status.state, "TASK_STATE_COMPLETED");
    await living.quit();
    const heir = await house.open();
    assert.deepEqual(await heir.engine.get(ALICE, taskId), ended);
    await heir.quit();
  });

  it("follows no ring of marks for ever", async () => {
    await killed();
    await rename(join(house.folder, "server-1.owner.json"), join(house.folder, "server-1.by-a.json"));
    await writeFile(join(house.folder, "a.by-b.json"), "{}");
    await writeFile(join(house.folder, "b.by-a.json"), "{}");
    const heir = await house.open();
    await heir.quit();
  });

  it("says that its own owner file went away, and makes it again", async () => {
    const server = await house.open();
    await rm(join(house.folder, "server-1.owner.json"));
    house.clock.tick(30_000);
    const made = async (): Promise<boolean> => (await readdir(house.folder)).includes("server-1.owner.json");
    while (!(await made()));
    assert.match(server.log.lines().at(-1)?.text ?? "", /was gone/);
    await server.quit();
  });

  it("has nothing to do with other files in the folder", async () => {
    const first = await house.open();
    await first.finish("one");
    await first.kill();
    const strange = ["notes.txt", "UPPER.0.jsonl", "x.owner.json.bak", "..jsonl", "a b.owner.json"];
    for (const name of strange) await writeFile(join(house.folder, name), "x\n");
    const second = await house.open();
    assert.deepEqual(second.problems, []);
    await second.quit();
    const names = await readdir(house.folder);
    for (const name of strange) assert.ok(names.includes(name), name);
  });
});
