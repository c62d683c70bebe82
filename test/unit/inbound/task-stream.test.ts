import assert from "node:assert/strict";
import type { Task } from "../../../src/core/protocol/types.ts";
import type { FirstOutput, Subscription } from "../../../src/engine/engine-types.ts";
import type { TaskEvent } from "../../../src/engine/task-event.ts";
import { createTaskStream, type TaskStream } from "../../../src/inbound/task-stream.ts";
import { agentMessage, artifact, CONTEXT_ID, status, TASK_ID, task, userMessage } from "../../support/builders.ts";

const BASE = { taskId: TASK_ID, contextId: CONTEXT_ID, at: 0 };

/** A subscription that gives these events and then ends for this reason. */
function subscription(events: TaskEvent[], why: ReturnType<Subscription["ended"]>, snapshot: Task = task()) {
  const closed = { count: 0 };
  const made: Subscription = {
    snapshot: () => snapshot,
    next: async () => (closed.count > 0 ? undefined : events.shift()),
    ended: () => (events.length === 0 ? why : undefined),
    close: () => void closed.count++,
  };
  return { made, closed };
}

interface Options {
  readonly why?: ReturnType<Subscription["ended"]>;
  readonly first?: Promise<FirstOutput>;
  readonly endsAtQuestion?: boolean;
  readonly snapshot?: Task;
}

function open(events: TaskEvent[], options: Options = {}) {
  const { made, closed } = subscription(events, options.why ?? "terminal", options.snapshot);
  let releases = 0;
  const stream = createTaskStream({
    subscription: made,
    ...(options.first === undefined ? {} : { first: options.first }),
    endsAtQuestion: options.endsAtQuestion ?? true,
    onClose: () => void releases++,
  });
  return { stream, closed, releases: () => releases };
}

async function drain(stream: TaskStream): Promise<string[]> {
  const kinds: string[] = [];
  for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) {
    kinds.push("statusUpdate" in frame ? frame.statusUpdate.status.state : (Object.keys(frame)[0] ?? ""));
  }
  return kinds;
}

const working: TaskEvent = { ...BASE, kind: "status", status: status("TASK_STATE_WORKING") };
const asking: TaskEvent = { ...BASE, kind: "status", status: status("TASK_STATE_INPUT_REQUIRED") };
const login: TaskEvent = { ...BASE, kind: "status", status: status("TASK_STATE_AUTH_REQUIRED") };
const done: TaskEvent = { ...BASE, kind: "status", status: status("TASK_STATE_COMPLETED") };
const piece: TaskEvent = {
  ...BASE,
  kind: "artifact",
  artifact: artifact(),
  append: true,
  lastChunk: false,
  provisional: true,
};

describe("createTaskStream", () => {
  it("gives the task, then its updates, and ends with the terminal state", async () => {
    const { stream, closed, releases } = open([working, piece, done, working]);
    assert.deepEqual(await drain(stream), ["task", "TASK_STATE_WORKING", "artifactUpdate", "TASK_STATE_COMPLETED"]);
    assert.ok(closed.count > 0);
    assert.ok(releases() > 0);
  });

  it("gives a direct message and ends", async () => {
    const { stream } = open([], { first: Promise.resolve({ kind: "message", message: agentMessage() }) });
    assert.deepEqual(await drain(stream), ["message"]);
  });

  it("ends at a question only when it was asked to, and never at a login", async () => {
    const events = [login, asking, done];
    assert.deepEqual(await drain(open([...events]).stream), [
      "task",
      "TASK_STATE_AUTH_REQUIRED",
      "TASK_STATE_INPUT_REQUIRED",
    ]);
    const subscribed = open([...events], { endsAtQuestion: false }).stream;
    assert.equal((await drain(subscribed)).at(-1), "TASK_STATE_COMPLETED");
  });

  it("of a message that came again says the status of a task at rest once more, and ends", async () => {
    for (const state of ["TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"] as const) {
      const { stream, closed } = open([working], { snapshot: task(state) });
      assert.deepEqual(await drain(stream), ["task", state]);
      assert.ok(closed.count > 0);
    }
    const login = open([working, done], { snapshot: task("TASK_STATE_AUTH_REQUIRED") }).stream;
    assert.deepEqual(await drain(login), ["task", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
    const subscribed = open([working, done], { snapshot: task("TASK_STATE_INPUT_REQUIRED"), endsAtQuestion: false });
    assert.deepEqual(await drain(subscribed.stream), ["task", "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]);
  });

  it("shows no frame for what has none, and sends metadata with the next status", async () => {
    const message: TaskEvent = { ...BASE, kind: "message", message: userMessage() };
    const events: TaskEvent[] = [
      message,
      { ...BASE, kind: "metadata", metadata: { a: 1 } },
      { ...BASE, kind: "metadata", metadata: { b: 2 } },
      working,
      done,
    ];
    const { stream } = open(events);
    await stream.next();
    assert.deepEqual(await stream.next(), {
      statusUpdate: {
        taskId: TASK_ID,
        contextId: CONTEXT_ID,
        status: status("TASK_STATE_WORKING"),
        metadata: { a: 1, b: 2 },
      },
    });
    assert.deepEqual(await stream.next(), {
      statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: status("TASK_STATE_COMPLETED") },
    });
  });

  it("throws when the reader fell behind or the engine stopped, and gives its slot back", async () => {
    for (const [why, code] of [
      ["overflow", "BUSY"],
      ["stopped", "SHUTTING_DOWN"],
    ] as const) {
      const { stream, releases } = open([working], { why });
      await assert.rejects(drain(stream), { code });
      assert.ok(releases() > 0);
    }
  });

  it("ends quietly when it is closed, whatever it waits for", async () => {
    const { stream, releases } = open([working], { first: new Promise(() => undefined) });
    void stream.next();
    stream.close();
    assert.equal(await stream.next(), undefined);
    assert.ok(releases() > 0);
  });
});
