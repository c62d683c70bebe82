// What the audit hears of requests over real sockets.

import assert from "node:assert/strict";
import type { AuditEntry } from "../../src/core/ports.ts";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { call, get, openStream, post, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { admissionRules, peerToken } from "../support/admission-rules.ts";

const ALICE = { headers: { Authorization: "Bearer token-of-alice" } };
const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("inbound audit", () => {
  let server: TestServer;
  let rules: AdmissionRules;
  beforeEach(async () => {
    rules = admissionRules();
    server = await startTestServer({
      admission: () => rules,
      callerLimits: () => ({ ratePerMin: 0, maxTurns: 20, chain: { sessionId: "here", maxHops: 4 } }),
    });
  });
  afterEach(() => server.stop());

  const events = (): string[] => server.audit.entries.map(({ event, method }) => `${event} ${method}`);
  const entry = (event: AuditEntry["event"]): AuditEntry => {
    const found = server.audit.entries.find((each) => each.event === event);
    return found ?? assert.fail(`no ${event} in ${events()}`);
  };
  /** One message to its end. */
  const exchange = async (text: string, options = {}): Promise<string> => {
    const sent = call(server.port, "SendMessage", textParams(text), options);
    const run = await server.runner.next();
    run.working();
    run.text(`reply to ${text}`);
    server.clock.tick(1500);
    run.complete();
    return (await sent).json.result?.task?.id ?? "";
  };

  it("has the arrival and the outcome of a message, joined by task and trace", async () => {
    rules = admissionRules({ tokens: [peerToken("alice")] });
    const taskId = await exchange("hello", { headers: { ...ALICE.headers, traceparent: TRACEPARENT } });
    assert.deepEqual(events(), ["arrival SendMessage", "outcome SendMessage"]);
    const [arrival, outcome] = server.audit.entries;
    for (const each of [arrival, outcome]) {
      const { direction, identity, principal, traceparent } = each ?? {};
      assert.deepEqual(
        { direction, identity, principal, traceparent, taskId: each?.taskId },
        { direction: "in", identity: "alice", principal: "peer:alice", traceparent: TRACEPARENT, taskId },
      );
      assert.match(each?.contextId ?? "", /^ctx-/);
    }
    assert.deepEqual(arrival?.preview, [{ text: "hello" }]);
    assert.ok((arrival?.bytes ?? 0) > 100);
    assert.equal(outcome?.state, "TASK_STATE_COMPLETED");
    assert.equal(outcome?.ms, 1500);
    assert.deepEqual(outcome?.preview, [{ text: "reply to hello" }]);
    assert.ok((outcome?.bytes ?? 0) > 10);
  });

  it("gives a message without a trace one of its own, and calls a program of this machine by its address", async () => {
    await exchange("hello");
    const { identity, principal, traceparent } = entry("arrival");
    assert.deepEqual([identity, principal], ["ip:127.0.0.1", "local"]);
    assert.match(traceparent ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    assert.equal(entry("outcome").traceparent, traceparent);
  });

  it("has streams like plain sends, and questions and their answers as exchanges of one task", async () => {
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("hello"));
    const first = await server.runner.next();
    first.working();
    first.ask("which one?");
    const [opened] = await stream.ended;
    const { id: taskId = "" } = opened?.result?.task ?? {};
    const answered = call(server.port, "SendMessage", textParams("the left one", { taskId }));
    (await server.runner.next()).complete();
    await answered;
    assert.deepEqual(
      server.audit.entries.map(({ event, method, state = "" }) => `${event} ${method} ${state}`),
      [
        "arrival SendStreamingMessage ",
        "outcome SendStreamingMessage TASK_STATE_INPUT_REQUIRED",
        "arrival SendMessage ",
        "outcome SendMessage TASK_STATE_COMPLETED",
      ],
    );
    assert.deepEqual([...new Set(server.audit.entries.map((each) => each.taskId))], [taskId]);
    assert.deepEqual(entry("outcome").preview, [{ text: "which one?" }]);
  });

  it("has the end of a task that nobody waits for any more, why it failed, and that it was canceled (X10)", async () => {
    const detached = (text: string) =>
      call(server.port, "SendMessage", textParams(text, {}, { returnImmediately: true }));
    const sent = detached("one");
    const run = await server.runner.next();
    run.working();
    await sent;
    run.fail("401 from provider");
    const other = detached("two");
    const second = await server.runner.next();
    second.working();
    const id = (await other).json.result?.task?.id;
    await call(server.port, "CancelTask", { id });
    const outcomes = server.audit.entries.filter(({ event }) => event === "outcome");
    assert.deepEqual(
      outcomes.map(({ state, preview }) => [state, preview]),
      [
        ["TASK_STATE_FAILED", [{ text: "401 from provider" }]],
        ["TASK_STATE_CANCELED", []],
      ],
    );
    assert.deepEqual([entry("call").method, entry("call").taskId], ["CancelTask", id]);
  });

  it("has a direct reply as the outcome of its message", async () => {
    const sent = call(server.port, "SendMessage", textParams("hello"));
    (await server.runner.next()).reply("hi");
    await sent;
    assert.deepEqual(events(), ["arrival SendMessage", "outcome SendMessage"]);
    assert.deepEqual([entry("outcome").state, entry("outcome").preview], ["TASK_STATE_COMPLETED", [{ text: "hi" }]]);
  });

  it("has work that came in a circle as arrived and rejected", async () => {
    const chain = { "urn:pi-a2a:ext:v1": { chain: { sessions: ["here"] } } };
    await call(server.port, "SendMessage", textParams("hello", { metadata: chain }));
    assert.deepEqual(events(), ["arrival SendMessage", "outcome SendMessage"]);
    assert.equal(entry("outcome").state, "TASK_STATE_REJECTED");
  });

  it("has one line of whoever is not let in, and none of pages", async () => {
    rules = admissionRules({ tokens: [peerToken("alice")] });
    await call(server.port, "SendMessage", textParams("hello"), { headers: { Authorization: "Bearer wrong" } });
    await get(server.port, "/health");
    const [refused, ...more] = server.audit.entries;
    assert.deepEqual(more, []);
    assert.deepEqual(refused, { direction: "in", event: "refused", identity: "ip:127.0.0.1", error: "UNAUTHORIZED" });
  });

  it("has what was wrong with a request, whatever was wrong (W25)", async () => {
    await post(server.port, "{");
    await call(server.port, "Nonsense");
    await call(server.port, "SendMessage", {});
    await call(server.port, "GetTask", { id: "task-x" });
    await call(server.port, "SubscribeToTask", { id: "task-x" });
    await post(server.port, "{}", { headers: { "Content-Type": "text/plain" } });
    assert.deepEqual(
      server.audit.entries.map(({ event, method, error, taskId }) => [event, method, error, taskId]),
      [
        ["refused", undefined, "PARSE_ERROR", undefined],
        ["refused", "Nonsense", "METHOD_NOT_FOUND", undefined],
        ["refused", "SendMessage", "INVALID_PARAMS", undefined],
        ["refused", "GetTask", "TASK_NOT_FOUND", "task-x"],
        ["refused", "SubscribeToTask", "TASK_NOT_FOUND", "task-x"],
        ["refused", undefined, "CONTENT_TYPE_NOT_SUPPORTED", undefined],
      ],
    );
  });

  it("has tasks that end with the server", async () => {
    const sent = call(server.port, "SendMessage", textParams("hello", {}, { returnImmediately: true }));
    (await server.runner.next()).working();
    await sent;
    await server.engine.stop("over");
    server.handler.close();
    assert.equal(entry("outcome").state, "TASK_STATE_FAILED");
  });
});
