import assert from "node:assert/strict";
import {
  createPushQueue,
  type Lane,
  MAX_ALL_BYTES,
  MAX_LANE_BYTES,
  MAX_LANE_UPDATES,
  type PushQueue,
} from "../../../../src/inbound/push/push-queue.ts";

const configOf = (taskId: string, id = "a") => ({ taskId, id, url: "https://hooks.example.com/" });
const bodiesOf = (lane: Lane | undefined): string[] => lane?.updates.map(({ body }) => body) ?? [];
const MIB = 1024 * 1024;

describe("push queue", () => {
  let behind: string[];
  let queue: PushQueue;
  beforeEach(() => {
    behind = [];
    queue = createPushQueue(({ config }) => behind.push(config.taskId));
  });
  const put = (taskId: string, body: string, id = "a"): readonly Lane[] => queue.put([configOf(taskId, id)], body);
  const lane = (taskId: string): Lane => {
    const found = queue.lanes().find(({ config }) => config.taskId === taskId);
    assert.ok(found !== undefined);
    return found;
  };

  it("gives back the lanes that are new", () => {
    assert.equal(put("t", "1").length, 1);
    assert.equal(put("t", "2").length, 0);
    assert.equal(queue.put([configOf("t"), configOf("u")], "3").length, 1);
    assert.deepEqual(bodiesOf(lane("t")), ["1", "2", "3"]);
  });

  it("keeps lanes apart whose ids read the same in a row", () => {
    put("t", "1", "ab");
    assert.equal(put("ta", "2", "b").length, 1);
    assert.equal(queue.size, 2);
  });

  it("forgets the size of what was taken out", () => {
    for (let round = 0; round < 40; round++) {
      queue.put([configOf("t"), configOf("u")], "x".repeat(8 * MIB));
      queue.put([configOf("t"), configOf("u")], "end");
      for (const taskId of ["t", "t", "u"]) queue.takeFirst(lane(taskId));
      queue.takeFirst(lane("u"));
    }
    assert.deepEqual(behind, []);
  });

  it("forgets the size of lanes that were removed, and counts what stands in another lane still", () => {
    for (let round = 0; round < 20; round++) {
      put("gone", "x".repeat(8 * MIB));
      queue.remove(lane("gone"));
    }
    assert.equal(queue.size, 0);
    for (let n = 0; n < MAX_ALL_BYTES / MAX_LANE_BYTES; n++) {
      queue.put([configOf(`gone${n}`), configOf(`t${n}`)], "x".repeat(MAX_LANE_BYTES / 2));
      queue.remove(lane(`gone${n}`));
      put(`t${n}`, "x".repeat(MAX_LANE_BYTES / 2));
    }
    assert.deepEqual(behind, []);
    put("one more", "x");
    assert.equal(behind.length, 1);
  });

  it("leaves what is being tried out of account, and never drops it", () => {
    for (const tried of [{ sending: true }, { failures: 1 }]) {
      put("t", "x".repeat(MAX_LANE_BYTES));
      Object.assign(lane("t"), tried);
      for (let n = 0; n < 100; n++) put("t", "small");
      assert.deepEqual(behind, []);
      for (let n = 0; n < MAX_LANE_UPDATES; n++) put("t", "more");
      assert.deepEqual(behind, ["t"]);
      assert.equal(bodiesOf(lane("t"))[0]?.length, MAX_LANE_BYTES);
      assert.equal(bodiesOf(lane("t")).length, MAX_LANE_UPDATES);
      queue.remove(lane("t"));
      behind = [];
    }
  });
});
