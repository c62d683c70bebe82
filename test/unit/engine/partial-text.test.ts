import assert from "node:assert/strict";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import type { EventSink } from "../../../src/engine/event-sink.ts";
import { ALICE, createEngineRig, type EngineRig, labels, readAll } from "../../support/engine-rig.ts";

/** A task that has said half a sentence, and attached a whole file. */
async function halfSaid(rig: EngineRig = createEngineRig()) {
  const task = await rig.start();
  task.run.text("file", { id: "file-1" });
  task.run.text("I have pain", { provisional: true });
  task.run.text("ted", { provisional: true, append: true });
  await rig.settle();
  return { ...rig, ...task };
}

const FILE = { artifactId: "file-1", parts: [{ text: "file" }] };
const MARKED = { artifactId: "reply", parts: [{ text: "I have painted" }], metadata: { partial: true } };

describe("engine: text of a task that ends early", () => {
  it("is kept as a partial artifact when the task is canceled, in the task, its stream and the sink [agent-partial]", async () => {
    const { engine, taskId, subscription, settle, sink } = await halfSaid();
    const canceling = engine.cancel(ALICE, taskId);
    await settle();
    const task = await canceling;
    assert.deepEqual(task.artifacts, [FILE, MARKED]);
    const events = await readAll(subscription);
    assert.deepEqual(labels(events).slice(-2), ["artifact reply", "canceled"]);
    const last = events.at(-2);
    assert.ok(last?.kind === "artifact");
    assert.deepEqual([last.artifact, last.append, last.lastChunk], [MARKED, false, true]);
    assert.deepEqual(
      sink.events().flatMap((event) => (event.kind === "artifact" ? [event.artifact] : [])),
      [FILE, MARKED],
    );
  });

  it("is kept when the time of the task is over", async () => {
    const { engine, taskId, pass } = await halfSaid(createEngineRig({ limits: { replyTimeoutMs: 10_000 } }));
    await pass(10_000);
    const { status, artifacts } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.deepEqual(artifacts?.[1], MARKED);
  });

  it("is kept when the runner is deaf, and what that says later changes nothing", async () => {
    const { engine, taskId, run, pass } = await halfSaid();
    run.ignoreAbort();
    const canceling = engine.cancel(ALICE, taskId);
    await pass(2_000);
    run.text(" the wall", { provisional: true, append: true });
    run.complete();
    await pass(0);
    assert.deepEqual((await canceling).artifacts?.[1], MARKED);
    assert.deepEqual((await engine.get(ALICE, taskId)).artifacts?.[1], MARKED);
  });

  for (const end of ["fail", "reject", "throw"] as const) {
    it(`is kept when the run ends itself: ${end}`, async () => {
      const { engine, taskId, run, settle } = await halfSaid();
      run[end]("no paint left");
      await settle();
      assert.deepEqual((await engine.get(ALICE, taskId)).artifacts, [FILE, MARKED]);
    });
  }

  it("is kept when the engine stops", async () => {
    const { engine, taskId, settle } = await halfSaid();
    const stopping = engine.stop("the session quits");
    await settle();
    await stopping;
    assert.deepEqual((await engine.get(ALICE, taskId)).artifacts?.[1], MARKED);
  });

  it("is no partial text any more once the whole has come, also when the task is canceled then", async () => {
    const { engine, taskId, run, settle } = await halfSaid();
    run.text("I have painted the wall.");
    const canceling = engine.cancel(ALICE, taskId);
    await settle();
    assert.deepEqual((await canceling).artifacts?.[1], {
      artifactId: "reply",
      parts: [{ text: "I have painted the wall." }],
    });
  });

  it("is not marked when the task completes", async () => {
    const { engine, taskId, run, settle } = await halfSaid();
    run.complete();
    await settle();
    assert.deepEqual((await engine.get(ALICE, taskId)).artifacts?.[1], {
      artifactId: "reply",
      parts: [{ text: "I have painted" }],
    });
  });

  it("is not marked at a question, and is when the question ends with a cancel", async () => {
    const { engine, taskId, run, settle } = await halfSaid();
    run.ask("which wall?");
    await settle();
    assert.equal((await engine.get(ALICE, taskId)).artifacts?.[1]?.metadata, undefined);
    const canceling = engine.cancel(ALICE, taskId);
    await settle();
    assert.deepEqual((await canceling).artifacts?.[1], MARKED);
  });

  it("keeps what its artifact's metadata said before", async () => {
    const { start, engine, settle } = createEngineRig();
    const { taskId, run } = await start();
    const artifact = { artifactId: "table", parts: [{ text: "a;b" }], metadata: { mediaType: "text/csv" } };
    run.emit({ kind: "artifact", artifact, append: false, lastChunk: false });
    run.fail("no more rows");
    await settle();
    const [kept] = (await engine.get(ALICE, taskId)).artifacts ?? [];
    assert.deepEqual(kept, { ...artifact, metadata: { mediaType: "text/csv", partial: true } });
  });

  it("is marked also when nothing can be stored any more", async () => {
    let full = false;
    const sink = (memory: EventSink): EventSink => ({
      write: (entries) => (full ? Promise.reject(new Error("ENOSPC")) : memory.write(entries)),
    });
    const { engine, taskId, settle } = await halfSaid(createEngineRig({ sink }));
    full = true;
    const canceling = engine.cancel(ALICE, taskId).catch((error: unknown) => assert.ok(isA2aError(error)));
    await settle();
    await canceling;
    const { status, artifacts } = await engine.get(ALICE, taskId);
    assert.equal(status.state, "TASK_STATE_FAILED");
    assert.deepEqual(artifacts?.[1], MARKED);
  });

  it("what a stopped run took stands in its task's metadata when it says so within the grace", async () => {
    const { engine, taskId, run, settle } = await halfSaid();
    run.ignoreAbort();
    const canceling = engine.cancel(ALICE, taskId);
    run.metadata({ usage: 7 });
    run.cancel();
    await settle();
    assert.deepEqual((await canceling).metadata, { usage: 7 });
  });
});
