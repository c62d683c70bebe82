// An engine on a fake clock with a driven runner: what most engine tests start from.

import assert from "node:assert/strict";
import type { Clock } from "../../src/core/platform/clock.ts";
import { createLog, type Log } from "../../src/core/platform/log.ts";
import type { Principal } from "../../src/core/ports.ts";
import type { Message } from "../../src/core/protocol/types.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type {
  Engine,
  EngineGraces,
  EngineLimits,
  Submission,
  SubmitRequest,
  Subscription,
} from "../../src/engine/engine-types.ts";
import type { EventSink } from "../../src/engine/event-sink.ts";
import type { TaskEvent } from "../../src/engine/task-event.ts";
import { userMessage } from "./builders.ts";
import { createCountIds } from "./count-ids.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createMemorySink, type MemorySink } from "./memory-sink.ts";
import { createDrivenRunner, type DrivenRunner, type RunHandle } from "./scripted-runner.ts";

export const ALICE: Principal = { key: "peer:alice", name: "alice" };
export const BOB: Principal = { key: "peer:bob", name: "bob" };

export interface EngineRig {
  readonly engine: Engine;
  readonly clock: FakeClock;
  readonly log: Log;
  readonly runner: DrivenRunner;
  readonly sink: MemorySink;
  /** May be changed between calls. */
  limits: EngineLimits;
  /** Everything that was published. */
  readonly published: TaskEvent[];
  /** Runs what is deferred, and all promises, until nothing more happens by itself. */
  settle(): Promise<void>;
  /** Moves the clock, then settles. */
  pass(ms: number): Promise<void>;
  /** Submits and settles. */
  submit(fields?: Partial<SubmitRequest> & { readonly text?: Partial<Message> }): Promise<Submission>;
  /** Submits a message whose run begins. */
  start(fields?: Parameters<EngineRig["submit"]>[0]): Promise<Submission & { readonly run: RunHandle }>;
}

export interface RigOptions {
  readonly limits?: Partial<EngineLimits>;
  readonly graces?: Partial<EngineGraces>;
  readonly sink?: (memory: MemorySink) => EventSink;
  /** Whether runs take messages while they work; by default they do not. */
  readonly steerable?: boolean;
}

export function createEngineRig(options: RigOptions = {}): EngineRig {
  const clock = createFakeClock();
  const counted = countDeferrals(clock);
  const ids = createCountIds();
  const log = createLog(clock, ids.token);
  const runner = createDrivenRunner({ steerable: options.steerable ?? false });
  const sink = createMemorySink();
  const published: TaskEvent[] = [];
  const limits = () => rig.limits;
  const deps = { clock: counted.clock, ids, log, runner, sink: options.sink?.(sink) ?? sink, limits };
  const engine = createEngine(deps, options.graces);
  engine.observe((event) => published.push(event));
  const settle = () => settleAll(clock, counted.count);
  const rig: EngineRig = {
    engine,
    clock,
    log,
    runner,
    sink,
    published,
    limits: { ...GENEROUS_LIMITS, ...options.limits },
    settle,
    async pass(ms) {
      clock.tick(ms);
      await settle();
    },
    async submit({ text, ...fields } = {}) {
      const submission = engine.submit({ caller: ALICE, message: userMessage(text), detached: false, ...fields });
      // Whoever submits handles the error; this only waits until it is known.
      submission.catch(() => undefined);
      await settle();
      return submission;
    },
    async start(fields) {
      const known = runner.runs.length;
      const submission = await rig.submit(fields);
      const run = runner.runs[known];
      assert.ok(run !== undefined, "no run began");
      return { ...submission, run };
    },
  };
  return rig;
}

export const GENEROUS_LIMITS: EngineLimits = {
  maxConcurrent: 3,
  replyTimeoutMs: 0,
  asyncTimeoutMs: 0,
  maxTasks: 0,
  maxTaskBytes: 0,
  retentionMs: 0,
};

/** Everything that a subscription gives until it ends; it must have ended. */
export async function readAll(subscription: Subscription): Promise<TaskEvent[]> {
  const events: TaskEvent[] = [];
  for (let event = await subscription.next(); event !== undefined; event = await subscription.next())
    events.push(event);
  return events;
}

/** `submitted`, `working`, `artifact reply`: short names of events, in order. */
export function labels(events: readonly TaskEvent[]): string[] {
  return events.map((event) => {
    if (event.kind === "status") return event.status.state.slice("TASK_STATE_".length).toLowerCase();
    return event.kind === "artifact" ? `artifact ${event.artifact.artifactId}` : event.kind;
  });
}

function countDeferrals(clock: FakeClock): { readonly clock: Clock; count(): number } {
  let count = 0;
  const defer: Clock["defer"] = (fire) => {
    count += 1;
    return clock.defer(fire);
  };
  return { clock: { ...clock, defer }, count: () => count };
}

async function settleAll(clock: FakeClock, deferrals: () => number): Promise<void> {
  let before: number;
  do {
    before = deferrals();
    clock.flush();
    // A real turn of the event loop: every promise that can settle has settled after it.
    await new Promise((resolve) => setImmediate(resolve));
  } while (deferrals() > before);
}
