import assert from "node:assert/strict";
import { ALICE, createEngineRig, labels } from "../../support/engine-rig.ts";

const WHY = "This went round in a circle.";

describe("refused work", () => {
  it("is a REJECTED task that says why, with no run and no slot", async () => {
    const rig = createEngineRig({ limits: { maxConcurrent: 1 } });
    await rig.start();
    const { taskId, first } = await rig.submit({ refused: WHY });
    assert.deepEqual(await first, { kind: "task" });
    const { status } = await rig.engine.settled(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_REJECTED");
    assert.deepEqual(status.message?.parts, [{ text: WHY }]);
    assert.equal(rig.runner.runs.length, 1);
    assert.equal(rig.engine.stats().running, 1);
  });

  it("is told to whoever follows it from its beginning", async () => {
    const rig = createEngineRig();
    await rig.submit({ refused: WHY });
    assert.deepEqual(labels(rig.published), ["submitted", "rejected"]);
  });

  it("does not stand in the way of its context", async () => {
    const rig = createEngineRig();
    await rig.submit({ refused: WHY, text: { contextId: "ctx-a" } });
    const { run } = await rig.start({ text: { contextId: "ctx-a" } });
    assert.equal(run.request.previousTaskId, undefined);
  });

  it("leaves nothing behind when it could not be stored", async () => {
    const full = { write: () => Promise.reject(new Error("disk full")) };
    const rig = createEngineRig({ sink: () => full });
    await assert.rejects(rig.submit({ refused: WHY }), { code: "NOT_STORED" });
    assert.equal(rig.engine.stats().tasks, 0);
  });
});

describe("the chain of a message", () => {
  const chain = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, sessions: ["s1"], hopsLeft: 2 };

  it("reaches its run", async () => {
    const rig = createEngineRig();
    const { run } = await rig.start({ chain });
    assert.deepEqual(run.request.chain, chain);
  });

  it("of an answer reaches the run that goes on", async () => {
    const rig = createEngineRig();
    const { run, taskId } = await rig.start({ chain });
    run.ask("Which?");
    await rig.settle();
    const answer = { ...chain, hopsLeft: 1 };
    const { run: next } = await rig.start({ text: { taskId }, chain: answer });
    assert.deepEqual(next.request.chain, answer);
  });
});
