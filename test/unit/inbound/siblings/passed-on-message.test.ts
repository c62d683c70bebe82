import assert from "node:assert/strict";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import type { StreamResponse, Task } from "../../../../src/core/protocol/types.ts";
import type { Engine } from "../../../../src/engine/engine-types.ts";
import type { Siblings } from "../../../../src/engine/siblings/siblings.ts";
import type { Operations } from "../../../../src/inbound/operations.ts";
import { sendMessage, sendStreamingMessage } from "../../../../src/inbound/siblings/passed-on-message.ts";
import type { SharedDeps } from "../../../../src/inbound/siblings/shared-deps.ts";
import type { SiblingCall } from "../../../../src/inbound/siblings/sibling-client.ts";
import type { TaskPlace } from "../../../../src/inbound/siblings/task-places.ts";
import { createStreamSlots } from "../../../../src/inbound/stream-slots.ts";
import type { TaskStream } from "../../../../src/inbound/task-stream.ts";
import { completedTask, TASK_ID, task, userMessage } from "../../../support/builders.ts";
import { ALICE } from "../../../support/engine-rig.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const DOOR = { origin: "http://127.0.0.1:1", secret: "s" };
const MESSAGE = userMessage({ taskId: TASK_ID });
const LOST = new A2aError("PEER_UNREACHABLE", "closed the connection");
const ARRIVAL = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01` };

/** Its task was at another session, which is lost with the message; `after` is where it is then. */
function lose({ after, found = task() }: { readonly after: TaskPlace; readonly found?: Task }) {
  const seen = { calls: [] as SiblingCall[], sentHere: 0 };
  const elsewhere: TaskPlace = {
    ...{ task: task(), key: "k", door: DOOR },
    unreached: () => new A2aError("BUSY", "held by another session"),
  };
  const places = [elsewhere, after];
  const lost = async (call: SiblingCall): Promise<never> => {
    seen.calls.push(call);
    throw LOST;
  };
  const deps: SharedDeps = {
    engine: { get: async () => found, settled: async () => completedTask() } as unknown as Engine,
    siblings: {} as Siblings,
    places: { find: async () => places.shift() ?? after },
    client: { call: lost, open: lost },
    clock: createFakeClock(),
    pollMs: () => 1000,
  };
  const stream: TaskStream = { next: async () => undefined, close: () => undefined };
  const local = {
    async sendMessage() {
      seen.sentHere += 1;
      return { task: task() };
    },
    async sendStreamingMessage() {
      seen.sentHere += 1;
      return stream;
    },
  } as unknown as Operations;
  const send = { caller: ALICE, params: { message: MESSAGE }, arrival: ARRIVAL, taskId: TASK_ID };
  return {
    seen,
    send: () => sendMessage(deps, local, { ...send, signal: new AbortController().signal }),
    stream: (streams = createStreamSlots()) => sendStreamingMessage(deps, local, send, streams),
  };
}

const TAKEN = { ...completedTask(), history: [MESSAGE] };

describe("a message for a session that is lost with it", () => {
  it("is taken here when that session has died without having it", async () => {
    const { seen, send, stream } = lose({ after: "here" });
    assert.deepEqual(await send(), { task: task() });
    await stream();
    assert.equal(seen.sentHere, 2);
  });

  it("is not taken twice: what became of the task is the answer", async () => {
    const blocking = lose({ after: "here", found: TAKEN });
    assert.deepEqual(await blocking.send(), { task: completedTask() });
    const streaming = lose({ after: "here", found: TAKEN });
    const frames: StreamResponse[] = [];
    const stream = await streaming.stream();
    for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) frames.push(frame);
    assert.deepEqual(frames, [{ task: TAKEN }]);
    assert.equal(blocking.seen.sentHere + streaming.seen.sentHere, 0);
  });

  it("is answered with who has the task when that session lives", async () => {
    const after: TaskPlace = {
      ...{ task: task(), key: "k", door: DOOR },
      unreached: () => new A2aError("BUSY", "held by another session"),
    };
    const { seen, send, stream } = lose({ after });
    const streams = createStreamSlots(1);
    await assert.rejects(send(), { code: "BUSY" });
    await assert.rejects(stream(streams), { code: "BUSY" });
    // The slot of the stream is free again.
    streams.take(ALICE.key)();
    assert.equal(seen.sentHere, 0);
  });

  it("travels as it came, in the words of A2A 1.0, without its history coming back", async () => {
    const { seen, send } = lose({ after: "here" });
    await send();
    const [call] = seen.calls;
    assert.deepEqual(call?.params, { message: MESSAGE, configuration: { historyLength: 0 } });
    assert.deepEqual([call?.method, call?.caller, call?.trace], ["SendMessage", ALICE, ARRIVAL]);
  });
});
