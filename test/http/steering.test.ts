// Messages to a task at work, over real sockets: all three ways to wait for it, both wires, and the moment in which it ends.

import assert from "node:assert/strict";
import { call, openStream, textParams, type WireResult } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";
import type { RunHandle } from "../support/scripted-runner.ts";

describe("a message to a task at work", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ steerable: true });
  });
  afterEach(() => server.stop());

  /** A task whose sender waits for it. */
  async function atWork() {
    const first = call(server.port, "SendMessage", textParams("paint it"));
    const run = await server.runner.next();
    run.working();
    await until(() => server.engine.has(run.request.caller, run.request.taskId));
    const { taskId } = run.request;
    const steer = (text: string, configuration?: object) =>
      call(server.port, "SendMessage", textParams(text, { taskId }, configuration));
    return { first, run, taskId, steer };
  }

  it("gets the same result as the message that began the task", async () => {
    const { first, run, steer } = await atWork();
    const second = steer("in blue");
    const letter = await heard(run, 1);
    assert.deepEqual(letter.message.parts, [{ text: "in blue" }]);
    letter.taken();
    run.text("blue");
    run.complete();
    const [one, two] = await Promise.all([first, second]);
    assert.deepEqual(one.json.result, two.json.result);
    assert.deepEqual(
      two.json.result?.task?.history?.map(({ parts }) => parts[0]?.text),
      ["paint it", "in blue"],
    );
  });

  it("streams the task as it is, then the rest", async () => {
    const { first, run, taskId } = await atWork();
    run.text("gre", { provisional: true });
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("in blue", { taskId }));
    (await heard(run, 1)).taken();
    const snapshot = (await stream.event(1)).result?.task;
    assert.equal(snapshot?.status.state, "TASK_STATE_WORKING");
    assert.equal(snapshot?.history?.length, 2);
    run.text("blue");
    run.complete();
    const frames = (await stream.ended).map(({ result }) => result ?? {});
    assert.deepEqual(frames.slice(1).map(kindOf), ["artifact", "TASK_STATE_COMPLETED"]);
    await first;
  });

  it("is acknowledged at once when its sender does not wait", async () => {
    const { first, run, steer, taskId } = await atWork();
    const { json } = await steer("in blue", { returnImmediately: true });
    assert.deepEqual([json.result?.task?.id, json.result?.task?.status.state], [taskId, "TASK_STATE_WORKING"]);
    (await heard(run, 1)).taken();
    run.complete();
    await first;
  });

  it("ends its stream at a question, as the first one's", async () => {
    const { first, run, taskId } = await atWork();
    const stream = await openStream(server.port, "SendStreamingMessage", textParams("in blue", { taskId }));
    (await heard(run, 1)).taken();
    run.ask("light or dark?");
    const frames = (await stream.ended).map(({ result }) => result ?? {});
    assert.equal(kindOf(frames.at(-1) ?? {}), "TASK_STATE_INPUT_REQUIRED");
    assert.equal((await first).json.result?.task?.status.state, "TASK_STATE_INPUT_REQUIRED");
  });

  it("is taken or refused at the end, never lost: what was answered with the task stands in its history", async () => {
    for (let round = 0; round < 20; round++) {
      const { first, run, steer } = await atWork();
      const sent = Promise.all(["a", "b", "c"].map((text) => steer(text)));
      // A run as it should be: it ends once nothing is left, wherever the messages are at that moment.
      for (let turn = 0; turn < round; turn++) await new Promise((resolve) => setImmediate(resolve));
      const got: unknown[] = [];
      const take = (): boolean => {
        for (const letter of run.letters.slice(got.length)) {
          got.push(letter.message.parts[0]);
          letter.taken();
        }
        return run.request.steering?.close() === true;
      };
      await until(take);
      run.complete();
      const replies = await sent;
      const history = (await first).json.result?.task?.history?.slice(1).map(({ parts }) => parts[0]);
      const answered = replies.filter(({ json }) => json.result !== undefined).length;
      assert.deepEqual(got, history);
      assert.equal(answered, got.length);
      for (const { json } of replies) if (json.error !== undefined) assert.equal(json.error.code, -32004);
    }
  });

  it("that comes again leads to the same task and reaches the run once", async () => {
    const { first, run, taskId } = await atWork();
    const params = textParams("in blue", { taskId });
    const sends = [call(server.port, "SendMessage", params)];
    const letter = await heard(run, 1);
    sends.push(call(server.port, "SendMessage", params));
    letter.taken();
    const acknowledged = await call(server.port, "SendMessage", {
      ...params,
      configuration: { returnImmediately: true },
    });
    assert.equal(acknowledged.json.result?.task?.id, taskId);
    assert.equal(run.letters.length, 1);
    run.complete();
    for (const { json } of await Promise.all([...sends, first])) assert.equal(json.result?.task?.history?.length, 2);
  });

  it("speaks the older wire as well", async () => {
    const { first, run, taskId } = await atWork();
    const message = {
      kind: "message",
      messageId: "old",
      role: "user",
      parts: [{ kind: "text", text: "in blue" }],
      taskId,
    };
    const second = call(server.port, "message/send", { message });
    (await heard(run, 1)).taken();
    run.complete();
    const { result } = (await second).json;
    assert.deepEqual([result?.id, result?.status?.state], [taskId, "completed"]);
    await first;
  });

  it("is no turn of its context", async () => {
    await server.stop();
    server = await startTestServer({
      steerable: true,
      callerLimits: () => ({ ratePerMin: 0, maxTurns: 1, chain: { sessionId: "here", maxHops: 4 } }),
    });
    const { first, run, steer } = await atWork();
    const second = steer("in blue");
    (await heard(run, 1)).taken();
    run.complete();
    assert.equal((await second).json.result?.task?.status.state, "TASK_STATE_COMPLETED");
    await first;
  });

  it("is busy with the number of those that wait when too many do", async () => {
    const { first, run, steer } = await atWork();
    const waiting = Array.from({ length: 8 }, (_, n) => steer(String(n), { returnImmediately: true }));
    await Promise.all(waiting);
    const ninth = await steer("9");
    assert.equal(ninth.status, 503);
    assert.equal(ninth.json.error?.code, -32053);
    for (const letter of run.letters) letter.taken();
    run.complete();
    await first;
  });
});

async function heard({ letters }: RunHandle, count: number) {
  await until(() => letters.length >= count);
  return letters[count - 1] ?? assert.fail();
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

function kindOf({ task, statusUpdate, artifactUpdate }: WireResult): string | undefined {
  if (task !== undefined) return "task";
  return artifactUpdate === undefined ? statusUpdate?.status.state : "artifact";
}
