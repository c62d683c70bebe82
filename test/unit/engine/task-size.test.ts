import assert from "node:assert/strict";
import { eventBytes, taskBytes } from "../../../src/engine/task-size.ts";
import { artifact, CONTEXT_ID, completedTask, status, TASK_ID, task, textMessage } from "../../support/builders.ts";

const frame = { taskId: TASK_ID, contextId: CONTEXT_ID, at: 0 };
const owner = { key: "local", name: "local" };
const MIB = 1024 * 1024;

/** Within a few hundred bytes above the content. */
function assertNear(actual: number, content: number): void {
  assert.ok(actual >= content && actual < content + 600, `${actual} for ${content} bytes of content`);
}

describe("task size", () => {
  it("counts texts, raw and data of a task wherever they stand", () => {
    const long = "x".repeat(MIB);
    assertNear(taskBytes(completedTask(long)), MIB);
    assertNear(taskBytes(task("TASK_STATE_WORKING", { history: [textMessage(long)] })), MIB);
    assertNear(
      taskBytes(task("TASK_STATE_FAILED", { status: status("TASK_STATE_FAILED", { message: textMessage(long) }) })),
      MIB,
    );
    assertNear(taskBytes(task("TASK_STATE_WORKING", { metadata: { long } })), MIB);
    assertNear(
      taskBytes(task("TASK_STATE_WORKING", { artifacts: [artifact({ parts: [{ raw: long }, { data: long }] })] })),
      2 * MIB,
    );
  });

  it("counts every kind of event", () => {
    const long = "x".repeat(MIB);
    const message = textMessage(long);
    const piece = { append: true, lastChunk: false, provisional: true };
    assertNear(eventBytes({ kind: "submitted", ...frame, owner, detached: false, status: status(), message }), MIB);
    assertNear(eventBytes({ kind: "message", ...frame, message }), MIB);
    assertNear(eventBytes({ kind: "status", ...frame, status: status("TASK_STATE_WORKING", { message }) }), MIB);
    assertNear(eventBytes({ kind: "metadata", ...frame, metadata: { long } }), MIB);
    const linked = artifact({ parts: [{ url: long }], description: long });
    assertNear(eventBytes({ kind: "artifact", ...frame, artifact: linked, ...piece }), 2 * MIB);
  });
});
