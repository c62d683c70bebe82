import assert from "node:assert/strict";
import { createContextQueue } from "../../../src/engine/context-queue.ts";

describe("context queue", () => {
  it("gives the same conversation to the same owner and context, and another one to everybody else", () => {
    const contexts = createContextQueue<string>(() => undefined);
    const own = contexts.open("peer:alice", "ctx-1");
    assert.equal(contexts.open("peer:alice", "ctx-1"), own);
    assert.notEqual(contexts.open("peer:bob", "ctx-1"), own);
    assert.notEqual(contexts.open("peer:alice", "ctx-2"), own);
  });

  it("keeps owners apart whatever characters names and contexts hold", () => {
    const contexts = createContextQueue<string>(() => undefined);
    assert.notEqual(contexts.open("peer:a", "b:c"), contexts.open("peer:a:b", "c"));
    assert.notEqual(contexts.open("1:x", "y"), contexts.open("1", "x:y"));
  });

  it("forgets a conversation only when nothing needs it", () => {
    const contexts = createContextQueue<string>(() => undefined);
    const conversation = contexts.open("peer:alice", "ctx-1");
    conversation.tasks = 1;
    contexts.tidy(conversation);
    assert.equal(contexts.size, 1);
    conversation.tasks = 0;
    conversation.active = "run";
    contexts.tidy(conversation);
    assert.equal(contexts.size, 1);
    conversation.active = undefined;
    contexts.tidy(conversation);
    assert.equal(contexts.size, 0);
  });
});
