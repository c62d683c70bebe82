import assert from "node:assert/strict";
import { A2aError } from "../../../src/core/platform/errors.ts";
import { ALICE, BOB, createEngineRig, type EngineRig } from "../../support/engine-rig.ts";

const detached = true;

describe("the slots of detached tasks", () => {
  let rig: EngineRig;
  const open = (maxDetached?: number): void => {
    rig = createEngineRig({ limits: { maxConcurrent: 4, ...(maxDetached === undefined ? {} : { maxDetached }) } });
  };
  const busy = async (fields: Parameters<EngineRig["submit"]>[0]): Promise<A2aError> => {
    const error = await rig.submit(fields).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    assert.ok(error instanceof A2aError && error.code === "BUSY", "not refused");
    return error;
  };

  it("are as many as there are slots when nothing is set", async () => {
    open();
    for (let nth = 0; nth < 4; nth++) await rig.start({ detached });
    await busy({ detached });
  });

  it("are as many as a2a.server.maxDetached says, and leave the others to callers who wait (G11)", async () => {
    open(1);
    const { taskId, run } = await rig.start({ detached });
    run.working();
    await rig.pass(7000);
    const error = await busy({ detached });
    assert.match(error.message, /all 1 slots for detached tasks are taken, the oldest since 7 s/);
    assert.match(error.hint, /without returnImmediately.*cancel one of yours \(task-\w+\).*maxDetached/);
    assert.equal(error.metadata.ownTasks, taskId);
    assert.ok(error.retryAfterSec !== undefined);
    for (let nth = 0; nth < 3; nth++) await rig.start();
  });

  it("name no task of another caller", async () => {
    open(1);
    const { taskId } = await rig.start({ detached, caller: BOB });
    const error = await busy({ detached, caller: ALICE });
    assert.ok(!`${error.message} ${error.hint} ${JSON.stringify(error.metadata)}`.includes(taskId));
  });

  it("are free when the task has ended", async () => {
    open(1);
    const { run } = await rig.start({ detached });
    run.complete();
    await rig.settle();
    await rig.start({ detached });
  });

  it("follow a changed setting at once", async () => {
    open(1);
    await rig.start({ detached });
    rig.limits = { ...rig.limits, maxDetached: 2 };
    await rig.start({ detached });
    await busy({ detached });
  });

  it("cannot be got by waiting behind a task that is not detached", async () => {
    open(1);
    await rig.start({ text: { contextId: "ctx-a" } });
    await rig.start({ text: { contextId: "ctx-b" } });
    await rig.submit({ detached, text: { contextId: "ctx-a" } });
    await busy({ detached, text: { contextId: "ctx-b" } });
    // One context has one slot, however many of its messages wait.
    await rig.submit({ detached, text: { contextId: "ctx-a" } });
  });

  it("are needed by an answer that is not waited for, too", async () => {
    open(1);
    const { run, taskId } = await rig.start();
    run.ask("Which?");
    await rig.settle();
    await rig.start({ detached });
    await busy({ detached, text: { taskId } });
    await rig.start({ text: { taskId } });
  });
});
