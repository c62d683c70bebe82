// More than one message, and more than text: our client against our server over real sockets, with runs that the test drives.

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "mocha";
import type { A2aClient, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import { artifact, task } from "../support/builders.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { openStream } from "../support/http-peer.ts";
import { createTestClient, failure, type Rig, startRig, testSettings, whileTicking } from "../support/outbound-rig.ts";

const FILE = { raw: "AP+A", filename: "notes.bin", mediaType: "application/x-notes" };

describe("a conversation with a peer", () => {
  let server: TestServer;
  let clock: FakeClock;
  let client: A2aClient;
  beforeEach(async () => {
    server = await startTestServer();
    clock = createFakeClock();
    client = createTestClient(clock, () => testSettings());
  });
  afterEach(async () => {
    await client.close();
    await server.stop();
    assert.equal(clock.pending(), 0, "a timer of the client was left behind");
  });

  const call = (fields: Partial<CallRequest> = {}): Promise<CallResult> =>
    client.call({ agent: server.origin, text: "tag it", detached: false, typed: false, ...fields });
  const asked = async (fields: Partial<CallRequest> = {}): Promise<CallResult> => {
    const pending = call(fields);
    (await server.runner.next()).ask("Which branch?");
    return await pending;
  };

  it("answers the task that waits, by its context alone (C13, C27) [client-answer-ids]", async () => {
    const { taskId, contextId = "", state, text } = await asked();
    assert.deepEqual([state, text], ["TASK_STATE_INPUT_REQUIRED", "Which branch?"]);
    const answered = call({ text: "main", contextId });
    const run = await server.runner.next();
    assert.equal(run.request.taskId, taskId);
    assert.equal(run.request.resumes, true);
    assert.deepEqual([run.request.message.contextId, run.request.message.taskId], [contextId, taskId]);
    run.text("Tagged main.");
    run.complete();
    const done = await answered;
    assert.deepEqual([done.taskId, done.state, done.text], [taskId, "TASK_STATE_COMPLETED", "Tagged main."]);
  });

  it("sends the new text alone, however many turns went before (C35)", async () => {
    let contextId: string | undefined;
    for (const text of ["one", "two", "three", "four", "five"]) {
      const pending = call({ text, ...(contextId === undefined ? {} : { contextId }) });
      const run = await server.runner.next();
      assert.deepEqual(run.request.message.parts, [{ text }]);
      run.text(`answer to ${text}`);
      run.complete();
      ({ contextId } = await pending);
    }
  });

  it("refers to the task before, once that has ended, in a new task of the context", async () => {
    const pending = call();
    (await server.runner.next()).complete();
    const { taskId = "", contextId = "" } = await pending;
    const second = call({ contextId });
    const run = await server.runner.next();
    assert.notEqual(run.request.taskId, taskId);
    assert.equal(run.request.previousTaskId, taskId);
    assert.deepEqual(run.request.message.referenceTaskIds, [taskId]);
    run.complete();
    await second;
  });

  it("answers a detached task whose question was read later", async () => {
    const pending = call({ detached: true });
    const first = await server.runner.next();
    first.working();
    const { taskId = "", contextId = "" } = await pending;
    first.ask("Which branch?");
    const status = await client.status({ agent: server.origin, taskId, waitSec: 0, typed: false });
    assert.equal(status.state, "TASK_STATE_INPUT_REQUIRED");
    const answered = call({ text: "main", contextId });
    const run = await server.runner.next();
    assert.equal(run.request.taskId, taskId);
    run.complete();
    await answered;
  });

  it("says how to go on when the task takes no answer any more, and then goes on", async () => {
    const { taskId = "", contextId = "" } = await asked();
    // By somebody else: this client does not hear of it.
    await server.engine.cancel({ key: "local", name: "x" }, taskId);
    const error = await failure(call({ text: "main", contextId }), "PEER_ERROR");
    assert.match(error.message, new RegExp(`task ${taskId} has ended \\(canceled\\)`));
    assert.match(error.hint, /Call again with the context id alone/);
    const second = call({ text: "main", contextId });
    const run = await server.runner.next();
    assert.notEqual(run.request.taskId, taskId);
    run.complete();
    await second;
  });

  it("does not answer a task again whose answer was taken and then given up", async () => {
    const { taskId = "", contextId = "" } = await asked();
    const stop = new AbortController();
    let known = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      known = resolve;
    });
    const answered = failure(
      call({ text: "main", contextId, signal: stop.signal, onProgress: (progress) => progress.taskId && known() }),
      "CANCELLED",
    );
    await server.runner.next();
    await whileTicking(clock, taken);
    stop.abort();
    await answered;
    const second = call({ contextId });
    const run = await server.runner.next();
    assert.notEqual(run.request.taskId, taskId);
    run.complete();
    await second;
  });

  it("hands over files and data, and takes them as they are (C37) [client-files-sent]", async () => {
    const pending = call({ text: "look", parts: [FILE, { data: [1, null] }] });
    const run = await server.runner.next();
    assert.deepEqual(run.request.message.parts, [{ text: "look" }, FILE, { data: [1, null] }]);
    const attach = (artifactId: string, part: typeof FILE | { data: null } | { url: string }) =>
      run.emit({ kind: "artifact", artifact: { artifactId, parts: [part] }, append: false, lastChunk: true });
    attach("f1", FILE);
    attach("f2", { data: null });
    attach("f3", { url: "https://x.test/a" });
    run.complete();
    const { attachments, text } = await pending;
    assert.equal(text, "");
    assert.deepEqual(
      attachments.map(({ artifactId, parts }) => [artifactId, parts]),
      [
        ["f1", [FILE]],
        ["f2", [{ data: null }]],
        ["f3", [{ url: "https://x.test/a" }]],
      ],
    );
  });
});

describe("a peer that streams", () => {
  let rig: Rig | undefined;
  afterEach(() => rig?.end());

  it("may send a task with files of several MiB in one event", async () => {
    const raw = Buffer.alloc(5 * 1024 * 1024, 7).toString("base64");
    const artifacts = [artifact({ parts: [{ raw, filename: "big.bin" }] })];
    rig = await startRig({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) =>
          openStream(request, response).frame({ task: task("TASK_STATE_COMPLETED", { artifacts }) }),
      },
    });
    const part = (await rig.call()).attachments[0]?.parts[0];
    assert.ok(part !== undefined && "raw" in part && part.raw === raw);
  });
});
