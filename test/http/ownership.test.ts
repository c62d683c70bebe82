// Nobody sees another caller's task (DESIGN §5, §9): each operation of each dialect, tried on tasks of every other owner in every
// state, answers byte for byte as for an id that nobody has, and changes nothing. A new dialect is one more entry of DIALECTS.

import assert from "node:assert/strict";
import type { KnownToken } from "../../src/inbound/admission/admission-types.ts";
import { type CallReply, openStream, textParams, type WireTask } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken, sharedToken } from "../support/admission-rules.ts";
import { piParams, V03, v03Params } from "../support/old-calls.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

const TOKENS: Readonly<Record<string, KnownToken>> = {
  alice: peerToken("alice"),
  bob: peerToken("bob"),
  shared: sharedToken(),
};
/** `local` is whoever is on this machine while no token is set. */
const OWNERS = ["alice", "bob", "shared", "local"];
const STATES = ["working", "asking", "ended"];
const PAIRS = OWNERS.flatMap((owner) =>
  OWNERS.filter((other) => other !== owner).map((other) => [owner, other] as const),
);

const NOBODYS = "task-00000000000000ff";
const CONFIG = { url: "https://hooks.example/a", token: "webhook-secret" };

interface Dialect {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Every operation on a task that exists, with the params that name it. */
  readonly operations: Readonly<Record<string, (taskId: string) => object>>;
  /** The method that starts work, with its params. */
  readonly send: (message: object) => readonly [method: string, params: object];
  /** The method that lists tasks, if there is one. */
  readonly list: string;
}

const DIALECTS: readonly Dialect[] = [
  {
    name: "A2A 1.0",
    headers: { "A2A-Version": "1.0" },
    operations: {
      GetTask: (id) => ({ id, historyLength: 5 }),
      CancelTask: (id) => ({ id }),
      SubscribeToTask: (id) => ({ id }),
      SendMessage: (taskId) => textParams("go on", { taskId }),
      SendStreamingMessage: (taskId) => textParams("go on", { taskId }),
      CreateTaskPushNotificationConfig: (taskId) => ({ taskId, id: "mine", ...CONFIG }),
      GetTaskPushNotificationConfig: (taskId) => ({ taskId, id: "theirs" }),
      ListTaskPushNotificationConfigs: (taskId) => ({ taskId }),
      DeleteTaskPushNotificationConfig: (taskId) => ({ taskId, id: "theirs" }),
    },
    send: (message) => ["SendMessage", textParams("work", message, { returnImmediately: true })],
    list: "ListTasks",
  },
  {
    name: "A2A 0.3",
    headers: V03,
    operations: {
      "tasks/get": (id) => ({ id, historyLength: 5 }),
      "tasks/cancel": (id) => ({ id }),
      "tasks/resubscribe": (id) => ({ id }),
      "message/send": (taskId) => v03Params("go on", { taskId }),
      "message/stream": (taskId) => v03Params("go on", { taskId }),
      "tasks/pushNotificationConfig/set": (taskId) => ({
        taskId,
        pushNotificationConfig: { id: "mine", ...CONFIG },
      }),
      "tasks/pushNotificationConfig/get": (id) => ({ id, pushNotificationConfigId: "theirs" }),
      "tasks/pushNotificationConfig/list": (id) => ({ id }),
      "tasks/pushNotificationConfig/delete": (id) => ({ id, pushNotificationConfigId: "theirs" }),
    },
    send: (message) => ["message/send", v03Params("work", message, { blocking: false })],
    list: "tasks/list",
  },
  {
    name: "the shape of older pi-a2a sessions",
    headers: {},
    operations: {
      "tasks/get": (id) => ({ id }),
      "tasks/cancel": (id) => ({ id }),
      "tasks/subscribe": (id) => ({ id }),
      "message/send": (taskId) => piParams("go on", { taskId }),
      "message/stream": (taskId) => piParams("go on", { taskId }),
      "tasks/pushNotificationConfig/create": (taskId) => ({ taskId, id: "mine", ...CONFIG }),
      "tasks/pushNotificationConfig/get": (taskId) => ({ taskId, id: "theirs" }),
      "tasks/pushNotificationConfig/list": (taskId) => ({ taskId }),
      "tasks/pushNotificationConfig/delete": (taskId) => ({ taskId, id: "theirs" }),
    },
    send: (message) => [
      "message/send",
      // Without an id: the same one again would be a resend.
      piParams("work", message, { returnImmediately: true }),
    ],
    list: "tasks/list",
  },
];

