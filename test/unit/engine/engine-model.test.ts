// The engine against a model: any order of submits, outputs, outcomes, cancels, time, late words, answers and failing writes. The
// model is small on purpose: it knows the rules that must never break, not how the engine keeps them.

import assert from "node:assert/strict";
import fc from "fast-check";
import { isA2aError } from "../../../src/core/platform/errors.ts";
import { isTerminal } from "../../../src/core/protocol/task-state.ts";
import type { Task, TaskState } from "../../../src/core/protocol/types.ts";
import type { Submission, Subscription } from "../../../src/engine/engine-types.ts";
import type { EventSink } from "../../../src/engine/event-sink.ts";
import type { TaskEvent } from "../../../src/engine/task-event.ts";
import { foldEvent } from "../../../src/engine/task-fold.ts";
import { userMessage } from "../../support/builders.ts";
import { ALICE, BOB, createEngineRig, type EngineRig } from "../../support/engine-rig.ts";
import type { MemorySink } from "../../support/memory-sink.ts";
import type { RunHandle } from "../../support/scripted-runner.ts";

const OWNERS = [ALICE, BOB];
const CONTEXTS = ["ctx-a", "ctx-b", "ctx-c"];
const MAX_CONCURRENT = 2;

interface Follower {
  readonly taskId: string;
  readonly subscription: Subscription;
  readonly events: TaskEvent[];
}

interface Known {
  readonly taskId: string;
  readonly owner: (typeof OWNERS)[number];
}

/** What happened so far, and what must hold at every moment. */
class World {
  readonly rig: EngineRig;
  readonly disk = { full: false, failed: false };
  readonly known: Known[] = [];
  readonly followers: Follower[] = [];
  /** Runs that take no more messages, with how many they had. */
  readonly closed = new Map<RunHandle, number>();
  /** Promises that must all be settled at the end. */
  readonly open = new Set<string>();

  constructor() {
    const sink = (memory: MemorySink): EventSink => ({
      write: (events) => {
        if (!this.disk.full) return memory.write(events);
        this.disk.failed = true;
        return Promise.reject(new Error("ENOSPC"));
      },
    });
    this.rig = createEngineRig({
      sink,
      steerable: true,
      limits: { maxConcurrent: MAX_CONCURRENT, replyTimeoutMs: 10_000, asyncTimeoutMs: 60_000 },
    });
  }

  pick<T>(items: readonly T[], n: number): T | undefined {
    return items[n % Math.max(1, items.length)];
  }

  run(n: number): RunHandle | undefined {
    return this.pick(this.rig.runner.runs, n);
  }

  /** Keeps an eye on a promise: it must settle, and may only fail with one of these codes. */
  watch(name: string, promise: Promise<unknown>): void {
    const key = `${name} ${this.open.size} ${this.rig.clock.now()} ${Math.random()}`;
    this.open.add(key);
    promise.then(
      () => this.open.delete(key),
      (error: unknown) => {
        assert.ok(isA2aError(error), `${name}: ${String(error)}`);
        this.open.delete(key);
      },
    );
  }

  submit(owner: Known["owner"], message: Parameters<typeof userMessage>[0], detached: boolean): void {
    const submitting = this.rig.engine.submit({ caller: owner, message: userMessage(message), detached });
    const taken = submitting.then((submission) => this.taken(owner, submission));
    this.watch("submit", taken);
  }

  taken(owner: Known["owner"], { taskId, subscription, first }: Submission): void {
    if (!this.known.some((known) => known.taskId === taskId)) this.known.push({ taskId, owner });
    this.watch("first", first);
    this.follow(taskId, subscription);
  }

  follow(taskId: string, subscription: Subscription): void {
    const follower: Follower = { taskId, subscription, events: [] };
    this.followers.push(follower);
    const read = async (): Promise<void> => {
      for (let event = await subscription.next(); event !== undefined; event = await subscription.next()) {
        follower.events.push(event);
      }
    };
    this.watch("follower", read());
  }

  async visible({ owner, taskId }: Known): Promise<Task | undefined> {
    try {
      return await this.rig.engine.get(owner, taskId);
    } catch (error) {
      assert.ok(isA2aError(error, "TASK_NOT_FOUND"));
      return undefined;
    }
  }

  async check(): Promise<void> {
    const { engine, runner } = this.rig;
    const { running, waiting } = engine.stats();
    assert.ok(running >= 0 && running <= MAX_CONCURRENT, `${running} slots in use`);
    assert.ok(waiting >= 0);
    const begun = runner.runs.filter((run) => !run.over());
    const contexts = engine.running().map(({ owner, contextId }) => `${owner.key} ${contextId}`);
    assert.equal(new Set(contexts).size, contexts.length, "two runs of one context at once");
    assert.equal(contexts.length, running);
    // A run that was given up may still be going; every other one holds a slot.
    const holding = begun.filter((run) => !run.request.signal.aborted).map((run) => run.request.taskId);
    const inWork = engine.running().map(({ taskId }) => taskId);
    for (const taskId of holding) assert.ok(inWork.includes(taskId), `${taskId} runs without a slot`);
    await this.checkEvents();
    await this.checkLetters();
  }

