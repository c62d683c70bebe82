// What a server gets done at another one of its agent folder, for the owner of the task and for nobody else.

import assert from "node:assert/strict";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { type Body, call, type EventStream, openStream, post, rpcBody, textParams } from "../support/a2a-calls.ts";
import { admissionRules, peerToken } from "../support/admission-rules.ts";
import { createJournalHouse, type JournalHouse } from "../support/journal-rig.ts";
import { type SiblingServer, startSibling } from "../support/sibling-servers.ts";
import { skipBecause } from "../support/skip-because.ts";

const RULES = admissionRules({ tokens: [peerToken("alice"), peerToken("bob")] });
const ALICE = { Authorization: "Bearer token-of-alice" };
const BOB = { Authorization: "Bearer token-of-bob" };
const NOBODYS = "task-00000000000000ff";
const HOOK = "https://hooks.example.com/";

const DETACHED = { returnImmediately: true };

describe("a task of another server of the folder", () => {
  let house: JournalHouse;
  let a: SiblingServer;
  let b: SiblingServer;
  let rules: AdmissionRules;
  let pollMs: number;
  const options = () => ({ handler: { admission: () => rules } });
  beforeEach(async () => {
    rules = RULES;
    pollMs = 1000;
    house = await createJournalHouse();
    a = await startSibling(house, options());
    b = await startSibling(house, options());
  });
  afterEach(async () => {
    await b.quit();
    await a.quit();
    await house.remove();
  });

  const at = async ({ port }: SiblingServer, method: string, params: object, headers = ALICE): Promise<Body> =>
    (await call(port, method, params, { headers })).json;
  const begun = async (server: SiblingServer, message: object = {}) => {
    const reply = at(server, "SendMessage", textParams("work", message, DETACHED));
    const run = await server.runner.next();
    run.working();
    const { result } = await reply;
    assert.ok(result?.task !== undefined);
    return { id: result.task.id, contextId: result.task.contextId, run };
  };
  const asked = async (server: SiblingServer) => {
    const task = await begun(server);
    task.run.ask("which one?");
    while ((await at(server, "GetTask", { id: task.id })).result?.status?.state !== "TASK_STATE_INPUT_REQUIRED");
    return task;
  };
  const stateOf = (event: Body | undefined): string | undefined =>
    (event?.result?.statusUpdate ?? event?.result?.task ?? event?.result)?.status?.state;
  const subscribe = (server: SiblingServer, id: string): Promise<EventStream> =>
    openStream(server.port, "SubscribeToTask", { id }, 1, ALICE);

  it("has its end in the audit of the server that took it over, once, with its owner (L11)", async () => {
    const { id } = await begun(a);
    const question = await asked(a);
    await a.kill();
    for (let n = 0; n < 2; n++) await at(b, "GetTask", { id });
    await at(b, "CancelTask", { id: question.id });
    const ends = b.audit.entries.filter(({ event }) => event === "outcome");
    assert.deepEqual(
      ends.map(({ taskId, state, identity, principal }) => [taskId, state, identity, principal]),
      [
        [id, "TASK_STATE_FAILED", "alice", "peer:alice"],
        [question.id, "TASK_STATE_CANCELED", "alice", "peer:alice"],
      ],
    );
    a = await startSibling(house, options());
  });

  it("is followed live, every frame as its own server tells it", async () => {
    const { id, run } = await begun(a);
    const [own, other] = [await subscribe(a, id), await subscribe(b, id)];
    await Promise.all([own.event(1), other.event(1)]);
    run.working("thinking");
    run.text("one ", { provisional: true });
    await other.event(3);
    run.text("two ", { provisional: true, append: true });
    await other.event(4);
    run.metadata({ tokens: 5 });
    run.text("three", { append: true });
    run.complete();
    assert.deepEqual(await other.ended, await own.ended);
    assert.equal(stateOf(other.events().at(-1)), "TASK_STATE_COMPLETED");
    assert.equal((await at(b, "SubscribeToTask", { id })).error?.code, -32004);
  });

  it("is followed in the older dialects as at its own server", async () => {
    const { id, run } = await begun(a);
    const streams = await Promise.all(
      [a, b].map(({ port }) => openStream(port, "tasks/resubscribe", { id }, 1, { ...ALICE, "A2A-Version": "0.3" })),
    );
    await Promise.all(streams.map((stream) => stream.event(1)));
    run.text("reply");
    run.complete();
    const [own, other] = await Promise.all(streams.map((stream) => stream.ended));
    assert.deepEqual(other, own);
    assert.equal((other ?? []).length > 2, true);
  });

  it("is canceled where it runs", async () => {
    const { id, run } = await begun(a);
    const { result } = await at(b, "CancelTask", { id });
    assert.equal(result?.status?.state, "TASK_STATE_CANCELED");
    assert.equal(run.request.signal.aborted, true);
    assert.deepEqual(await at(b, "CancelTask", { id }), await at(a, "CancelTask", { id }));
    const done = await begun(a);
    done.run.complete();
    while (stateOf(await at(a, "GetTask", { id: done.id })) !== "TASK_STATE_COMPLETED");
    assert.deepEqual(await at(b, "CancelTask", { id: done.id }), await at(a, "CancelTask", { id: done.id }));
  });

  it("takes the answer to its question, and the caller waits for its end", async () => {
    const { id } = await asked(a);
    const reply = at(b, "SendMessage", textParams("the second", { taskId: id }));
    const run = await a.runner.next();
    assert.equal(run.request.resumes, true);
    assert.deepEqual(run.request.caller, { key: "peer:alice", name: "alice" });
    run.text("whole");
    run.complete();
    const { result } = await reply;
    assert.deepEqual([result?.task?.id, stateOf({ result: result?.task ?? {} })], [id, "TASK_STATE_COMPLETED"]);
    assert.deepEqual(result?.task, (await at(a, "GetTask", { id })).result);
    assert.equal(b.runner.runs.length, 0);
  });

  it("takes the answer in a stream, which ends with it", async () => {
    const { id } = await asked(a);
    const stream = await openStream(b.port, "SendStreamingMessage", textParams("the second", { taskId: id }), 1, ALICE);
    assert.equal(stateOf(await stream.event(1)), "TASK_STATE_WORKING");
    const run = await a.runner.next();
    run.text("whole");
    run.ask("and then?");
    const events = await stream.ended;
    assert.equal(stateOf(events.at(-1)), "TASK_STATE_INPUT_REQUIRED");
    assert.equal(events.at(-2)?.result?.artifactUpdate?.artifact.parts[0]?.text, "whole");
  });

  it("takes a further message while it works", async () => {
    const steered = await startSibling(house, { ...options(), steerable: true });
    const { id, run } = await begun(steered);
    const sent = await at(b, "SendMessage", textParams("and mind the gap", { taskId: id }, DETACHED));
    assert.equal(sent.result?.task?.id, id, JSON.stringify(sent));
    assert.match(JSON.stringify(run.letters.map(({ message }) => message.parts)), /mind the gap/);
    for (const letter of run.letters) letter.taken();
    run.complete();
    while (stateOf(await at(b, "GetTask", { id })) === "TASK_STATE_WORKING");
    const { result } = await at(b, "GetTask", { id });
    assert.match(JSON.stringify(result?.history), /mind the gap/);
    await steered.quit();
  });

  it("has its webhooks where it runs", async () => {
    const { id: taskId, run } = await begun(a);
    const config = { taskId, id: "h", url: HOOK, authentication: { scheme: "Bearer", credentials: "c" } };
    const made = await at(b, "CreateTaskPushNotificationConfig", config);
    assert.deepEqual(made, await at(a, "GetTaskPushNotificationConfig", { taskId, id: "h" }));
    assert.deepEqual(a.engine.push.of(taskId)?.[0]?.authentication, config.authentication);
    for (const [method, params] of [
      ["GetTaskPushNotificationConfig", { taskId, id: "h" }],
      ["GetTaskPushNotificationConfig", { taskId, id: "none" }],
      ["ListTaskPushNotificationConfigs", { taskId }],
      ["CreateTaskPushNotificationConfig", { taskId, url: "http://10.0.0.1/" }],
    ] as const)
      assert.deepEqual(await at(b, method, params), await at(a, method, params), method);
    run.complete();
    await at(b, "DeleteTaskPushNotificationConfig", { taskId, id: "h" });
    assert.deepEqual(a.engine.push.of(taskId), []);
  });

  it("is no task at all for another caller, in every operation", async () => {
    const { id, run } = await asked(a);
    const other = await begun(a);
    const operations: readonly (readonly [string, (id: string) => object])[] = [
      ["GetTask", (id) => ({ id })],
      ["CancelTask", (id) => ({ id })],
      ["SubscribeToTask", (id) => ({ id })],
      ["SendMessage", (taskId) => ({ message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "x" }], taskId } })],
      ["SendStreamingMessage", (taskId) => textParams("x", { taskId })],
      ["CreateTaskPushNotificationConfig", (taskId) => ({ taskId, url: HOOK })],
      ["GetTaskPushNotificationConfig", (taskId) => ({ taskId, id: "h" })],
      ["ListTaskPushNotificationConfigs", (taskId) => ({ taskId })],
      ["DeleteTaskPushNotificationConfig", (taskId) => ({ taskId, id: "h" })],
    ];
    for (const [method, params] of operations) {
      const none = await call(b.port, method, params(NOBODYS), { headers: BOB });
      assert.equal(none.json.error?.code, -32001);
      for (const taken of [id, other.id]) {
        const reply = await call(b.port, method, params(taken), { headers: BOB });
        assert.equal(reply.text.replaceAll(taken, NOBODYS), none.text, method);
        assert.equal(reply.status, none.status);
      }
    }
    assert.equal((await at(b, "ListTasks", {}, BOB)).result && "tasks", "tasks");
    assert.doesNotMatch((await call(b.port, "ListTasks", {}, { headers: BOB })).text, new RegExp(id));
    assert.equal(stateOf(await at(a, "GetTask", { id })), "TASK_STATE_INPUT_REQUIRED");
    assert.equal(run.over(), true);
    other.run.complete();
  });

  it("goes on in its conversation with the next message, wherever that arrives", async () => {
    const first = await begun(a);
    first.run.complete();
    while (stateOf(await at(a, "GetTask", { id: first.id })) !== "TASK_STATE_COMPLETED");
    const second = await begun(b, { contextId: first.contextId });
    assert.equal(second.contextId, first.contextId);
    assert.equal(second.run.request.previousTaskId, first.id);
    second.run.complete();
  });

  it("is noted once in the audit, where the caller was let in or where it runs", async () => {
    const { id } = await asked(a);
    const before = a.audit.entries.length;
    const reply = at(b, "SendMessage", textParams("the second", { taskId: id }));
    (await a.runner.next()).complete();
    await reply;
    await at(b, "CancelTask", { id });
    const lines = [...a.audit.entries.slice(before), ...b.audit.entries].map(({ event, method, error }) =>
      [event, method, error].filter((word) => word !== undefined).join(" "),
    );
    assert.deepEqual(lines.sort(), [
      "arrival SendMessage",
      "outcome SendMessage",
      "refused CancelTask TASK_NOT_CANCELABLE",
    ]);
    assert.doesNotMatch(JSON.stringify([...a.audit.entries, ...b.audit.entries]), /secret-/);
  });

  describe("is asked for with the secret of its server", () => {
    const caller = Buffer.from(JSON.stringify({ key: "peer:alice", name: "alice" })).toString("base64url");
    const head = (secret: string) => ({ "X-Pi-A2A-Sibling": secret, "X-Pi-A2A-Caller": caller });
    const ask = (id: string, headers: Record<string, string>) => post(a.port, rpcBody("GetTask", { id }), { headers });

    it("which passes before every rule for callers", async () => {
      const { id, run } = await begun(a);
      rules = { ...RULES, closed: true, trustedPeers: ["nobody"] };
      const reply = await ask(id, { ...head(a.secret), Host: "elsewhere.example", Origin: "https://evil.example" });
      assert.equal(reply.json.result?.id, id, reply.text);
      run.complete();
    });

    it("and never without it, whatever token comes along", async () => {
      const { id, run } = await begun(a);
      const refused = await ask(id, { ...head("wrong"), ...ALICE });
      assert.deepEqual([refused.status, refused.json.error?.code], [403, -32052]);
      const wrong: Record<string, string>[] = [
        head(b.secret),
        head(""),
        { "X-Pi-A2A-Sibling": a.secret },
        { ...head(a.secret), "X-Pi-A2A-Caller": "e30" },
        { ...head(a.secret), "X-Pi-A2A-Caller": "\u00ff" },
        { ...head(a.secret), "X-Forwarded-For": "10.0.0.1" },
      ];
      for (const headers of wrong) assert.equal((await ask(id, headers)).text, refused.text, JSON.stringify(headers));
      assert.doesNotMatch(refused.text, /secret-/);
      run.complete();
    });

    it("and is handed on to nobody", async () => {
      const { id, run } = await begun(b);
      const reply = await ask(id, head(a.secret));
      assert.equal(reply.json.error?.code, -32001);
      run.complete();
    });
  });

  it("is reached at a server that listens on every address, from this machine", async function () {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === "IPv4" && !one.internal)?.address;
    if (outside === undefined) {
      return skipBecause(this, "this machine has no other address than the loopback one");
    }
    const wide = await startSibling(house, {
      handler: { admission: () => RULES },
      listen: { host: "0.0.0.0", wide: true },
    });
    const { id, run } = await begun(wide);
    // By the wildcard that stands in its owner file; its own outer address is of this machine, too.
    assert.equal((await at(b, "CancelTask", { id })).result?.status?.state, "TASK_STATE_CANCELED");
    const caller = Buffer.from(JSON.stringify({ key: "peer:alice", name: "alice" })).toString("base64url");
    const status = (host: string, localAddress: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const headers = {
          "Content-Type": "application/json",
          "X-Pi-A2A-Sibling": wide.secret,
          "X-Pi-A2A-Caller": caller,
        };
        request({ host, localAddress, port: wide.port, method: "POST", headers, agent: false }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end(rpcBody("GetTask", { id }));
      });
    assert.equal(await status(outside, outside), 200);
    assert.equal(run.over(), true);
    await wide.quit();
  });

  describe("whose server cannot be reached", () => {
    let hidden: SiblingServer;
    beforeEach(async () => {
      hidden = await startSibling(house, { ...options(), announce: false });
      b = await replaced(b);
    });
    afterEach(() => hidden.quit());
    const replaced = async (server: SiblingServer): Promise<SiblingServer> => {
      await server.quit();
      return startSibling(house, options());
    };

    it("is followed in its files at every look", async () => {
      const { id, run } = await begun(hidden);
      const stream = await subscribe(b, id);
      await stream.event(1);
      run.working("thinking");
      run.text("whole");
      while (stateOf(await at(b, "GetTask", { id })) !== "TASK_STATE_WORKING");
      while ((await hidden.engine.get({ key: "peer:alice", name: "alice" }, id)).artifacts === undefined);
      const two = stream.event(2);
      house.clock.tick(pollMs);
      assert.equal((await two).result?.artifactUpdate?.artifact.parts[0]?.text, "whole");
      run.complete();
      while (stateOf(await at(b, "GetTask", { id })) !== "TASK_STATE_COMPLETED");
      let over = false;
      void stream.ended.then(() => {
        over = true;
      });
      while (!over) {
        house.clock.tick(pollMs);
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.equal(stateOf(stream.events().at(-1)), "TASK_STATE_COMPLETED");
    });

    it("says for everything else who has it and what to do", async () => {
      const { id, run } = await begun(hidden);
      for (const [method, params] of [
        ["CancelTask", { id }],
        ["SendMessage", textParams("more", { taskId: id })],
        ["SendStreamingMessage", textParams("more", { taskId: id })],
        ["CreateTaskPushNotificationConfig", { taskId: id, url: HOOK }],
      ] as const) {
        const reply = await call(b.port, method, params, { headers: ALICE });
        assert.equal(reply.status, 503, method);
        assert.equal(reply.headers["retry-after"], "5");
        assert.match(reply.json.error?.message ?? "", /held by another session \(process \d+\) .* try again/);
      }
      run.complete();
    });
  });
});
