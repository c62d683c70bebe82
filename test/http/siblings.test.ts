// Several servers of one agent folder, each a process of its own: every one of them answers for the tasks of the others.

import assert from "node:assert/strict";
import { call, textParams, type WireTask } from "../support/a2a-calls.ts";
import { type KeptProcess, startKeptProcess } from "../support/kept-process.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

describe("a server beside others of its agent folder", () => {
  let dir: TempDir;
  let a: KeptProcess;
  let b: KeptProcess;
  beforeEach(async () => {
    dir = await createTempDir();
    [a, b] = await Promise.all([startKeptProcess(dir.path), startKeptProcess(dir.path)]);
  });
  afterEach(async () => {
    await Promise.all([a.kill(), b.kill()]);
    await dir.remove();
  });

  const send = async ({ port }: KeptProcess, text: string, message: object = {}, how?: object): Promise<WireTask> => {
    const { json } = await call(port, "SendMessage", textParams(text, message, how));
    assert.ok(json.result?.task !== undefined, JSON.stringify(json));
    return json.result.task;
  };
  const bodyOf = async ({ port }: KeptProcess, method: string, params: object): Promise<string> =>
    (await call(port, method, params)).text;

  it("reads their tasks byte for byte as they do, running ones and ended ones", async () => {
    const done = await send(a, "one");
    const hanging = await send(a, "hang", {}, { returnImmediately: true });
    const asked = await send(a, "ask");
    for (const { id } of [done, hanging, asked])
      assert.equal(await bodyOf(b, "GetTask", { id }), await bodyOf(a, "GetTask", { id }));
    const { json } = await call(b.port, "GetTask", { id: "task-0000000000000000" });
    assert.equal(json.error?.code, -32001);
  });

  it("lists all tasks as one list, page by page, whoever is asked", async () => {
    const sent = new Set<string>();
    for (let n = 0; n < 7; n++) sent.add((await send(n % 2 === 0 ? a : b, `${n}`)).id);
    const whole = await bodyOf(a, "ListTasks", { includeArtifacts: true });
    assert.equal(await bodyOf(b, "ListTasks", { includeArtifacts: true }), whole);
    const ids = JSON.parse(whole).result.tasks.map(({ id }: WireTask) => id);
    assert.deepEqual(new Set(ids), sent);
    const listed: string[] = [];
    let pageToken = "";
    do {
      const { json } = await call(b.port, "ListTasks", { pageSize: 2, pageToken });
      const page = json.result as unknown as { tasks: WireTask[]; nextPageToken: string; totalSize: number };
      assert.equal(page.totalSize, 7);
      listed.push(...page.tasks.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    assert.deepEqual(listed, ids);
  });

  it("tells the truth of one that was killed, and goes on with its questions", async () => {
    const hanging = await send(a, "hang", {}, { returnImmediately: true });
    const asked = await send(a, "ask");
    await a.kill();
    const { json } = await call(b.port, "GetTask", { id: hanging.id });
    assert.equal(json.result?.status?.state, "TASK_STATE_FAILED");
    assert.match(JSON.stringify(json.result), /interrupted by the end of the session/);
    const answered = await send(b, "the second", { taskId: asked.id });
    assert.deepEqual([answered.id, answered.status.state], [asked.id, "TASK_STATE_COMPLETED"]);
  });
});
