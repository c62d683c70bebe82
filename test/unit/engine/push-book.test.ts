import assert from "node:assert/strict";
import { createPushBook, MAX_BOOK_BYTES } from "../../../src/engine/push-book.ts";
import type { PushSetEvent } from "../../../src/engine/push-event.ts";

const URL = "https://hooks.example.com/";
const HALF = "x".repeat(MAX_BOOK_BYTES / 2);

function setOf(taskId: string, token = ""): PushSetEvent {
  return { kind: "push-set", taskId, contextId: "c", at: 0, config: { taskId, id: "a", url: URL, token } };
}

describe("push book", () => {
  it("has as much room as before after changes of tasks that were let go meanwhile, however these end", () => {
    for (const end of ["done", "failed"] as const) {
      const book = createPushBook();
      const change = book.plan(setOf("gone", HALF));
      book.forget("gone");
      change[end]();
      assert.equal(book.kept("gone"), undefined);
      book.plan(setOf("t", HALF)).done();
      assert.throws(() => book.assertRoom("u", { url: URL, token: HALF }), { code: "BUSY" });
      book.assertRoom("u", { url: URL });
    }
  });

  it("tells a task that never had a webhook from one whose last was deleted", () => {
    const book = createPushBook();
    assert.equal(book.kept("t"), undefined);
    book.plan(setOf("t")).done();
    book.plan({ kind: "push-deleted", taskId: "t", contextId: "c", at: 0, configId: "a" }).done();
    assert.equal(book.kept("t")?.size, 0);
  });
});
