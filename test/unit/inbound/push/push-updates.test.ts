import assert from "node:assert/strict";
import type { StreamResponse, Task } from "../../../../src/core/protocol/types.ts";
import type { TaskEvent } from "../../../../src/engine/task-event.ts";
import { foldEvent } from "../../../../src/engine/task-fold.ts";
import { createPushUpdates } from "../../../../src/inbound/push/push-updates.ts";
import { CONTEXT_ID, status, TASK_ID, userMessage } from "../../../support/builders.ts";

const PLACE = { taskId: TASK_ID, contextId: CONTEXT_ID, at: 0 };
const OWNER = { key: "local", name: "ip:127.0.0.1" };

const SUBMITTED: TaskEvent = {
  ...{ ...PLACE, kind: "submitted", owner: OWNER, detached: false, message: userMessage() },
  status: status("TASK_STATE_SUBMITTED"),
};
const statusEvent = (state: Task["status"]["state"]): TaskEvent => ({
  ...PLACE,
  kind: "status",
  status: status(state),
});
const WORKING = statusEvent("TASK_STATE_WORKING");
const COMPLETED = statusEvent("TASK_STATE_COMPLETED");

function piece(
  text: string,
  how: { append?: boolean; lastChunk?: boolean; provisional?: boolean; id?: string },
): TaskEvent {
  const { append = false, lastChunk = false, provisional = false, id = "reply" } = how;
  const artifact = { artifactId: id, parts: [{ text }] };
  return { ...PLACE, kind: "artifact", artifact, append, lastChunk, provisional };
}

/** What follows from these events of one task, in short. */
function told(...events: readonly TaskEvent[]): string[] {
  const updates = createPushUpdates();
  let task: Task | undefined;
  return events.flatMap((event) => {
    task = foldEvent(task, event);
    return updates.of(event, task).map(label);
  });
}

function label(frame: StreamResponse): string {
  if ("statusUpdate" in frame) return frame.statusUpdate.status.state.slice("TASK_STATE_".length);
  assert.ok("artifactUpdate" in frame);
  const { artifact, append, lastChunk } = frame.artifactUpdate;
  assert.deepEqual({ append, lastChunk }, { append: false, lastChunk: true });
  return artifact.parts.map((part) => ("text" in part ? part.text : "")).join("|");
}

describe("updates for webhooks", () => {
  it("are every status, the first one included, and no message of the caller", () => {
    const message: TaskEvent = { ...PLACE, kind: "message", message: userMessage() };
    assert.deepEqual(told(SUBMITTED, WORKING, message, WORKING, COMPLETED), [
      "SUBMITTED",
      "WORKING",
      "WORKING",
      "COMPLETED",
    ]);
  });

  it("hold live text only when it is whole", () => {
    const events = [
      piece("He", { provisional: true }),
      piece("llo", { provisional: true, append: true }),
      piece("!", { append: true, lastChunk: true }),
    ];
    assert.deepEqual(told(SUBMITTED, ...events), ["SUBMITTED", "Hello!"]);
  });

  it("hold an artifact that comes in stored pieces once, at its last one", () => {
    const events = [piece("one ", {}), piece("two", { append: true, lastChunk: true })];
    assert.deepEqual(told(SUBMITTED, ...events, COMPLETED), ["SUBMITTED", "one two", "COMPLETED"]);
  });

  it("hold what was never completed before the task ends or asks, and once only", () => {
    const ask = statusEvent("TASK_STATE_INPUT_REQUIRED");
    assert.deepEqual(told(SUBMITTED, piece("half", { provisional: true }), WORKING, ask, COMPLETED), [
      "SUBMITTED",
      "WORKING",
      "half",
      "INPUT_REQUIRED",
      "COMPLETED",
    ]);
  });

  it("carry the metadata of the task with the status that follows it", () => {
    const updates = createPushUpdates();
    const task = foldEvent(undefined, SUBMITTED);
    assert.deepEqual(updates.of({ ...PLACE, kind: "metadata", metadata: { a: 1 } }, task), []);
    assert.deepEqual(updates.of({ ...PLACE, kind: "metadata", metadata: { b: 2 } }, task), []);
    const told = [WORKING, COMPLETED].flatMap((event) => updates.of(event, task));
    assert.deepEqual(
      told.map((frame) => "statusUpdate" in frame && frame.statusUpdate.metadata),
      [{ a: 1, b: 2 }, undefined],
    );
  });

  it("keep tasks apart", () => {
    const updates = createPushUpdates();
    const task = foldEvent(undefined, SUBMITTED);
    updates.of(piece("x", { provisional: true }), task);
    assert.deepEqual(updates.of({ ...COMPLETED, taskId: "other" }, { ...task, id: "other" }).map(label), ["COMPLETED"]);
  });

  it("hold what came before a webhook was there to hear of it", () => {
    const updates = createPushUpdates();
    const events = [
      SUBMITTED,
      piece("half", { provisional: true }),
      { ...PLACE, kind: "metadata" as const, metadata: { a: 1 } },
    ];
    const task = events.reduce<Task | undefined>(foldEvent, undefined);
    for (const event of events) updates.pass(event);
    assert.ok(task);
    const told = updates.of(COMPLETED, task);
    assert.deepEqual(told.map(label), ["half", "COMPLETED"]);
    assert.deepEqual("statusUpdate" in (told[1] ?? {}) && told[1], {
      statusUpdate: {
        taskId: TASK_ID,
        contextId: CONTEXT_ID,
        status: status("TASK_STATE_COMPLETED"),
        metadata: { a: 1 },
      },
    });
    assert.equal(updates.tasks, 0);
  });

  it("forget a task that has ended", () => {
    const updates = createPushUpdates();
    const task = foldEvent(undefined, SUBMITTED);
    for (const event of [SUBMITTED, WORKING]) updates.of(event, task);
    assert.equal(updates.tasks, 0);
    updates.of(piece("x", { provisional: true }), task);
    assert.equal(updates.tasks, 1);
    updates.of(COMPLETED, task);
    assert.equal(updates.tasks, 0);
  });

  it("hold no live text that only seems to be whole", () => {
    assert.deepEqual(told(SUBMITTED, piece("x", { provisional: true, lastChunk: true })), ["SUBMITTED"]);
  });
});
