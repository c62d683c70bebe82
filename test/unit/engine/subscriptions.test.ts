import assert from "node:assert/strict";
import { MAX_BEHIND_BYTES, openFeed } from "../../../src/engine/subscriptions.ts";
import type { StatusEvent } from "../../../src/engine/task-event.ts";
import { CONTEXT_ID, status, TASK_ID, task, textMessage } from "../../support/builders.ts";

function event(at: number, text = ""): StatusEvent {
  const message = textMessage(text);
  return {
    kind: "status",
    taskId: TASK_ID,
    contextId: CONTEXT_ID,
    at,
    status: status("TASK_STATE_WORKING", { message }),
  };
}

describe("subscriptions", () => {
  it("gives the snapshot, then every event in order", async () => {
    const feed = openFeed(task(), () => undefined);
    assert.deepEqual(feed.snapshot(), task());
    feed.push(event(1));
    feed.push(event(2));
    assert.equal((await feed.next())?.at, 1);
    assert.equal((await feed.next())?.at, 2);
  });

  it("gives events in order to readers that wait", async () => {
    const feed = openFeed(task(), () => undefined);
    const reads = [feed.next(), feed.next()];
    feed.push(event(1));
    feed.push(event(2));
    assert.deepEqual(
      (await Promise.all(reads)).map((read) => read?.at),
      [1, 2],
    );
  });

  it("lets what was pushed before the end be read, then says why it ended", async () => {
    const ends: unknown[] = [];
    const feed = openFeed(task(), (ended) => ends.push(ended));
    feed.push(event(1));
    feed.end("terminal");
    feed.push(event(2));
    assert.equal(feed.ended(), undefined);
    assert.equal((await feed.next())?.at, 1);
    assert.equal(await feed.next(), undefined);
    assert.equal(await feed.next(), undefined);
    assert.equal(feed.ended(), "terminal");
    assert.deepEqual(ends, [feed]);
  });

  it("wakes a waiting reader at the end and at closing", async () => {
    for (const [end, why] of [
      ["terminal", "terminal"],
      ["stopped", "stopped"],
      ["close", "closed"],
    ] as const) {
      const feed = openFeed(task(), () => undefined);
      const read = feed.next();
      if (end === "close") feed.close();
      else feed.end(end);
      assert.equal(await read, undefined);
      assert.equal(feed.ended(), why);
    }
  });

  it("forgets what was unread when it is closed", async () => {
    const feed = openFeed(task(), () => undefined);
    feed.push(event(1));
    feed.end("terminal");
    feed.close();
    assert.equal(await feed.next(), undefined);
    assert.equal(feed.ended(), "terminal");
  });

  it("ends a reader that is more than 4 MiB behind, and frees what it had not read", async () => {
    let ended = 0;
    const feed = openFeed(task(), () => ended++);
    const mib = "x".repeat(1024 * 1024);
    for (let n = 0; n < 5; n++) feed.push(event(n, mib));
    assert.equal(feed.ended(), "overflow");
    assert.equal(await feed.next(), undefined);
    assert.equal(ended, 1);
  });

  it("does not end a reader that keeps up, nor one whose single event is larger than the limit", async () => {
    const feed = openFeed(task(), () => undefined);
    const mib = "x".repeat(1024 * 1024);
    for (let n = 0; n < 20; n++) {
      feed.push(event(n, mib));
      assert.equal((await feed.next())?.at, n);
    }
    feed.push(event(20, "x".repeat(MAX_BEHIND_BYTES + 1)));
    assert.equal((await feed.next())?.at, 20);
    assert.equal(feed.ended(), undefined);
  });
});