for (const dialect of DIALECTS) {
  describe(`a foreign task in ${dialect.name}`, () => {
    let server: TestServer;
    let rules = admissionRules();
    let tasks: Map<string, StagedTask>;

    const as = (caller: string, method: string, params: object): Promise<CallReply> => {
      const headers = method.includes("/") ? dialect.headers : { "A2A-Version": "1.0" };
      const known = TOKENS[caller];
      rules = known === undefined ? admissionRules() : admissionRules({ tokens: Object.values(TOKENS) });
      const login = known === undefined ? {} : { Authorization: `Bearer ${known.token}` };
      return ask(server.port, method, params, { ...headers, ...login });
    };
    const startWork = async (owner: string, message: object = {}) => {
      const reply = as(owner, ...dialect.send(message));
      const run = await server.runner.next();
      run.working();
      return { task: taskIn(await reply), run };
    };
    const stage = async (owner: string, state: string): Promise<StagedTask> => {
      const { task, run } = await startWork(owner);
      if (state === "asking") run.ask("which one?");
      if (state === "ended") run.complete();
      await as(owner, "CreateTaskPushNotificationConfig", { taskId: task.id, id: "theirs", ...CONFIG });
      return { ...task, run };
    };
    const staged = (owner: string, state: string): StagedTask => {
      const task = tasks.get(`${owner} ${state}`);
      assert.ok(task !== undefined);
      return task;
    };
    /** All that the owners can see of their tasks. */
    const seen = async (): Promise<string[]> => {
      const texts: string[] = [];
      for (const owner of OWNERS) {
        for (const { id } of STATES.map((state) => staged(owner, state))) {
          const task = await as(owner, "GetTask", { id });
          const configs = await as(owner, "ListTaskPushNotificationConfigs", { taskId: id });
          assert.ok(task.json.result !== undefined && configs.json.result !== undefined, task.text);
          texts.push(task.text, configs.text);
        }
      }
      return texts;
    };

    before(async () => {
      const engineLimits = { maxConcurrent: OWNERS.length * STATES.length + 10 };
      server = await startTestServer({ admission: () => rules, engineLimits, push: {} });
      tasks = new Map();
      for (const owner of OWNERS) {
        for (const state of STATES) tasks.set(`${owner} ${state}`, await stage(owner, state));
      }
    });
    after(() => server.stop());

    for (const [operation, params] of Object.entries(dialect.operations)) {
      it(`is for ${operation} what a missing one is, for every other caller in every state (X01, P04)`, async () => {
        const runs = server.runner.runs.length;
        const before = await seen();
        for (const other of OWNERS) {
          const missing = comparable(await as(other, operation, params(NOBODYS)), NOBODYS);
          for (const owner of OWNERS.filter((each) => each !== other)) {
            for (const state of STATES) {
              const { id } = staged(owner, state);
              const theirs = await as(other, operation, params(id));
              const what = `${other} at a task of ${owner} that is ${state}`;
              assert.equal(theirs.json.error?.code, -32001, what);
              assert.deepEqual(comparable(theirs, id), missing, what);
            }
          }
        }
        assert.deepEqual(await seen(), before, "something changed");
        assert.equal(server.runner.runs.length, runs, "something ran");
      });
    }

    it("is neither listed nor counted, by no filter (X01)", async () => {
      for (const caller of OWNERS) {
        const own = STATES.map((state) => staged(caller, state).id).sort();
        const all = await as(caller, dialect.list, {});
        assert.deepEqual(listedIn(all).ids.sort(), own, caller);
        assert.ok([own.length, undefined].includes(listedIn(all).total));
        const first = await as(caller, dialect.list, { pageSize: 1 });
        assert.ok([own.length, undefined].includes(listedIn(first).total));
      }
      for (const [owner, other] of PAIRS) {
        const theirs = await as(other, dialect.list, { contextId: staged(owner, "working").contextId });
        const nobodys = await as(other, dialect.list, { contextId: "ctx-00000000000000ff" });
        assert.deepEqual(comparable(theirs), comparable(nobodys));
      }
    });

    it("is never continued by a message that names its context (X01)", async () => {
      for (const [owner, other] of PAIRS) {
        // The owner's task in it still works: a message of the owner itself would wait.
        const { contextId, id, run } = staged(owner, "working");
        const intruder = await startWork(other, { contextId });
        assert.notEqual(intruder.task.id, id);
        assert.equal(intruder.run.request.previousTaskId, undefined);
        assert.deepEqual(intruder.run.request.history, []);
        intruder.run.complete();
        assert.equal(run.request.signal.aborted, false);
      }
    });

    it("keeps its conversation apart from one of the same name (X01)", async () => {
      const first = await startWork("alice");
      first.run.complete();
      const { contextId } = first.task;
      const intruder = await startWork("bob", { contextId });
      intruder.run.complete();
      const second = await startWork("alice", { contextId });
      second.run.complete();
      assert.equal(second.run.request.previousTaskId, first.task.id);
      const again = await startWork("bob", { contextId });
      again.run.complete();
      assert.equal(again.run.request.previousTaskId, intruder.task.id);
    });

    it("is not what a message with the same id and text belongs to (S17)", async () => {
      const [method, params] = dialect.send({});
      const send = async (caller: string): Promise<WireTask> => {
        const reply = as(caller, method, params);
        (await server.runner.next()).working();
        return taskIn(await reply);
      };
      const ids = [];
      for (const caller of OWNERS) ids.push((await send(caller)).id);
      assert.equal(new Set(ids).size, OWNERS.length);
    });

    it("is its owner's for every operation, also when it comes from elsewhere", async () => {
      for (const owner of OWNERS) {
        for (const [operation, params] of Object.entries(dialect.operations)) {
          if (/Subscribe|Stream|Cancel|subscribe|stream|cancel/.test(operation)) continue;
          const reply = await as(owner, operation, params(staged(owner, "ended").id));
          assert.notEqual(reply.json.error?.code, -32001, `${owner} ${operation}`);
        }
        const canceled = await as(owner, "CancelTask", { id: staged(owner, "working").id });
        assert.equal(canceled.json.error, undefined, owner);
      }
    });
  });
}

interface StagedTask extends WireTask {
  readonly run: RunHandle;
}

/** A call whose reply may be a stream: its first event counts. */
async function ask(port: number, method: string, params: object, headers: Record<string, string>): Promise<CallReply> {
  const stream = await openStream(port, method, params, 1, headers);
  const [first] = await stream.ended;
  const text = stream.text();
  return { status: stream.status, headers: stream.headers, text, json: first ?? JSON.parse(text) };
}

/** What of a reply must not tell a foreign id from a missing one. */
function comparable({ status, headers, text }: CallReply, id = ""): object {
  const { date: _date, ...rest } = headers;
  return { status, headers: rest, text: id === "" ? text : text.replaceAll(id, "ID") };
}

function taskIn({ json, text }: CallReply): WireTask {
  const { id, contextId, status, ...rest } = json.result?.task ?? json.result ?? {};
  assert.ok(id !== undefined && contextId !== undefined && status !== undefined, text);
  return { ...rest, id, contextId, status };
}

function listedIn({ text }: CallReply): { readonly ids: string[]; readonly total: number | undefined } {
  const { result } = JSON.parse(text);
  return { ids: result.tasks.map(({ id }: WireTask) => id), total: result.totalSize };
}