  /** What reached a run while it worked: each once, no more than may wait, and all of it stands in the history. */
  async checkLetters(): Promise<void> {
    for (const [{ letters }, count] of this.closed)
      assert.equal(letters.length, count, "a message came after the close");
    for (const { letters, request } of this.rig.runner.runs) {
      const messages = letters.map(({ message }) => message);
      assert.equal(new Set(messages).size, messages.length, "a message came twice");
      const known = this.known.find((each) => each.taskId === request.taskId);
      const history = (known && (await this.visible(known))?.history) ?? [];
      if (messages.length > 0) assert.ok(messages.every((message) => history.includes(message)));
    }
  }

  async checkEvents(): Promise<void> {
    const byTask = new Map<string, TaskEvent[]>();
    for (const event of this.rig.published) byTask.set(event.taskId, [...(byTask.get(event.taskId) ?? []), event]);
    for (const [taskId, events] of byTask) {
      const ends = events.filter((event) => event.kind === "status" && isTerminal(event.status.state));
      assert.ok(ends.length <= 1, `${taskId} settled ${ends.length} times`);
      if (ends.length === 1) assert.equal(events.at(-1), ends[0], `${taskId}: an event after the end`);
      const times = events.map(({ at }) => at);
      assert.deepEqual(
        times,
        [...times].sort((a, b) => a - b),
      );
      const known = this.known.find((each) => each.taskId === taskId);
      assert.ok(known !== undefined);
      const task = events.reduce<Task | undefined>(foldEvent, undefined);
      assert.deepEqual(await this.visible(known), task, "what is visible is the fold of what was published");
    }
    for (const { taskId, events } of this.followers) {
      const all = byTask.get(taskId) ?? [];
      const at = events[0] === undefined ? 0 : all.indexOf(events[0]);
      assert.deepEqual(events, all.slice(at, at + events.length), "a subscriber saw another order, or a gap");
    }
  }

  /** Stops the engine: everything is settled, and nothing is left behind. */
  async end(): Promise<void> {
    const { engine, clock, pass, settle } = this.rig;
    this.watch("stop", engine.stop("the test is over"));
    await settle();
    for (let n = 0; n < 4; n++) await pass(1500);
    await this.check();
    assert.deepEqual([...this.open], [], "something hangs");
    assert.deepEqual([engine.stats().running, engine.stats().waiting, clock.pending()], [0, 0, 0]);
    for (const known of this.known) await this.checkEnd(known);
    for (const follower of this.followers) await this.checkFollower(follower);
  }

  async checkEnd(known: Known): Promise<void> {
    const task = await this.visible(known);
    const stored = this.rig.sink.events().filter(({ taskId }) => taskId === known.taskId);
    if (task === undefined) {
      assert.equal(stored.at(-1)?.kind, "direct-reply");
      return;
    }
    assert.ok(isTerminal(task.status.state), `${known.taskId} is ${task.status.state} after stop`);
    if (this.disk.failed) return;
    const kept = stored.filter((event): event is TaskEvent => event.kind !== "direct-reply");
    assert.deepEqual(kept.reduce<Task | undefined>(foldEvent, undefined), task, "what is stored is what was visible");
  }

  async checkFollower({ taskId, subscription, events }: Follower): Promise<void> {
    const known = this.known.find((each) => each.taskId === taskId);
    if (known === undefined || subscription.ended() === "closed") return;
    const task = await this.visible(known);
    if (task === undefined) {
      assert.deepEqual(events, []);
      return;
    }
    assert.equal(subscription.ended(), "terminal");
    assert.deepEqual(events.reduce<Task>(foldEvent, subscription.snapshot()), task, "snapshot and events have a gap");
  }
}

type Step = (world: World) => void;

const number = fc.nat({ max: 50 });
const owner = fc.constantFrom(...OWNERS);

/** Each step has a name, so that a counterexample reads as a story. */
function step<T>(name: string, values: fc.Arbitrary<T>, act: (world: World, value: T) => void): fc.Arbitrary<Named> {
  return values.map((value) => ({
    act: (world) => act(world, value),
    toString: () => `${name} ${JSON.stringify(value)}`,
  }));
}

interface Named {
  readonly act: Step;
  toString(): string;
}

const submitStep = step(
  "submit",
  fc.record({ owner, contextId: fc.option(fc.constantFrom(...CONTEXTS), { nil: undefined }), detached: fc.boolean() }),
  (world, { owner: caller, contextId, detached }) =>
    world.submit(caller, contextId === undefined ? {} : { contextId }, detached),
);

const answerStep = step("answer", number, (world, n) => {
  const known = world.pick(world.known, n);
  if (known !== undefined) world.submit(known.owner, { taskId: known.taskId, messageId: `m-${n}` }, n % 2 === 0);
});

