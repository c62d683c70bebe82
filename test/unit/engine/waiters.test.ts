import assert from "node:assert/strict";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { createWaiters } from "../../../src/engine/waiters.ts";
import { task } from "../../support/builders.ts";

describe("waiters", () => {
  it("ends a wait for settling at a question, a wait for the end only at the end", async () => {
    const waiters = createWaiters("task-1");
    const settled = waiters.wait("settled");
    const ended = waiters.wait("ended");
    waiters.tell(task("TASK_STATE_WORKING"));
    assert.equal(waiters.size, 2);
    waiters.tell(task("TASK_STATE_INPUT_REQUIRED"));
    assert.equal((await settled).status.state, "TASK_STATE_INPUT_REQUIRED");
    assert.equal(waiters.size, 1);
    waiters.tell(task("TASK_STATE_FAILED"));
    assert.equal((await ended).status.state, "TASK_STATE_FAILED");
    assert.equal(waiters.size, 0);
  });

  it("ends a wait with CANCELLED when its signal aborts, and forgets it", async () => {
    const waiters = createWaiters("task-1");
    const stop = new AbortController();
    const waiting = waiters.wait("settled", stop.signal);
    stop.abort();
    await assert.rejects(waiting, (error) => isA2aError(error, "CANCELLED"));
    await assert.rejects(waiters.wait("settled", stop.signal), (error) => isA2aError(error, "CANCELLED"));
    assert.equal(waiters.size, 0);
  });
});
