// Several servers of one agent folder, each a process of its own: every one of them answers for the tasks of the others.

import assert from "node:assert/strict";
import { type Body, call, openStream, textParams, type WireTask } from "../support/a2a-calls.ts";
import { type KeptProcess, startKeptProcess } from "../support/kept-process.ts";
import { createTempDir, type TempDir } from "../support/temp-dir.ts";

describe("a server beside others of its agent folder", function () {
  // Each start of a process takes seconds on a machine with much else to do.
  this.timeout(60_000);
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

  const lastState = (events: readonly Body[]): string | undefined => events.at(-1)?.result?.statusUpdate?.status.state;
  const subscribe = ({ port }: KeptProcess, id: string) => openStream(port, "SubscribeToTask", { id });

  it("tells whoever follows what became of the task of one that was killed, once and to all", async () => {
    const c = await startKeptProcess(dir.path);
    try {
      const { id } = await send(a, "hang", {}, { returnImmediately: true });
      const streams = await Promise.all([b, c].map((server) => subscribe(server, id)));
      await Promise.all(streams.map((stream) => stream.event(1)));
      await a.kill();
      for (const stream of streams) {
        const events = await stream.ended;
        assert.equal(lastState(events), "TASK_STATE_FAILED");
        assert.match(JSON.stringify(events.at(-1)), /interrupted by the end of the session/);
        assert.equal(events.filter(({ result }) => result?.statusUpdate !== undefined).length, 1);
      }
      assert.equal(await bodyOf(b, "GetTask", { id }), await bodyOf(c, "GetTask", { id }));
      const { json } = await call(c.port, "ListTasks", {});
      assert.equal((json.result as { totalSize?: number } | undefined)?.totalSize, 1);
    } finally {
      await c.kill();
    }
  });

  it("answers a message with the truth when the session that took it is killed", async () => {
    const asked = await Promise.all([send(a, "ask"), send(a, "ask")]);
    const [one, two] = asked.map(({ id }) => id);
    const waiting = call(b.port, "SendMessage", textParams("hang", { taskId: one }));
    const stream = await openStream(b.port, "SendStreamingMessage", textParams("hang", { taskId: two }));
    await stream.event(2);
    while (!/"text":"hang"/.test(await bodyOf(b, "GetTask", { id: one })));
    await a.kill();
    const { json } = await waiting;
    assert.deepEqual([json.result?.task?.id, json.result?.task?.status.state], [one, "TASK_STATE_FAILED"]);
    assert.equal(lastState(await stream.ended), "TASK_STATE_FAILED");
  });

  it("takes the answer to a question of one that has just been killed, and runs it itself, once [task-durable]", async () => {
    const { id } = await send(a, "ask");
    await a.kill();
    const [first, second] = await Promise.all([
      call(b.port, "SendMessage", textParams("the second", { taskId: id })),
      call(b.port, "SendMessage", textParams("the third", { taskId: id })),
    ]);
    const states = [first, second].map(({ json }) => json.result?.task?.status.state ?? json.error?.code);
    assert.ok(states.includes("TASK_STATE_COMPLETED"), JSON.stringify(states));
    const { json } = await call(b.port, "GetTask", { id });
    assert.equal(
      json.result?.history?.filter(({ parts }) => /the (second|third)/.test(parts[0]?.text ?? "")).length,
      1,
    );
  });
});