const outputStep = step("output", fc.record({ n: number, what: fc.nat({ max: 5 }) }), (world, { n, what }) => {
  const run = world.run(n);
  if (run === undefined) return;
  const outputs = [
    () => run.working(),
    () => run.working("note"),
    () => run.text("whole"),
    () => run.text("live", { provisional: true }),
    () => run.text(" more", { provisional: true, append: true }),
    () => run.text(" tail", { append: true }),
  ];
  outputs[what]?.();
});

const ENDS = ["complete", "fail", "reject", "ask", "askLogin", "reply", "cancel", "throw"] as const;
const outcomeStep = step("outcome", fc.record({ n: number, end: fc.constantFrom(...ENDS) }), (world, { n, end }) => {
  world.run(n)?.[end]("because");
});

const takeStep = step("take", fc.record({ n: number, m: fc.nat({ max: 3 }) }), (world, { n, m }) => {
  world.run(n)?.letters[m]?.taken();
});

const closeStep = step("close", number, (world, n) => {
  const run = world.run(n);
  if (run?.request.steering?.close() === true) world.closed.set(run, run.letters.length);
});

const deafStep = step("deaf", number, (world, n) => world.run(n)?.ignoreAbort());

const cancelStep = step("cancel", number, (world, n) => {
  const known = world.pick(world.known, n);
  if (known !== undefined) world.watch("cancel", world.rig.engine.cancel(known.owner, known.taskId));
});

const subscribeStep = step("subscribe", fc.record({ n: number, close: fc.boolean() }), (world, { n, close }) => {
  const known = world.pick(world.known, n);
  if (known === undefined) return;
  const opening = world.rig.engine.subscribe(known.owner, known.taskId).then((subscription) => {
    world.follow(known.taskId, subscription);
    if (close) subscription.close();
  });
  world.watch("subscribe", opening);
});

const waitStep = step("wait", number, (world, n) => {
  const known = world.pick(world.known, n);
  if (known !== undefined) world.watch("settled", world.rig.engine.settled(known.owner, known.taskId));
});

const timeStep = step("time", fc.constantFrom(1, 500, 2_000, 10_000, 60_000), (world, ms) => world.rig.clock.tick(ms));
const turnStep = step("turn", fc.constant(0), (world) => world.rig.clock.flush());

const STEPS = [
  { weight: 5, arbitrary: submitStep },
  { weight: 5, arbitrary: outputStep },
  { weight: 5, arbitrary: outcomeStep },
  { weight: 2, arbitrary: answerStep },
  { weight: 2, arbitrary: cancelStep },
  { weight: 2, arbitrary: subscribeStep },
  { weight: 1, arbitrary: waitStep },
  { weight: 1, arbitrary: deafStep },
  { weight: 2, arbitrary: takeStep },
  { weight: 1, arbitrary: closeStep },
  { weight: 2, arbitrary: timeStep },
  { weight: 2, arbitrary: turnStep },
];

const diskStep = step("disk full", fc.boolean(), (world, full) => {
  world.disk.full = full;
});

/** After each step promises may settle, or everything that happens by itself, or nothing at all. */
async function play(steps: readonly (readonly [Named, "settle" | "microtask" | "nothing"])[]): Promise<void> {
  const world = new World();
  for (const [named, then] of steps) {
    named.act(world);
    if (then === "settle") await world.rig.settle();
    if (then === "microtask") await Promise.resolve();
    if (then === "settle") await world.check();
  }
  world.disk.full = false;
  await world.rig.settle();
  await world.check();
  await world.end();
}

const pauses = fc.constantFrom("settle", "settle", "microtask", "nothing") as fc.Arbitrary<
  "settle" | "microtask" | "nothing"
>;

function stories(...arbitraries: { readonly weight: number; readonly arbitrary: fc.Arbitrary<Named> }[]) {
  return fc.array(fc.tuple(fc.oneof(...arbitraries), pauses), { minLength: 5, maxLength: 60 });
}

describe("engine against its model", () => {
  it("settles each task exactly once, keeps every order and leaks nothing, whatever happens", async () => {
    await fc.assert(fc.asyncProperty(stories(...STEPS), play), { numRuns: 150 });
  });

  it("does so too while the sink fails now and then (T09)", async () => {
    await fc.assert(fc.asyncProperty(stories(...STEPS, { weight: 2, arbitrary: diskStep }), play), { numRuns: 100 });
  });

  it("would notice a state that follows an end", async () => {
    // The check itself, checked: an event after the end fails it.
    const world = new World();
    const frame = { taskId: "task-x", contextId: "ctx", at: 0 };
    const status = (state: TaskState) => ({ kind: "status", ...frame, status: { state } }) as const;
    world.rig.published.push(status("TASK_STATE_COMPLETED"), status("TASK_STATE_WORKING"));
    await assert.rejects(world.checkEvents(), /after the end/);
  });
});
