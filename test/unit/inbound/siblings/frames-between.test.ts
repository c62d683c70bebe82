import assert from "node:assert/strict";
import type { StreamResponse, Task } from "../../../../src/core/protocol/types.ts";
import { foldFrame, framesBetween } from "../../../../src/inbound/siblings/frames-between.ts";
import { agentMessage, artifact, CONTEXT_ID, status, TASK_ID, task } from "../../../support/builders.ts";

function after(before: Task, frames: readonly StreamResponse[]): Task | undefined {
  return frames.reduce<Task | undefined>(foldFrame, before);
}

describe("frames between two moments of a task", () => {
  const one = artifact({ artifactId: "one", parts: [{ text: "1" }] });
  const two = artifact({ artifactId: "two", parts: [{ text: "2" }] });

  it("are none where nothing is new, in whatever order members stand", () => {
    const before = { ...task(), artifacts: [one], metadata: { a: 1, b: 2 } };
    const { parts, artifactId } = one;
    assert.deepEqual(framesBetween(before, before), []);
    assert.deepEqual(
      framesBetween(before, { ...before, artifacts: [{ parts, artifactId }], metadata: { b: 2, a: 1 } }),
      [],
    );
  });

  it("lead from one to the other: new and changed artifacts, then the status with the metadata", () => {
    const before: Task = { ...task(), artifacts: [one] };
    const ended: Task = {
      ...before,
      status: status("TASK_STATE_COMPLETED", { message: agentMessage() }),
      artifacts: [{ ...one, parts: [{ text: "1 and more" }] }, two],
      metadata: { tokens: 3 },
    };
    const frames = framesBetween(before, ended);
    assert.deepEqual(
      frames.map((frame) => Object.keys(frame)[0]),
      ["artifactUpdate", "artifactUpdate", "statusUpdate"],
    );
    assert.deepEqual(after(before, frames), ended);
    assert.deepEqual(frames.at(-1), {
      statusUpdate: { taskId: TASK_ID, contextId: CONTEXT_ID, status: ended.status, metadata: { tokens: 3 } },
    });
  });

  it("say of an artifact of a task at work that more may come", () => {
    const [frame] = framesBetween(task(), { ...task(), artifacts: [one] });
    assert.ok(frame !== undefined && "artifactUpdate" in frame);
    assert.deepEqual([frame.artifactUpdate.append, frame.artifactUpdate.lastChunk], [false, false]);
  });
});
