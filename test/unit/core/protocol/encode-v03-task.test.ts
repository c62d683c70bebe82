import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeStreamResponse, decodeTask } from "../../../../src/core/protocol/decode-task.ts";
import {
  encodeV03Frame,
  encodeV03PushConfig,
  encodeV03SendResult,
  encodeV03Task,
} from "../../../../src/core/protocol/encode-v03-task.ts";
import type { Json } from "../../../../src/core/protocol/types.ts";
import {
  agentMessage,
  artifactUpdate,
  completedTask,
  statusUpdate,
  task as taskOf,
  userMessage,
} from "../../../support/builders.ts";
import { streamResponse, task } from "../../../support/wire-arbitraries.ts";

/** Every object below `value`. */
function objectsIn(value: Json | undefined): Record<string, Json>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (typeof value !== "object" || value === null) return [];
  return [value as Record<string, Json>, ...Object.values(value).flatMap(objectsIn)];
}

describe("writing tasks of A2A 0.3", () => {
  it("names nothing of 1.0, whatever the task holds", () => {
    const plain = task.map((value) => ({ ...value, metadata: {} }));
    fc.assert(
      fc.property(plain, (value) => {
        const { status, ...rest } = encodeV03Task(value) as Record<string, Json>;
        assert.equal(rest.kind, "task");
        assert.match(String((status as Record<string, Json>).state), /^[a-z]+(-[a-z]+)?$/);
        for (const { role } of objectsIn(rest.history))
          if (role !== undefined) assert.match(String(role), /^(user|agent)$/);
      }),
    );
  });

  it("is read back by a client that knows both", () => {
    fc.assert(
      fc.property(task, (value) => {
        const { id, status, contextId } = decodeTask(encodeV03Task(value), "result");
        assert.deepEqual([id, contextId, status.state], [value.id, value.contextId, value.status.state]);
      }),
    );
    fc.assert(
      fc.property(streamResponse, (frame) => {
        const read = decodeStreamResponse(encodeV03Frame(frame, false));
        assert.deepEqual(Object.keys(read), Object.keys(frame));
      }),
    );
  });

  it("is bare in the result of a send", () => {
    assert.equal(encodeV03SendResult({ task: completedTask() }).kind, "task");
    assert.equal(encodeV03SendResult({ message: agentMessage() }).kind, "message");
  });

  it("says final in each status, and append and lastChunk in each artifact", () => {
    const status = encodeV03Frame({ statusUpdate: statusUpdate() }, true);
    assert.deepEqual([status.kind, status.final], ["status-update", true]);
    const artifact = encodeV03Frame({ artifactUpdate: artifactUpdate({ append: true }) }, false);
    assert.deepEqual([artifact.kind, artifact.append, artifact.lastChunk], ["artifact-update", true, false]);
  });

  it("has as much history as was asked for", () => {
    const value = taskOf("TASK_STATE_WORKING", { history: [userMessage(), agentMessage()] });
    assert.equal(encodeV03Task(value, { historyLength: 0 }).history, undefined);
    assert.deepEqual((encodeV03Task(value, { historyLength: 1 }).history as { role: string }[])[0]?.role, "agent");
  });

  it("never gives the credentials of a webhook back", () => {
    const authentication = { scheme: "Bearer", credentials: "s3cret" };
    assert.deepEqual(encodeV03PushConfig({ taskId: "t", id: "c", url: "u", authentication }), {
      ...{ taskId: "t", pushNotificationConfig: { id: "c", url: "u", authentication: { schemes: ["Bearer"] } } },
    });
  });
});
