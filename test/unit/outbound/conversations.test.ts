import assert from "node:assert/strict";
import { A2aError } from "../../../src/core/platform/errors.ts";
import type { TaskState } from "../../../src/core/protocol/types.ts";
import { createConversations, refusedAnswer } from "../../../src/outbound/conversations.ts";
import { callResult } from "../../support/fake-client.ts";

const { peer } = callResult();
const OTHER = { ...peer, url: "http://127.0.0.1:9911" };

describe("the conversations of a client", () => {
  const noted = (state: TaskState, fields: Parameters<typeof callResult>[0] = {}) => {
    const conversations = createConversations();
    conversations.note(callResult({ state, ...fields }));
    return conversations;
  };

  it("link a follow-up to the task that waits for an answer or a login (C27)", () => {
    for (const state of ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] as const) {
      assert.deepEqual(noted(state).linkOf(peer, { contextId: "ctx-1" }), { taskId: "task-1" });
    }
  });

  it("refer to the task before, once it has ended", () => {
    for (const state of ["TASK_STATE_COMPLETED", "TASK_STATE_FAILED"] as const) {
      assert.deepEqual(noted(state).linkOf(peer, { contextId: "ctx-1" }), { referenceTaskIds: ["task-1"] });
    }
  });

  it("link nothing on first contact, to other contexts, to other peers, and to a task at work (C26)", () => {
    const asking = noted("TASK_STATE_INPUT_REQUIRED");
    assert.deepEqual(asking.linkOf(peer, {}), {});
    assert.deepEqual(asking.linkOf(peer, { contextId: "ctx-2" }), {});
    assert.deepEqual(asking.linkOf(OTHER, { contextId: "ctx-1" }), {});
    assert.deepEqual(noted("TASK_STATE_WORKING").linkOf(peer, { contextId: "ctx-1" }), {});
  });

  it("take a peer by its address, whatever it is called and however that ends", () => {
    const asking = noted("TASK_STATE_INPUT_REQUIRED");
    const link = asking.linkOf({ ...peer, name: "x", url: `${peer.url}/` }, { contextId: "ctx-1" });
    assert.deepEqual(link, { taskId: "task-1" });
  });

  it("know when the task asked what it waits with, and that of no other task", () => {
    const asking = noted("TASK_STATE_INPUT_REQUIRED", { timestamp: "then" });
    assert.equal(asking.askedAt(peer, "ctx-1", "task-1"), "then");
    assert.equal(asking.askedAt(peer, "ctx-1", "task-2"), undefined);
    assert.equal(asking.askedAt(peer, undefined, "task-1"), undefined);
  });

  it("let an explicit task id win", () => {
    const link = noted("TASK_STATE_INPUT_REQUIRED").linkOf(peer, { contextId: "ctx-1", taskId: "task-9" });
    assert.deepEqual(link, { taskId: "task-9" });
  });

  it("follow the newest task, and forget it when told or when a Message came instead", () => {
    const conversations = noted("TASK_STATE_INPUT_REQUIRED");
    conversations.note(callResult({ state: "TASK_STATE_INPUT_REQUIRED", taskId: "task-2" }));
    assert.deepEqual(conversations.linkOf(peer, { contextId: "ctx-1" }), { taskId: "task-2" });
    const { taskId: _, ...message } = callResult();
    conversations.note(message);
    assert.deepEqual(conversations.linkOf(peer, { contextId: "ctx-1" }), {});
    conversations.note(callResult());
    conversations.forget(peer, "ctx-1");
    assert.deepEqual(conversations.linkOf(peer, { contextId: "ctx-1" }), {});
  });

  it("are bounded: the one used longest ago goes", () => {
    const conversations = noted("TASK_STATE_COMPLETED");
    for (let count = 2; count <= 501; count++) {
      if (count === 400) conversations.note(callResult());
      conversations.note(callResult({ contextId: `ctx-${count}` }));
    }
    assert.deepEqual(conversations.linkOf(peer, { contextId: "ctx-1" }), { referenceTaskIds: ["task-1"] });
    assert.deepEqual(conversations.linkOf(peer, { contextId: "ctx-2" }), {});
    assert.deepEqual(conversations.linkOf(peer, { contextId: "ctx-3" }), { referenceTaskIds: ["task-1"] });
  });
});

describe("an answer that the peer refuses", () => {
  const refusal = (rpcCode: string) => new A2aError("PEER_ERROR", "worker: task has ended", { metadata: { rpcCode } });

  it("says how to go on when the task is gone or has ended", () => {
    for (const code of ["-32001", "-32004"]) {
      const error = refusedAnswer(refusal(code), { taskId: "task-1" });
      assert.equal(error?.message, "worker: task has ended");
      assert.match(error?.hint ?? "", /Task task-1 takes no answer any more\. Call again with the context id alone/);
    }
  });

  it("is no other error, and no refusal of another message", () => {
    assert.equal(refusedAnswer(refusal("-32602"), { taskId: "task-1" }), undefined);
    assert.equal(refusedAnswer(refusal("-32001"), { referenceTaskIds: ["task-1"] }), undefined);
    assert.equal(refusedAnswer(new A2aError("PEER_TIMEOUT", "x"), { taskId: "task-1" }), undefined);
  });
});
