// Servers on a disk that is really full, or may really not be written: they refuse what they cannot keep, answer for what they have
// kept, and go on when there is room again.

import assert from "node:assert/strict";
import { call, textParams, type WireTask } from "../support/a2a-calls.ts";
import { type KeptProcess, startKeptProcess } from "../support/kept-process.ts";
import { skipBecause } from "../support/skip-because.ts";
import { openSmallDisk, type SmallDisk } from "../support/small-disk.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

const DISK_BYTES = 1024 * 1024;
const FILLER_BYTES = 700 * 1024;
const LONG = "x".repeat(10_000);

describe("a server on a disk of its own", () => {
  let dir: TempDir;
  let disk: SmallDisk | undefined;
  let server: KeptProcess | undefined;
  beforeEach(async function () {
    dir = await createTempDir();
    disk = await openSmallDisk(dir.path, DISK_BYTES);
    if (disk === undefined) skipBecause(this, "nobody may mount here");
  });
  afterEach(async () => {
    await server?.kill();
    server = undefined;
    await disk?.close();
    await dir.remove();
  });

  const needDisk = (): SmallDisk => {
    assert.ok(disk !== undefined);
    return disk;
  };
  const start = async (): Promise<KeptProcess> => {
    await server?.kill();
    const { path, through } = needDisk();
    server = await startKeptProcess(`${path}/a2a_tasks`, through);
    return server;
  };
  /** The task, or the reason of the refusal. */
  const send = async (text: string, configuration?: object): Promise<WireTask | string> => {
    const { status, json } = await call(server?.port ?? 0, "SendMessage", textParams(text, {}, configuration));
    assert.equal(status, 200);
    return json.result?.task ?? json.error?.data[0]?.reason ?? JSON.stringify(json);
  };
  const stateOf = async (id: string): Promise<string | undefined> =>
    (await call(server?.port ?? 0, "GetTask", { id })).json.result?.status?.state;

  it("refuses new messages while it is full, loses nothing, and takes them again when there is room", async function () {
    this.timeout(60_000);
    await start();
    needDisk().fill(FILLER_BYTES);
    const told = new Map<string, string>();
    const hanging = await send("hang", { returnImmediately: true });
    assert.ok(typeof hanging !== "string");
    let refusal: string | undefined;
    for (let n = 0; n < 100 && refusal === undefined; n++) {
      const answer = await send(LONG);
      if (typeof answer === "string") refusal = answer;
      else told.set(answer.id, answer.status.state);
    }
    assert.equal(refusal, "NOT_STORED");
    assert.ok(told.size > 5, `${told.size} tasks before the disk was full`);
    assert.equal(await send(LONG), "NOT_STORED");
    for (const [id, state] of told) assert.equal(await stateOf(id), state);
    needDisk().empty();
    const after = await send(LONG);
    assert.ok(typeof after !== "string");
    told.set(after.id, after.status.state);
    const { problems } = await start();
    assert.deepEqual(problems, []);
    for (const [id, state] of told) assert.equal(await stateOf(id), state);
    assert.equal(await stateOf(hanging.id), "TASK_STATE_FAILED");
  });

  it("reads on and refuses new messages when it may not be written, and says so at the start", async function () {
    this.timeout(60_000);
    await start();
    const done = await send("done");
    const hanging = await send("hang", { returnImmediately: true });
    assert.ok(typeof done !== "string" && typeof hanging !== "string");
    await server?.kill();
    needDisk().setReadOnly(true);
    const { problems } = await start();
    assert.match(problems.join("\n"), /EROFS/);
    assert.equal(await stateOf(done.id), "TASK_STATE_COMPLETED");
    assert.equal(await send("refused"), "NOT_STORED");
    await server?.kill();
    needDisk().setReadOnly(false);
    assert.deepEqual((await start()).problems, []);
    assert.equal(await stateOf(done.id), "TASK_STATE_COMPLETED");
    assert.equal(await stateOf(hanging.id), "TASK_STATE_FAILED");
    assert.ok(typeof (await send("taken")) !== "string");
  });
});
