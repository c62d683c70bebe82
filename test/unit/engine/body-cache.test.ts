import assert from "node:assert/strict";
import { taskJson } from "../../../src/core/protocol/encode.ts";
import type { Task } from "../../../src/core/protocol/types.ts";
import { createBodyCache } from "../../../src/engine/body-cache.ts";
import { completedTask } from "../../support/builders.ts";

function taskOf(n: number, chars = 1_000): Task {
  return {
    ...completedTask(),
    id: `task-${n}`,
    artifacts: [{ artifactId: "a", parts: [{ text: "x".repeat(chars) }] }],
  };
}

describe("body cache", () => {
  it("holds what was used last, within its bound", () => {
    const cache = createBodyCache(20_000);
    for (let n = 0; n < 100; n++) {
      cache.put(taskOf(n));
      assert.ok(cache.get("task-0") !== undefined, "what is asked for again and again stays");
    }
    const held = Array.from({ length: 100 }, (_, n) => cache.get(`task-${n}`)).filter((task) => task !== undefined);
    assert.ok(held.length > 3 && held.length < 20, `${held.length} tasks`);
    assert.equal(cache.get("task-99")?.id, "task-99");
  });

  it("holds the text of a task, and reads it only when it is asked for", () => {
    const cache = createBodyCache();
    const task: Task = { ...taskOf(1), dialect: "0.3" };
    cache.putJson(task.id, { json: taskJson(task), dialect: "0.3" });
    assert.equal(cache.json(task.id), taskJson(task));
    assert.deepEqual(cache.get(task.id), task);
    cache.put(taskOf(2));
    assert.equal(cache.json("task-2"), taskJson(taskOf(2)));
    assert.equal(cache.json("task-3"), undefined);
  });

  it("does not take what would push out everything else, and forgets what it is told to", () => {
    const cache = createBodyCache(20_000);
    cache.put(taskOf(1));
    cache.put(taskOf(2, 15_000));
    assert.equal(cache.get("task-2"), undefined);
    assert.equal(cache.get("task-1")?.id, "task-1");
    cache.forget("task-1");
    assert.equal(cache.get("task-1"), undefined);
  });
});
