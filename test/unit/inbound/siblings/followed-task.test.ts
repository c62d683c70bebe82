import assert from "node:assert/strict";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import type { StreamResponse, Task, TaskState } from "../../../../src/core/protocol/types.ts";
import type { Engine } from "../../../../src/engine/engine-types.ts";
import { followTask } from "../../../../src/inbound/siblings/followed-task.ts";
import type { SiblingCall } from "../../../../src/inbound/siblings/sibling-client.ts";
import type { TaskPlace } from "../../../../src/inbound/siblings/task-places.ts";
import { CONTEXT_ID, completedTask, status, TASK_ID, task } from "../../../support/builders.ts";
import { ALICE } from "../../../support/engine-rig.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";

const DOOR = { origin: "http://127.0.0.1:1", secret: "s" };
const POLL_MS = 1000;

function elsewhere(found: Task, door: typeof DOOR | undefined = DOOR): TaskPlace {
  return { task: found, key: "k", door, unreached: () => new A2aError("BUSY", "held elsewhere") };
}

function working(note: string): Task {
  return { ...task(), status: status("TASK_STATE_WORKING", { timestamp: `2026-01-01T00:00:0${note}.000Z` }) };
}

function update(state: TaskState): StreamResponse {
  return { statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: status(state) } };
}

async function* stream(frames: readonly StreamResponse[], broken = true): AsyncGenerator<StreamResponse, void> {
  yield* frames;
  if (broken) throw new A2aError("PEER_UNREACHABLE", "closed in the middle");
}

/** `places` and `streams` in the order in which they are asked for; the last place stays. */
function follow(places: readonly TaskPlace[], streams: readonly (readonly StreamResponse[])[], found?: Task) {
  const clock = createFakeClock();
  const left = [...places];
  const open = [...streams];
  const asked: string[] = [];
  let closed = 0;
  const places_ = {
    async find(): Promise<TaskPlace> {
      asked.push("place");
      return (left.length > 1 ? left.shift() : left[0]) ?? "here";
    },
  };
  const client = {
    call: () => Promise.reject(new Error("no call is made")),
    async open({ method }: SiblingCall) {
      asked.push(method);
      const frames = open.shift();
      if (frames === undefined) throw new A2aError("PEER_UNREACHABLE", "nobody there");
      return stream(frames);
    },
  };
  const engine = { get: async () => found ?? completedTask() } as unknown as Engine;
  const followed = followTask(
    { engine, places: places_, client, clock, pollMs: () => POLL_MS },
    {
      ...{ caller: ALICE, taskId: TASK_ID, endsAtQuestion: false, abort: new AbortController() },
      onClose: () => void closed++,
    },
  );
  const rest = async (): Promise<StreamResponse[]> => {
    const frames: StreamResponse[] = [];
    for (let frame = await followed.next(); frame !== undefined; frame = await followed.next()) frames.push(frame);
    return frames;
  };
  return { followed, rest, clock, asked, closed: () => closed };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("following a task of another session", () => {
  it("goes on with what its files say when the stream breaks off and the session has ended with it", async () => {
    const { rest, closed } = follow([elsewhere(task()), elsewhere(completedTask())], [[{ task: task() }]]);
    const frames = await rest();
    assert.deepEqual(frames[0], { task: task() });
    assert.equal("statusUpdate" in (frames.at(-1) ?? {}), true);
    assert.equal(closed() > 0, true);
  });

  it("goes on with its own engine when the task was taken over", async () => {
    const { rest } = follow([elsewhere(task()), "here"], [[{ task: task() }]]);
    const last = (await rest()).at(-1);
    assert.ok(last !== undefined && "statusUpdate" in last);
    assert.equal(last.statusUpdate.status.state, "TASK_STATE_COMPLETED");
  });

  it("opens no stream sooner than at the next look when one has broken off, and repeats nothing", async () => {
    const { followed, clock, asked, rest } = follow(
      [elsewhere(task())],
      [[{ task: task() }], [{ task: task() }, update("TASK_STATE_COMPLETED")]],
    );
    assert.deepEqual(await followed.next(), { task: task() });
    const next = rest();
    await turn();
    assert.deepEqual(asked, ["place", "SubscribeToTask", "place"]);
    clock.tick(POLL_MS);
    assert.deepEqual(await next, [update("TASK_STATE_COMPLETED")]);
    assert.equal(clock.pending(), 0);
  });

  it("looks at the files at every interval while the session cannot be reached", async () => {
    const places = [working("1"), working("2"), working("2"), completedTask()].map((one) => elsewhere(one, undefined));
    // Without a door.
    const shut = places.map((place) => (place === "here" ? place : { ...place, door: undefined }));
    const { followed, clock, asked } = follow(shut, []);
    assert.deepEqual(await followed.next(), { task: working("1") });
    const second = followed.next();
    await turn();
    clock.tick(POLL_MS - 1);
    await turn();
    assert.equal(asked.length, 1);
    clock.tick(1);
    assert.deepEqual(await second, {
      statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: working("2").status },
    });
    const last = followed.next();
    for (let n = 0; n < 2; n++) {
      await turn();
      clock.tick(POLL_MS);
    }
    assert.equal("artifactUpdate" in ((await last) ?? {}) || "statusUpdate" in ((await last) ?? {}), true);
  });

  it("leaves no timer and ends quietly when it is closed while it waits", async () => {
    const place = { ...(elsewhere(task()) as Exclude<TaskPlace, "here">), door: undefined };
    const { followed, clock, closed } = follow([place], []);
    await followed.next();
    const waiting = followed.next();
    await turn();
    assert.equal(clock.pending(), 1);
    followed.close();
    assert.equal(await waiting, undefined);
    assert.deepEqual([clock.pending(), closed() > 0], [0, true]);
  });

  it("refuses a task that has ended, in the words of its own engine", async () => {
    const { followed, closed } = follow([elsewhere(completedTask())], []);
    await assert.rejects(followed.next(), { code: "UNSUPPORTED_OPERATION", message: /has ended: completed/ });
    assert.equal(closed() > 0, true);
  });
});
