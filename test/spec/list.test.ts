// ListTasks: filters, order, pages, and what each listed task shows.

import assert from "node:assert/strict";
import { type CallReply, call, textParams, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { askingTask, endedTask, fieldsOf, getTask, sendTo, taskOf, workingTask } from "./stage.ts";
import { shapeFaults } from "./wire-shape.ts";

interface List {
  readonly tasks: readonly WireTask[];
  readonly nextPageToken: string;
  readonly pageSize: number;
  readonly totalSize: number;
}

describe("ListTasks", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.stop());

  const listCall = (params?: unknown): Promise<CallReply> => call(server.port, "ListTasks", params);
  const list = async (params: object = {}): Promise<List> => {
    const { text } = await listCall(params);
    const { result } = JSON.parse(text);
    assert.deepEqual(shapeFaults("TaskList", result), [], text);
    return result;
  };
  const ids = ({ tasks }: List): string[] => tasks.map(({ id }) => id);
  /** Ended tasks, one second apart; the newest first. */
  const endedTasks = async (count: number, message: object = {}): Promise<string[]> => {
    const made: string[] = [];
    for (let index = 0; index < count; index++) {
      server.clock.tick(1000);
      made.unshift((await endedTask(server, "complete", message)).task.id);
    }
    return made;
  };

  it("[list-every-field] has all four fields, also when nothing matches", async () => {
    const empty = { tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 };
    assert.deepEqual(await list(), empty);
    await endedTasks(1);
    assert.deepEqual(await list({ contextId: "nowhere" }), empty);
    assert.deepEqual(Object.keys(await list()).sort(), ["nextPageToken", "pageSize", "tasks", "totalSize"]);
  });

  it("[list-context] gives the tasks of exactly one context", async () => {
    const mine = await endedTasks(2, { contextId: "ctx" });
    await endedTasks(1, { contextId: "ctx-2" });
    await endedTasks(1, { contextId: "CTX" });
    assert.deepEqual(ids(await list({ contextId: "ctx" })), mine);
    assert.deepEqual(ids(await list({ context_id: "ctx" })), mine);
    assert.equal((await list({ contextId: "" })).totalSize, 4);
  });

  it("[list-status] gives the tasks of exactly one state", async () => {
    const { run } = await workingTask(server);
    const asking = (await askingTask(server)).task.id;
    const failed = (await endedTask(server, "fail")).task.id;
    assert.deepEqual(ids(await list({ status: "TASK_STATE_WORKING" })), [run.request.taskId]);
    assert.deepEqual(ids(await list({ status: "TASK_STATE_INPUT_REQUIRED" })), [asking]);
    assert.deepEqual(ids(await list({ status: 4 })), [failed]);
    assert.deepEqual(ids(await list({ status: "TASK_STATE_REJECTED" })), []);
    for (const status of ["TASK_STATE_UNSPECIFIED", 0, null]) assert.equal((await list({ status })).totalSize, 3);
    run.complete();
  });

  it("[list-status-unknown] refuses a state that does not exist (W16)", async () => {
    for (const status of ["done", "completed", "task_state_completed", 9, -1, 1.5]) {
      assert.deepEqual(fieldsOf(await listCall({ status })), ["status"], String(status));
    }
  });

  it("[list-since] [in-timestamps] gives what changed at an instant or later, in every spelling of it (W16)", async () => {
    const [newest = "", middle = "", oldest = ""] = await endedTasks(3);
    const { timestamp } = (await getTask(server, middle)).status;
    const at = Date.parse(timestamp);
    const spelled = [
      timestamp,
      timestamp.replace(".000Z", "Z"),
      timestamp.replace("Z", "000000Z"),
      new Date(at + 2 * 3_600_000).toISOString().replace("Z", "+02:00"),
      new Date(at - 5.5 * 3_600_000).toISOString().replace("Z", "-05:30"),
    ];
    for (const text of spelled) {
      const found = await list({ statusTimestampAfter: text });
      assert.deepEqual([ids(found), found.totalSize], [[newest, middle], 2], text);
    }
    const later = new Date(at + 1).toISOString();
    assert.deepEqual(ids(await list({ statusTimestampAfter: later })), [newest]);
    assert.deepEqual(ids(await list({ statusTimestampAfter: timestamp.replace(".000Z", ".000001Z") })), [newest]);
    assert.deepEqual(ids(await list({ status_timestamp_after: "1970-01-01T00:00:00Z" })), [newest, middle, oldest]);
  });

  it("[list-since-invalid] refuses what is no timestamp (W16)", async () => {
    for (const text of ["yesterday", "", "2026-13-01T00:00:00Z", "2026-01-01", "1767225600", "2026-01-01T25:00:00Z"]) {
      assert.deepEqual(fieldsOf(await listCall({ statusTimestampAfter: text })), ["statusTimestampAfter"], text);
    }
  });

  it("[list-filters-together] gives what matches all filters", async () => {
    await endedTasks(1, { contextId: "c" });
    server.clock.tick(1000);
    const { task } = await endedTask(server, "fail", { contextId: "c" });
    await endedTask(server, "fail");
    const filters = { contextId: "c", status: "TASK_STATE_FAILED", statusTimestampAfter: task.status.timestamp };
    const found = await list(filters);
    assert.deepEqual([ids(found), found.totalSize], [[task.id], 1]);
    assert.equal((await list({ ...filters, status: "TASK_STATE_COMPLETED" })).totalSize, 0);
  });

  it("[list-page-default] has at most 50 tasks on a page", async () => {
    const made = await endedTasks(51);
    const first = await list();
    assert.deepEqual([first.tasks.length, first.pageSize, first.totalSize], [50, 50, 51]);
    assert.deepEqual(ids(await list({ pageToken: first.nextPageToken })), made.slice(50));
  });

  it("[list-page-bounds] takes 1 to 100 as a page size (W16)", async () => {
    for (const pageSize of [1, 100, "7"]) assert.equal((await list({ pageSize })).pageSize, Number(pageSize));
    for (const pageSize of [0, -1, 101, 100_000, 1.5, true, "x", "", []]) {
      assert.deepEqual(fieldsOf(await listCall({ pageSize })), ["pageSize"], JSON.stringify(pageSize));
    }
  });

  it("[list-order] gives the newest status first, also when an old task changes", async () => {
    const { task, run } = await askingTask(server);
    assert.equal(run.over(), true);
    const [newer = ""] = await endedTasks(1);
    assert.deepEqual(ids(await list()), [newer, task.id]);
    server.clock.tick(1000);
    const answered = sendTo(server, "that one", { taskId: task.id });
    (await server.runner.next()).complete();
    await answered;
    assert.deepEqual(ids(await list()), [task.id, newer]);
  });

  it("[list-tie] orders tasks of one instant by their ids, greatest first", async () => {
    const made = [];
    for (let index = 0; index < 4; index++) made.push((await endedTask(server)).task.id);
    assert.deepEqual(ids(await list()), made.sort().reverse());
    const first = await list({ pageSize: 2 });
    const second = await list({ pageSize: 2, pageToken: first.nextPageToken });
    assert.deepEqual([...ids(first), ...ids(second)], made);
  });

  it("[list-cursor] [list-total] [list-last-page] shows each task once, whatever comes meanwhile (W14)", async () => {
    const made = await endedTasks(7);
    const seen: string[] = [];
    let token = "";
    do {
      const page = await list({ pageSize: 3, pageToken: token });
      seen.push(...ids(page));
      token = page.nextPageToken;
      assert.equal(page.totalSize, 7 + Math.floor((seen.length - 1) / 3));
      await endedTasks(1);
    } while (token !== "");
    assert.deepEqual(seen, made);
    assert.equal((await list({ pageSize: 10 })).nextPageToken, "");
    assert.equal((await list({ pageSize: 100 })).nextPageToken, "");
  });

  it("[list-bad-token] refuses a token that it did not write (W16)", async () => {
    await endedTasks(3);
    const { nextPageToken } = await list({ pageSize: 1 });
    const foreign = Buffer.from("2026-01-01T00:00:00.000Z").toString("base64url");
    for (const pageToken of ["%%%", "1", "AAAA", foreign, `${nextPageToken}x`, nextPageToken.slice(1), "\ud800"]) {
      assert.deepEqual(fieldsOf(await listCall({ pageToken })), ["pageToken"], pageToken);
    }
  });

  it("[list-no-artifacts] [list-artifacts] shows artifacts when they are asked for, and no member else (W14)", async () => {
    const { task } = await endedTask(server);
    for (const params of [{}, { includeArtifacts: false }, { includeArtifacts: null }]) {
      const [listed] = (await list(params)).tasks;
      assert.equal(Object.hasOwn(listed ?? {}, "artifacts"), false);
    }
    for (const params of [{ includeArtifacts: true }, { include_artifacts: true }]) {
      assert.deepEqual((await list(params)).tasks, [task]);
    }
  });

  it("[list-history-length] shows as much history as was asked for", async () => {
    const { task } = await askingTask(server);
    const answered = sendTo(server, "that one", { taskId: task.id });
    (await server.runner.next()).complete();
    const { history } = taskOf(await answered);
    assert.equal(history?.length, 3);
    assert.deepEqual((await list()).tasks[0]?.history, history);
    assert.deepEqual((await list({ historyLength: 2 })).tasks[0]?.history, history?.slice(1));
    assert.equal(Object.hasOwn((await list({ historyLength: 0 })).tasks[0] ?? {}, "history"), false);
  });

  it("[list-every-field] does not list what is no task: a Message reply", async () => {
    const sent = call(server.port, "SendMessage", textParams("hi"));
    (await server.runner.next()).reply("hello");
    await sent;
    assert.equal((await list()).totalSize, 0);
  });
});
