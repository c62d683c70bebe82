// The official JavaScript SDK as server for our client, in 1.3.0 and in 0.3.14, which knows nothing of A2A 1.0: every operation that
// the client makes, over real sockets.

import assert from "node:assert/strict";
import type { A2aClient, CallProgress, CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import { type SdkAgent, type SdkRun, type SdkWire, startDrivenAgent } from "../support/driven-agent.ts";
import { createFakeClock, type FakeClock } from "../support/fake-clock.ts";
import { interopRow } from "../support/interop-table.ts";
import { createTestClient, failure, testSettings, whileTicking } from "../support/outbound-rig.ts";
import { sdkWire } from "../support/sdk-agent.ts";
import { sdkV03Wire } from "../support/sdk-v03-agent.ts";

interface Sdk {
  readonly name: string;
  readonly wire: SdkWire;
  /** What the operations are called on its wire. */
  readonly methods: { readonly send: string; readonly stream: string; readonly subscribe: string };
}

const SDKS: readonly Sdk[] = [
  {
    name: "@a2a-js/sdk 1.3.0",
    wire: sdkWire,
    methods: { send: "SendMessage", stream: "SendStreamingMessage", subscribe: "SubscribeToTask" },
  },
  {
    name: "@a2a-js/sdk 0.3.14",
    wire: sdkV03Wire,
    methods: { send: "message/send", stream: "message/stream", subscribe: "tasks/resubscribe" },
  },
];

for (const sdk of SDKS) describe(`our client against an agent of ${sdk.name}`, () => checkSdk(sdk));

function checkSdk({ name, wire, methods }: Sdk): void {
  const covers = interopRow(name, "we call it");
  for (const streaming of [true, false]) {
    describe(streaming ? "that streams" : "that does not stream", () => {
      let agent: SdkAgent;
      let clock: FakeClock;
      let client: A2aClient;
      beforeEach(async () => {
        agent = await startDrivenAgent(wire, streaming);
        clock = createFakeClock();
        client = createTestClient(clock, () => testSettings());
      });
      afterEach(async () => {
        await client.close();
        assert.equal(clock.pending(), 0, "timers left");
        await agent.stop();
      });

      const request = (fields: Partial<CallRequest> = {}): CallRequest => ({
        ...{ agent: agent.origin, text: "hello", detached: false, typed: false },
        ...fields,
      });
      const call = (fields?: Partial<CallRequest>): Promise<CallResult> =>
        whileTicking(clock, client.call(request(fields)));
      const status = (taskId: string, waitSec = 0): Promise<CallResult> =>
        whileTicking(clock, client.status({ agent: agent.origin, taskId, waitSec, typed: false }));
      /** A task that was handed over and is at work. */
      const handOver = async (): Promise<{ taskId: string; run: SdkRun }> => {
        const handed = call({ detached: true });
        const run = await agent.next();
        run.working("on it");
        const { taskId = "" } = await handed;
        return { taskId, run };
      };

      it("reads the card and chooses its interface", async () => {
        covers("card");
        const { card, chosen, cardUrl } = await client.discover(agent.origin, { typed: false });
        assert.equal(card.name, "sdk-agent");
        assert.equal(card.capabilities.streaming, streaming);
        assert.equal(chosen?.url, `${agent.origin}/a2a`);
        assert.equal(cardUrl, `${agent.origin}/.well-known/agent-card.json`);
      });

      it("sends a message and gives the finished task's text once", async () => {
        const lines: (string | undefined)[] = [];
        const onProgress = ({ line }: CallProgress): void => void lines.push(line);
        const called = call({ onProgress });
        const run = await agent.next();
        assert.equal(run.text, "hello");
        run.working("reading");
        run.artifact("a1", [{ text: "Hello, " }]);
        run.artifact("a1", [{ text: "world" }], { append: true, lastChunk: true });
        run.end("TASK_STATE_COMPLETED");
        const result = await called;
        assert.equal(result.state, "TASK_STATE_COMPLETED");
        assert.equal(result.text, "Hello, world");
        assert.equal(result.taskId, run.taskId);
        assert.equal(result.contextId, run.contextId);
        assert.equal(agent.methods[0], streaming ? methods.stream : methods.send);
        assert.ok(lines.length > 0);
      });

      it("gives a direct Message", async () => {
        covers("message");
        const called = call();
        (await agent.next()).reply("hello yourself");
        const result = await called;
        assert.equal(result.text, "hello yourself");
        assert.equal(result.state, "TASK_STATE_COMPLETED");
        assert.equal(result.taskId, undefined);
      });

      for (const state of ["TASK_STATE_FAILED", "TASK_STATE_REJECTED"]) {
        it(`gives the reason of ${state}`, async () => {
          covers("failure");
          const called = call();
          const run = await agent.next();
          run.working();
          run.end(state, "the disk is full");
          const result = await called;
          assert.equal(result.state, state);
          assert.match(result.text, /the disk is full/);
        });
      }

      it("keeps files and data as they came", async () => {
        covers("files");
        const called = call();
        const run = await agent.next();
        run.artifact("files", [
          { raw: "JVBERi0=", filename: "report.pdf", mediaType: "application/pdf" },
          { url: "https://example.com/log.txt", mediaType: "text/plain" },
          { data: { rows: [1, 2] } },
        ]);
        run.end("TASK_STATE_COMPLETED");
        const parts = (await called).attachments.flatMap((artifact) => artifact.parts);
        assert.deepEqual(parts, [
          { raw: "JVBERi0=", filename: "report.pdf", mediaType: "application/pdf" },
          { url: "https://example.com/log.txt", mediaType: "text/plain" },
          { data: { rows: [1, 2] } },
        ]);
      });

      it("hands a task over, asks after it, and waits for its end", async () => {
        covers("send", "get");
        const { taskId, run } = await handOver();
        const now = await status(taskId);
        assert.equal(now.state, "TASK_STATE_WORKING");
        assert.match(now.text, /on it/);
        const waiting = status(taskId, 60);
        run.artifact("a1", [{ text: "done at last" }]);
        run.end("TASK_STATE_COMPLETED");
        const ended = await waiting;
        assert.equal(ended.state, "TASK_STATE_COMPLETED");
        assert.equal(ended.text, "done at last");
      });

      it("ends a wait with the task still at work", async () => {
        const { taskId, run } = await handOver();
        assert.equal((await status(taskId, 5)).state, "TASK_STATE_WORKING");
        run.end("TASK_STATE_COMPLETED");
      });

      it("cancels a task by its id", async () => {
        covers("cancel");
        const { taskId, run } = await handOver();
        const canceled = await client.cancel(agent.origin, taskId, { typed: false });
        assert.equal(canceled.state, "TASK_STATE_CANCELED");
        assert.equal(run.canceled(), true);
      });

      it("cancels the remote task when its caller stops (C33)", async () => {
        const control = new AbortController();
        const known = signalled();
        const onProgress = ({ taskId }: CallProgress): void => {
          if (taskId !== undefined) known.resolve();
        };
        const ended = failure(call({ signal: control.signal, onProgress }), "CANCELLED");
        const run = await agent.next();
        run.working();
        await known.promise;
        control.abort();
        assert.match((await ended).message, /the task is canceled/);
        assert.equal(run.canceled(), true);
      });

      it("answers a question in the same task and context (C27)", async () => {
        covers("question");
        for (const answer of ["by its task id", "by its context id alone"]) {
          const asked = call();
          const first = await agent.next();
          first.end("TASK_STATE_INPUT_REQUIRED", "Which branch?");
          const question = await asked;
          assert.equal(question.state, "TASK_STATE_INPUT_REQUIRED");
          assert.match(question.text, /Which branch\?/);
          const { taskId = "", contextId = "" } = question;
          const ids = answer === "by its task id" ? { taskId, contextId } : { contextId };
          const answered = call({ text: "main", ...ids });
          const second = await agent.next();
          assert.equal(second.taskId, taskId);
          assert.equal(second.contextId, contextId);
          assert.equal(second.text, "main");
          second.working();
          second.artifact("a1", [{ text: `merged into main ${answer}` }]);
          second.end("TASK_STATE_COMPLETED");
          const done = await answered;
          assert.equal(done.taskId, taskId);
          assert.equal(done.state, "TASK_STATE_COMPLETED");
          assert.match(done.text, new RegExp(`merged into main ${answer}`));
        }
      });

      it("gives a second question of the same task", async () => {
        const asked = call();
        (await agent.next()).end("TASK_STATE_INPUT_REQUIRED", "Which branch?");
        const { contextId = "" } = await asked;
        const answered = call({ text: "main", contextId });
        (await agent.next()).end("TASK_STATE_INPUT_REQUIRED", "Which remote?");
        const second = await answered;
        assert.equal(second.state, "TASK_STATE_INPUT_REQUIRED");
        assert.equal(second.text, "Which remote?");
      });

      it("goes on in a context with a new task after the first has ended", async () => {
        const first = call();
        (await agent.next()).end("TASK_STATE_COMPLETED", "one");
        const { taskId, contextId = "" } = await first;
        const second = call({ contextId, text: "more" });
        const run = await agent.next();
        assert.equal(run.contextId, contextId);
        assert.notEqual(run.taskId, taskId);
        run.end("TASK_STATE_COMPLETED", "two");
        assert.match((await second).text, /two/);
      });

      it("shows the agent's own errors with their code", async () => {
        covers("errors");
        const unknown = await failure(status("no-such-task"), "PEER_ERROR");
        assert.equal(unknown.metadata.rpcCode, "-32001");
        const { taskId, run } = await handOver();
        run.end("TASK_STATE_COMPLETED");
        await status(taskId, 10);
        const late = await failure(client.cancel(agent.origin, taskId, { typed: false }), "PEER_ERROR");
        assert.equal(late.metadata.rpcCode, "-32002");
      });

      if (!streaming) return;

      it("subscribes again when the stream breaks, and loses nothing (C18)", async () => {
        covers("subscribe", "stream");
        const heard = signalled();
        const onProgress = ({ line }: CallProgress): void => {
          if (line === "part one") heard.resolve();
        };
        const called = call({ onProgress });
        const run = await agent.next();
        run.working();
        run.artifact("a1", [{ text: "part one" }]);
        await heard.promise;
        agent.cut();
        while (!agent.methods.includes(methods.subscribe)) await new Promise((resolve) => setImmediate(resolve));
        run.artifact("a1", [{ text: " and part two" }], { append: true, lastChunk: true });
        run.end("TASK_STATE_COMPLETED");
        const result = await called;
        assert.equal(result.state, "TASK_STATE_COMPLETED");
        assert.equal(result.text, "part one and part two");
        assert.equal(agent.methods.filter((method) => method === methods.stream).length, 1);
      });

      it("asks for a task that ended while the stream was broken", async () => {
        const heard = signalled();
        const called = call({ onProgress: heard.resolve });
        const run = await agent.next();
        run.working();
        run.artifact("a1", [{ text: "all of it" }]);
        await heard.promise;
        agent.cut();
        run.end("TASK_STATE_COMPLETED");
        const result = await called;
        assert.equal(result.state, "TASK_STATE_COMPLETED");
        assert.equal(result.text, "all of it");
      });

      it("closes the stream of a task that asks, and leaves no socket in use", async () => {
        const asked = call();
        (await agent.next()).end("TASK_STATE_AUTH_REQUIRED", "Log in first.");
        assert.equal((await asked).state, "TASK_STATE_AUTH_REQUIRED");
        await client.close();
        while (agent.openSockets() > 0) await new Promise((resolve) => setImmediate(resolve));
      });
    });
  }
}

/** A promise and the way to resolve it. */
function signalled(): { readonly promise: Promise<void>; resolve(): void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
