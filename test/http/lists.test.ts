// ListTasks as callers use it: pages, filters, and what each task shows.

import assert from "node:assert/strict";
import { call, textParams, type WireError, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";

interface List {
  readonly tasks: readonly WireTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

describe("ListTasks over HTTP", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  /** A finished task whose reply is "done"; time passes behind it. */
  const finish = async (message: object = {}, text = "hello"): Promise<WireTask> => {
    const sent = call(server.port, "SendMessage", textParams(text, message));
    const run = await server.runner.next();
    run.working();
    run.text("done");
    run.complete();
    const { task } = (await sent).json.result ?? {};
    assert.ok(task !== undefined);
    server.clock.tick(1000);
    return task;
  };
  const list = async (params: object = {}): Promise<List> => {
    const { json } = await call(server.port, "ListTasks", params);
    assert.ok(json.result !== undefined, JSON.stringify(json));
    return json.result as unknown as List;
  };
  const refused = async (params: unknown): Promise<WireError> => {
    const { json, status } = await call(server.port, "ListTasks", params);
    assert.ok(json.error !== undefined, JSON.stringify(json));
    assert.equal(status, 200);
    return json.error;
  };
  const ids = ({ tasks }: List): string[] => tasks.map(({ id }) => id);

  it("has every field, also when there is nothing", async () => {
    assert.deepEqual(await list(), { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
  });

  it("has no artifacts unless they are asked for, and an empty token on the last page (W14)", async () => {
    const task = await finish();
    const plain = await list();
    const { artifacts, ...bare } = task;
    assert.ok(artifacts !== undefined);
    assert.deepEqual(plain, { tasks: [bare], nextPageToken: "", pageSize: 50, totalSize: 1 });
    assert.ok(!("artifacts" in (plain.tasks[0] ?? {})));
    assert.deepEqual((await list({ includeArtifacts: true })).tasks, [task]);
    assert.deepEqual((await list({ include_artifacts: false })).tasks, [bare]);
  });

  it("shows as much history as asked for", async () => {
    await finish();
    assert.equal((await list()).tasks[0]?.history?.length, 1);
    assert.equal((await list({ historyLength: 1 })).tasks[0]?.history?.length, 1);
    for (const none of [{ historyLength: 0 }, { history_length: 0 }]) {
      assert.ok(!("history" in ((await list(none)).tasks[0] ?? {})));
    }
  });

  it("gives the newest status first, in pages that tasks which come and go do not shift", async () => {
    const made: string[] = [];
    for (let round = 0; round < 7; round++) made.unshift((await finish()).id);
    const first = await list({ pageSize: 3 });
    assert.deepEqual(ids(first), made.slice(0, 3));
    assert.deepEqual([first.totalSize, first.pageSize], [7, 3]);
    assert.notEqual(first.nextPageToken, "");

    const newest = (await finish()).id;
    const second = await list({ page_size: 3, page_token: first.nextPageToken });
    assert.deepEqual(ids(second), made.slice(3, 6));
    assert.equal(second.totalSize, 8);
    const third = await list({ pageSize: 3, pageToken: second.nextPageToken });
    assert.deepEqual(ids(third), made.slice(6));
    assert.equal(third.nextPageToken, "");
    assert.deepEqual(ids(await list({ pageSize: 1 })), [newest]);
  });

  it("ends exactly where the last page is full", async () => {
    await finish();
    await finish();
    assert.equal((await list({ pageSize: 2 })).nextPageToken, "");
  });

  it("orders tasks of one moment by their ids, greatest first", async () => {
    const tick = server.clock.tick;
    Object.assign(server.clock, { tick: () => undefined });
    const made = [(await finish()).id, (await finish()).id, (await finish()).id];
    Object.assign(server.clock, { tick });
    assert.deepEqual(ids(await list()), made.sort().reverse());
    const { nextPageToken } = await list({ pageSize: 1 });
    assert.deepEqual(ids(await list({ pageToken: nextPageToken })), made.slice(1));
  });

  it("filters by context, state and time, and counts what matches", async () => {
    const first = await finish({ contextId: "ctx-a" });
    const second = await finish({ contextId: "ctx-b" });
    const asked = call(server.port, "SendMessage", textParams("x", { contextId: "ctx-a" }));
    (await server.runner.next()).ask("which?");
    const asking = (await asked).json.result?.task;
    assert.ok(asking !== undefined);

    const cases: [filter: object, matches: string[]][] = [
      [{ contextId: "ctx-a" }, [asking.id, first.id]],
      [{ context_id: "ctx-b" }, [second.id]],
      [{ contextId: "ctx-c" }, []],
      [{ status: "TASK_STATE_COMPLETED" }, [second.id, first.id]],
      [{ status: "TASK_STATE_INPUT_REQUIRED" }, [asking.id]],
      [{ status: "TASK_STATE_FAILED" }, []],
      [{ contextId: "ctx-a", status: "TASK_STATE_COMPLETED" }, [first.id]],
      [{ statusTimestampAfter: second.status.timestamp }, [asking.id, second.id]],
      [{ statusTimestampAfter: second.status.timestamp, status: "TASK_STATE_COMPLETED" }, [second.id]],
      [{ statusTimestampAfter: "2100-01-01T00:00:00Z" }, []],
    ];
    for (const [filter, matches] of cases) {
      const page = await list(filter);
      assert.deepEqual(ids(page), matches, JSON.stringify(filter));
      assert.equal(page.totalSize, matches.length);
      const one = await list({ ...filter, pageSize: 1 });
      assert.equal(one.totalSize, matches.length, "counted before paging");
      assert.equal(one.nextPageToken === "", matches.length < 2);
    }
    await call(server.port, "CancelTask", { id: asking.id });
  });

  it("compares times as instants, whatever their zone (W16)", async () => {
    const task = await finish();
    const at = Date.parse(task.status.timestamp);
    const elsewhere = (ms: number): string => new Date(ms + 7_200_000).toISOString().replace("Z", "+02:00");
    assert.deepEqual(ids(await list({ statusTimestampAfter: elsewhere(at) })), [task.id]);
    assert.deepEqual(ids(await list({ statusTimestampAfter: elsewhere(at + 1) })), []);
  });

  it("refuses wrong params by field name, with a BadRequest detail (W16)", async () => {
    const cases: [field: string, params: unknown][] = [
      ["pageSize", { pageSize: true }],
      ["pageSize", { pageSize: 0 }],
      ["pageSize", { pageSize: -1 }],
      ["pageSize", { pageSize: 100_000 }],
      ["status", { status: "done" }],
      ["pageToken", { pageToken: "%%%" }],
      ["statusTimestampAfter", { statusTimestampAfter: "yesterday" }],
      ["includeArtifacts", { includeArtifacts: "yes" }],
      ["historyLength", { historyLength: -1 }],
      ["params", undefined],
      ["params", []],
    ];
    for (const [field, params] of cases) {
      const { code, data } = await refused(params);
      assert.equal(code, -32602);
      assert.equal(data[1]?.fieldViolations?.[0]?.field, field, JSON.stringify(params));
    }
  });

  it("cuts a page before it grows too large to read", async () => {
    const text = "x".repeat(1024 * 1024);
    const made: string[] = [];
    for (let round = 0; round < 6; round++) made.unshift((await finish({}, text)).id);
    const seen: string[] = [];
    let token = "";
    do {
      const page = await list({ pageToken: token });
      assert.ok(page.tasks.length >= 1 && page.tasks.length <= 4);
      assert.equal(page.totalSize, 6);
      seen.push(...ids(page));
      token = page.nextPageToken;
    } while (token !== "");
    assert.deepEqual(seen, made);
    assert.equal((await list({ historyLength: 0 })).tasks.length, 6, "what is not shown does not count");
  });
});
