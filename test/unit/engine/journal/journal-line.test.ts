import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeKeptTask } from "../../../../src/core/protocol/decode-kept.ts";
import { taskJson } from "../../../../src/core/protocol/encode.ts";
import type { Task } from "../../../../src/core/protocol/types.ts";
import type { StoredEntry } from "../../../../src/engine/event-sink.ts";
import { decodeBody, decodeHead, encodeLine } from "../../../../src/engine/journal/journal-line.ts";
import { decodePushEvent, decodeTaskEvent } from "../../../../src/engine/journal/kept-event.ts";
import type { SubmittedEvent, TaskEvent } from "../../../../src/engine/task-event.ts";
import { completedTask, userMessage } from "../../../support/builders.ts";
import { lineBytes } from "../../../support/journal-lines.ts";
import { task as anyTask } from "../../../support/wire-arbitraries.ts";

const FRAME = { taskId: "task-1", contextId: "ctx-1", at: 1000 };
const OWNER = { key: "peer:alice", name: "alice" };
const SUBMITTED: SubmittedEvent = {
  ...{ kind: "submitted", ...FRAME, owner: OWNER, detached: true, dialect: "0.3" },
  status: { state: "TASK_STATE_SUBMITTED", timestamp: "2026-01-01T00:00:00.000Z" },
  message: userMessage({ metadata: { a: [1, null, { b: "c" }] } }),
};

function headOf(line: Buffer): ReturnType<typeof decodeHead> {
  return decodeHead(line.subarray(0, -1));
}

describe("journal line", () => {
  it("tells in its head which task it is about and when, and holds the event", () => {
    const events: TaskEvent[] = [
      SUBMITTED,
      { kind: "message", ...FRAME, message: userMessage() },
      { kind: "status", ...FRAME, status: { state: "TASK_STATE_INPUT_REQUIRED", message: userMessage() } },
      {
        ...{ kind: "artifact", ...FRAME, append: true, lastChunk: false, provisional: false },
        artifact: { artifactId: "a", parts: [{ text: "x" }] },
      },
      { kind: "metadata", ...FRAME, metadata: { usage: 1 } },
    ];
    for (const event of events) {
      const line = lineBytes({ event }, 7);
      assert.deepEqual(headOf(line), { kind: "event", taskId: "task-1", at: 1000, n: 7 });
      assert.deepEqual(decodeTaskEvent(decodeBody(line)), event);
    }
  });

  it("holds changes of webhooks", () => {
    const config = {
      taskId: "task-1",
      id: "a",
      url: "https://a/",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    for (const event of [
      { kind: "push-set", ...FRAME, config } as const,
      { kind: "push-deleted", ...FRAME, configId: "a" } as const,
    ]) {
      const line = lineBytes({ event }, 1);
      assert.equal(headOf(line)?.kind, "push");
      assert.deepEqual(decodePushEvent(decodeBody(line)), event);
    }
  });

  it("holds the whole task with its end, and of a direct reply what was sent, too", () => {
    const task = completedTask();
    const event = { kind: "status", ...FRAME, status: task.status } as const;
    const line = lineBytes({ event, end: { task, owner: OWNER, ranAt: 900 } }, 3);
    assert.deepEqual(headOf(line), {
      ...{ kind: "end", taskId: "task-1", at: 1000, n: 3, contextId: "ctx-1", ownerKey: "peer:alice" },
      ...{ state: "TASK_STATE_COMPLETED", ranAt: 900 },
    });
    assert.deepEqual(decodeBody(line), task);
    const reply: StoredEntry = {
      event: { kind: "direct-reply", ...FRAME, owner: OWNER, message: userMessage() },
      end: { task, owner: OWNER },
    };
    assert.equal(headOf(lineBytes(reply, 3))?.kind, "end");
    assert.deepEqual(decodeBody(lineBytes(reply, 3)), { task, reply: userMessage() });
  });

  it("is one line whatever its texts hold, and is no line when a byte is missing or two halves are glued", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), fc.nat(), (contextId, text, at) => {
        const event: TaskEvent = {
          ...SUBMITTED,
          contextId,
          message: userMessage({ parts: [{ text: `${text},"b":` }] }),
        };
        const task = { ...completedTask(), contextId, history: [event.message] };
        const end = { task, owner: { key: `${text},"b":{`, name: text } };
        for (const entry of [
          { event },
          { event: { kind: "status", ...FRAME, contextId, status: task.status }, end } as const,
        ]) {
          const line = lineBytes(entry, 1);
          assert.equal(line.indexOf("\n"), line.length - 1);
          assert.ok(headOf(line) !== undefined);
          const cut = at % (line.length - 1);
          assert.equal(decodeHead(line.subarray(0, cut)), undefined);
          assert.equal(decodeHead(line.subarray(cut + 1, -1)), undefined);
          const glued = Buffer.concat([line.subarray(0, cut), line.subarray(0, -1)]);
          if (cut > 0) assert.equal(decodeHead(glued), undefined);
        }
      }),
    );
  });

  it("keeps any task as it reads on the wire, with the dialect that it was made in, and knows its own size", () => {
    fc.assert(
      fc.property(anyTask, fc.constantFrom("0.3", "pi", undefined), (task, dialect) => {
        const kept: Task = dialect === undefined ? task : { ...task, dialect };
        const event = { kind: "status", ...FRAME, status: task.status } as const;
        const line = encodeLine({ event, end: { task: kept, owner: OWNER } }, 1);
        const bytes = Buffer.from(line.text);
        assert.equal(bytes.length, line.bytes);
        const read = decodeKeptTask(decodeBody(bytes));
        assert.equal(taskJson(read), taskJson(task));
        assert.equal(read.dialect, dialect);
        const given = encodeLine({ event, end: { task: kept, owner: OWNER, json: taskJson(kept) } }, 1);
        assert.deepEqual(given, line);
      }),
    );
  });

  it("keeps a task without a context, which the wire leaves out", () => {
    const task = { ...completedTask(), contextId: "" };
    const event = { kind: "status", ...FRAME, contextId: "", status: task.status } as const;
    assert.deepEqual(decodeBody(lineBytes({ event, end: { task, owner: OWNER } }, 1)), task);
  });

  it("is none of garbage", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        assert.equal(decodeHead(Buffer.from(bytes)), undefined);
      }),
    );
    const heads = [
      '{"k":"end","id":"a","at":1,"n":1,"size":2',
      '{"k":"end","id":"a","at":1,"n":1,"own":"o","ctx":"c","state":"DONE","size":2',
      '{"k":"event","id":1,"at":1,"n":1,"size":2',
      '{"k":"event","id":"a","at":-1,"n":1,"size":2',
      '{"k":"event","id":"a","at":1,"size":2',
      '{"k":"other","id":"a","at":1,"n":1,"size":2',
      "[1",
    ];
    for (const head of heads) assert.equal(decodeHead(Buffer.from(`${head},"b":{}}`)), undefined, head);
  });

  it("with an event that was damaged inside is refused when it is read", () => {
    for (const body of [null, 1, {}, { ...SUBMITTED, at: "x" }, { ...SUBMITTED, owner: {} }, { ...FRAME, kind: "x" }]) {
      assert.throws(() => decodeTaskEvent(body), /damaged/);
      assert.throws(() => decodePushEvent(body), /damaged/);
    }
  });
});
