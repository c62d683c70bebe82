import assert from "node:assert/strict";
import type { Part, Task, TaskState } from "../../../src/core/protocol/types.ts";
import type { ArtifactEvent, StatusEvent, SubmittedEvent, TaskEvent } from "../../../src/engine/task-event.ts";
import { foldEvent, HISTORY_CAP } from "../../../src/engine/task-fold.ts";
import { agentMessage, CONTEXT_ID, status, TASK_ID, textMessage } from "../../support/builders.ts";

const at = Date.UTC(2026, 0, 1);
const frame = { taskId: TASK_ID, contextId: CONTEXT_ID, at };

function submitted(): SubmittedEvent {
  const owner = { key: "peer:alice", name: "alice" };
  const message = textMessage("go");
  return { kind: "submitted", ...frame, owner, detached: false, status: status("TASK_STATE_SUBMITTED"), message };
}

function statusEvent(state: TaskState, fields: Partial<StatusEvent["status"]> = {}): StatusEvent {
  return { kind: "status", ...frame, status: status(state, fields) };
}

function artifactEvent(parts: readonly Part[], fields: Partial<ArtifactEvent> = {}): ArtifactEvent {
  const artifact = { artifactId: "reply", parts };
  return { kind: "artifact", ...frame, artifact, append: false, lastChunk: false, provisional: false, ...fields };
}

function fold(...events: readonly TaskEvent[]): Task {
  let task: Task | undefined;
  for (const event of [submitted(), ...events]) task = foldEvent(task, event);
  assert.ok(task !== undefined);
  return task;
}

describe("task fold", () => {
  it("starts a task with its first message and no empty fields", () => {
    assert.deepEqual(fold(), {
      id: TASK_ID,
      contextId: CONTEXT_ID,
      status: status("TASK_STATE_SUBMITTED"),
      history: [textMessage("go")],
    });
  });

  it("starts a task from a later event when its acceptance is missing", () => {
    const task = foldEvent(undefined, statusEvent("TASK_STATE_FAILED"));
    assert.deepEqual(task, { id: TASK_ID, contextId: CONTEXT_ID, status: status("TASK_STATE_FAILED") });
  });

  it("replaces an artifact of the same id and keeps its place", () => {
    const other = artifactEvent([{ text: "b" }], { artifact: { artifactId: "other", parts: [{ text: "b" }] } });
    const { artifacts } = fold(artifactEvent([{ text: "a" }]), other, artifactEvent([{ text: "c" }]));
    assert.deepEqual(artifacts, [
      { artifactId: "reply", parts: [{ text: "c" }] },
      { artifactId: "other", parts: [{ text: "b" }] },
    ]);
  });

  it("joins appended text to one part", () => {
    const pieces = ["Hel", "lo ", "you"].map((text) => artifactEvent([{ text }], { append: true }));
    assert.deepEqual(fold(...pieces).artifacts, [{ artifactId: "reply", parts: [{ text: "Hello you" }] }]);
  });

  it("appends parts of other kinds, and text with a media type of its own, as parts", () => {
    const added: Part[] = [{ raw: "QQ==" }, { text: "x", mediaType: "text/csv" }];
    const { artifacts } = fold(
      artifactEvent([{ text: "a" }]),
      ...added.map((p) => artifactEvent([p], { append: true })),
    );
    assert.deepEqual(artifacts?.[0]?.parts, [{ text: "a" }, ...added]);
  });

  it("merges the metadata of appended pieces and of the task", () => {
    const piece = artifactEvent([{ text: "b" }], {
      append: true,
      artifact: { artifactId: "reply", parts: [{ text: "b" }], metadata: { two: 2 } },
    });
    const first = artifactEvent([], {
      artifact: { artifactId: "reply", parts: [{ text: "a" }], metadata: { one: 1 } },
    });
    const task = fold(
      first,
      piece,
      { kind: "metadata", ...frame, metadata: { a: 1, b: 1 } },
      { kind: "metadata", ...frame, metadata: { b: 2 } },
    );
    assert.deepEqual(task.artifacts?.[0]?.metadata, { one: 1, two: 2 });
    assert.deepEqual(task.metadata, { a: 1, b: 2 });
  });

  it("keeps the newest messages of a long history", () => {
    const messages = Array.from({ length: HISTORY_CAP + 5 }, (_, n) => textMessage(`answer ${n}`));
    const { history } = fold(...messages.map((message) => ({ kind: "message", ...frame, message }) as const));
    assert.equal(history?.length, HISTORY_CAP);
    assert.deepEqual(history?.at(-1), textMessage(`answer ${HISTORY_CAP + 4}`));
  });

  it("moves a question into the history once, before its answer", () => {
    const question = agentMessage({ messageId: "q" });
    const answer = textMessage("blue");
    const asks = statusEvent("TASK_STATE_INPUT_REQUIRED", { message: question });
    const task = fold(asks, { kind: "message", ...frame, message: answer }, statusEvent("TASK_STATE_WORKING"));
    assert.deepEqual(task.history, [textMessage("go"), question, answer]);
    assert.equal(task.status.message, undefined);
  });

  it("keeps an unanswered question in the history when the task ends", () => {
    const question = agentMessage({ messageId: "q" });
    const task = fold(
      statusEvent("TASK_STATE_AUTH_REQUIRED", { message: question }),
      statusEvent("TASK_STATE_CANCELED"),
    );
    assert.deepEqual(task.history?.at(-1), question);
  });

  it("leaves working notes out of the history", () => {
    const note = statusEvent("TASK_STATE_WORKING", { message: agentMessage() });
    assert.deepEqual(fold(note, statusEvent("TASK_STATE_COMPLETED")).history, [textMessage("go")]);
  });

  it("takes nothing after a terminal state", () => {
    const ended = fold(statusEvent("TASK_STATE_CANCELED"));
    const late: TaskEvent[] = [
      statusEvent("TASK_STATE_COMPLETED"),
      artifactEvent([{ text: "late" }]),
      { kind: "metadata", ...frame, metadata: { late: true } },
      { kind: "message", ...frame, message: textMessage("late") },
    ];
    for (const event of late) assert.equal(foldEvent(ended, event), ended);
  });

  it("never changes the task it was given", () => {
    const before = fold(artifactEvent([{ text: "a" }]));
    const copy = structuredClone(before);
    foldEvent(before, artifactEvent([{ text: "b" }], { append: true }));
    assert.deepEqual(before, copy);
  });
});
