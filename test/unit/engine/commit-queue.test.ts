import assert from "node:assert/strict";
import { createLog } from "../../../src/core/platform/log.ts";
import { type Commit, createCommitQueue } from "../../../src/engine/commit-queue.ts";
import { type EventSink, noBodies, type StoredEntry, type StoredEvent } from "../../../src/engine/event-sink.ts";
import { CONTEXT_ID, TASK_ID } from "../../support/builders.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

interface Write {
  readonly events: readonly StoredEvent[];
  succeed(): void;
  fail(): void;
}

/** A queue whose sink answers when the test says so. */
function rig() {
  const clock = createFakeClock();
  const writes: Write[] = [];
  const sink: EventSink = {
    write: (entries) =>
      new Promise((resolve, reject) => {
        writes.push({
          events: entries.map(({ event }) => event),
          succeed: () => resolve(noBodies()),
          fail: () => reject(new Error("disk full")),
        });
      }),
  };
  const log = createLog(clock, () => "log-1");
  const queue = createCommitQueue({ clock, sink, log });
  const seen: string[] = [];
  const turn = async (act: () => void = () => clock.flush()): Promise<void> => {
    act();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const add = (name: string, fields: Partial<Commit> = {}): void =>
    queue.add({
      stored: entry(name),
      wanted: () => true,
      done: () => void seen.push(`${name} done`),
      failed: () => void seen.push(`${name} failed`),
      dropped: () => void seen.push(`${name} dropped`),
      ...fields,
    });
  return { clock, log, queue, writes, seen, turn, add };
}

function entry(name: string): StoredEntry {
  return { event: event(name) };
}

function event(name: string): StoredEvent {
  return { kind: "metadata", taskId: TASK_ID, contextId: CONTEXT_ID, at: 0, metadata: { name } };
}

describe("commit queue", () => {
  it("writes all events of one turn in one batch, and nothing takes effect before", async () => {
    const { queue, writes, seen, turn, add } = rig();
    add("a");
    add("b");
    assert.equal(writes.length, 0);
    await turn();
    assert.deepEqual(
      writes.map(({ events }) => events.length),
      [2],
    );
    assert.deepEqual(seen, []);
    await turn(() => writes[0]?.succeed());
    assert.deepEqual(seen, ["a done", "b done"]);
    await queue.idle();
  });

  it("writes one batch at a time and collects the next meanwhile", async () => {
    const { writes, seen, turn, add } = rig();
    add("a");
    await turn();
    add("b");
    add("c");
    await turn();
    assert.equal(writes.length, 1);
    await turn(() => writes[0]?.succeed());
    await turn();
    assert.deepEqual(writes[1]?.events, [event("b"), event("c")]);
    await turn(() => writes[1]?.succeed());
    assert.deepEqual(seen, ["a done", "b done", "c done"]);
  });

  it("keeps what is only published in order, and out of the sink", async () => {
    const { writes, seen, turn, add } = rig();
    add("a");
    add("live", { stored: undefined });
    add("b");
    await turn();
    assert.deepEqual(writes[0]?.events, [event("a"), event("b")]);
    await turn(() => writes[0]?.succeed());
    assert.deepEqual(seen, ["a done", "live done", "b done"]);
  });

  it("asks nothing of the sink when nothing is to be stored", async () => {
    const { writes, seen, turn, add } = rig();
    add("live", { stored: undefined });
    await turn();
    assert.equal(writes.length, 0);
    assert.deepEqual(seen, ["live done"]);
  });

  it("fails every stored commit of a batch that could not be written, and goes on (T09)", async () => {
    const { writes, seen, turn, add, log } = rig();
    add("a");
    add("live", { stored: undefined });
    await turn();
    await turn(() => writes[0]?.fail());
    assert.deepEqual(seen, ["a failed", "live done"]);
    assert.match(log.lines()[0]?.text ?? "", /could not store 1 events: disk full/);
    add("b");
    await turn();
    await turn(() => writes[1]?.succeed());
    assert.equal(seen.at(-1), "b done");
  });

  it("fails a batch when the sink throws instead of rejecting", async () => {
    const clock = createFakeClock();
    const sink: EventSink = {
      write() {
        throw new Error("broken");
      },
    };
    const queue = createCommitQueue({ clock, sink, log: createLog(clock, () => "x") });
    let failed = 0;
    queue.add({
      stored: entry("a"),
      wanted: () => true,
      done: () => undefined,
      failed: () => failed++,
      dropped: () => undefined,
    });
    clock.flush();
    await queue.idle();
    assert.equal(failed, 1);
  });

  it("drops what is not wanted any more before it reaches the sink", async () => {
    const { writes, seen, turn, add } = rig();
    add("a", { wanted: () => false });
    add("b");
    await turn();
    assert.deepEqual(writes[0]?.events, [event("b")]);
    assert.deepEqual(seen, ["a dropped"]);
  });

  it("drops what an earlier failure of the same batch undid", async () => {
    const { writes, seen, turn, add } = rig();
    let wanted = true;
    add("a", { failed: () => (wanted = false) });
    add("b", { wanted: () => wanted });
    await turn();
    await turn(() => writes[0]?.fail());
    assert.deepEqual(seen, ["b dropped"]);
  });

  it("lets every other commit take effect when one throws", async () => {
    const { writes, seen, turn, add, log } = rig();
    add("a", {
      done() {
        throw new Error("bug");
      },
    });
    add("b");
    await turn();
    await turn(() => writes[0]?.succeed());
    assert.deepEqual(seen, ["b done"]);
    assert.match(log.lines()[0]?.text ?? "", /engine commit: bug/);
  });

  it("is idle only when nothing is queued or being written", async () => {
    const { queue, writes, turn, add, seen } = rig();
    add("a");
    void queue.idle().then(() => seen.push("idle"));
    await turn();
    assert.deepEqual(seen, []);
    add("b");
    await turn(() => writes[0]?.succeed());
    assert.deepEqual(seen, ["a done"]);
    await turn();
    await turn(() => writes[1]?.succeed());
    assert.deepEqual(seen, ["a done", "b done", "idle"]);
  });

  it("fails everything once it is closed, and a write that ends later changes nothing", async () => {
    const { clock, queue, writes, turn, add, seen } = rig();
    add("a");
    await turn();
    add("b");
    queue.close();
    add("c");
    assert.deepEqual(seen, ["a failed", "b failed", "c failed"]);
    await turn(() => writes[0]?.succeed());
    assert.deepEqual(seen, ["a failed", "b failed", "c failed"]);
    assert.equal(clock.pending(), 0);
    await queue.idle();
  });
});
