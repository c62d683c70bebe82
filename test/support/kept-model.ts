// The engine over its real journal against a model (DESIGN §9): what callers, runs, time and restarts may do, and what must hold
// whatever they do. The model knows promises, not how the engine keeps them: where each message has led, how often it ran, and how
// each task ended first.

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { isA2aError } from "../../src/core/platform/errors.ts";
import type { JournalFiles } from "../../src/core/platform/journal-files.ts";
import type { Principal } from "../../src/core/ports.ts";
import { isInterrupted, isTerminal } from "../../src/core/protocol/task-state.ts";
import type { Message, Task, TaskStatus } from "../../src/core/protocol/types.ts";
import type { Replied, Submission } from "../../src/engine/engine-types.ts";
import { GENEROUS_LIMITS } from "./engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer, turn } from "./journal-rig.ts";
import type { DrivenRunner, RunHandle } from "./scripted-runner.ts";

const MAX_CONCURRENT = 2;
/** Small, so that there are many segments and some are compacted. */
const SEGMENT_BYTES = 3_000;
/** So many times 100 ms are more than an engine waits for anything when it stops. */
const GRACE_TICKS = 100;
/** Only what hangs takes so long, also on a busy machine. */
const HANG_MS = 20_000;

type Rest = "working" | "asking" | "ended";

/** A message that a caller has sent, once or several times. */
export interface Sent {
  readonly caller: Principal;
  readonly message: Message;
  readonly detached: boolean;
  /** How often it was handed over as a new one: it may run so often and no more. */
  submitted: number;
  /** Wherever it has led. */
  readonly taskIds: Set<string>;
  /** Where it leads; undefined while that is not settled. */
  current: string | undefined;
  /**
   * It is no new message when it comes again: its work goes on, or its caller has no reply yet. `maybe` when the server died while it
   * was on its way in.
   */
  known: boolean | "maybe";
  replied: Replied | undefined;
  /** In which life it got its reply last. */
  deliveredIn: number | undefined;
  /** A direct Message was its answer. */
  direct: boolean;
}

/** What the callers know. */
export interface Model {
  readonly sent: Sent[];
  /** By task, its end as it was seen first. */
  readonly ends: Map<string, TaskStatus>;
  /** Responses that have not come to their end. */
  readonly open: { readonly sent: Sent; readonly nth: number; readonly submission: Submission }[];
}

/** What there is. */
export interface Real {
  readonly house: JournalHouse;
  server: KeptServer;
  /** The servers so far; what an earlier one still says reaches nobody. */
  life: number;
  /** By task, where it is by what was published in this life. */
  states: Map<string, Rest>;
  /** Of all lives, the newest last. */
  readonly runners: DrivenRunner[];
  /** Tasks that may have been answered by a direct Message, so that nobody sees them. */
  readonly unseen: Set<string>;
  /** What has to settle before this life ends in peace. */
  waits: Set<object>;
  readonly faults: unknown[];
}

export async function openKept(): Promise<{ readonly model: Model; readonly real: Real }> {
  const house = await createJournalHouse();
  house.limits = {
    ...GENEROUS_LIMITS,
    ...{ maxConcurrent: MAX_CONCURRENT, replyTimeoutMs: 10_000, asyncTimeoutMs: 60_000 },
  };
  const server = await openServer(house);
  const model: Model = { sent: [], ends: new Map(), open: [] };
  const real: Real = {
    ...{ house, server, life: 0, states: new Map(), runners: [server.runner], unseen: new Set() },
    ...{ waits: new Set(), faults: [] },
  };
  listen(model, real);
  return { model, real };
}

export function runsOf({ runners }: Real): readonly RunHandle[] {
  return runners.flatMap(({ runs }) => runs);
}

/** The process ends, at once or in peace, and another one takes over. */
export async function restart(model: Model, real: Real, how: "kill" | "quit"): Promise<void> {
  if (how === "quit") await quit(real);
  // What a dying process still does nobody hears of.
  real.life += 1;
  if (how === "kill") await real.server.kill();
  real.waits = new Set();
  real.states = new Map();
  model.open.length = 0;
  real.server = await openServer(real.house);
  assert.deepEqual(real.server.problems, []);
  real.runners.push(real.server.runner);
  listen(model, real);
  for (const sent of model.sent) await findAgain(model, real, sent, how);
}

/** All is quiet in the end: what was promised has come, and another start finds everything as it was. */
export async function finish(model: Model, real: Real): Promise<void> {
  await restart(model, real, "quit");
  for (const sent of model.sent) {
    for (const { id, status } of await tasksOf(real, sent)) {
      assert.notEqual(restOf(status), "working", `${id} is ${status.state} after a quit`);
    }
  }
  await quit(real);
  check(model, real);
}

/** What holds at every moment. */
export function check(model: Model, real: Real): void {
  if (real.faults.length > 0) throw real.faults[0];
  const { engine, runner } = real.server;
  const running = engine.running();
  assert.equal(engine.stats().running, running.length);
  assert.ok(running.length <= MAX_CONCURRENT, `${running.length} slots in use`);
  const contexts = running.map(({ owner, contextId }) => `${owner.key} ${contextId}`);
  assert.equal(new Set(contexts).size, contexts.length, "two runs of one context at once");
  // A run that was given up may still be going; every other one holds a slot.
  const going = runner.runs.filter((run) => !run.over() && !run.request.signal.aborted);
  for (const { request } of going) {
    assert.ok(
      running.some(({ taskId }) => taskId === request.taskId),
      `${request.taskId} runs without a slot`,
    );
  }
  const worked = countBy(
    runsOf(real).flatMap(({ request, letters }) => [request.message, ...letters.map(({ message }) => message)]),
  );
  for (const { message, submitted } of model.sent) {
    const times = worked.get(message.messageId) ?? 0;
    assert.ok(
      times <= submitted,
      `${message.messageId} was worked on ${times} times, and sent as new ${submitted} times`,
    );
  }
}

/** Hands a message over as the server does: a known one leads to its task, another one is new work. */
export function hand(model: Model, real: Real, sent: Sent): void {
  const { caller, message, detached } = sent;
  const request = { caller, message, detached };
  const again = real.server.engine.resend(request);
  if (sent.known !== "maybe") assert.equal(again !== undefined, sent.known, `${message.messageId} came again`);
  if (again === undefined) {
    sent.submitted += 1;
    Object.assign(sent, { known: true, current: undefined, replied: undefined, direct: false });
  }
  const nth = sent.submitted;
  const { life } = real;
  const taken = (again ?? real.server.engine.submit(request)).then(
    (submission) => {
      if (real.life === life) handed(model, real, { sent, nth, submission }, again === undefined);
    },
    (error: unknown) => {
      if (real.life === life && again === undefined && sent.submitted === nth) sent.known = false;
      throw error;
    },
  );
  watch(real, taken);
}

function handed(model: Model, real: Real, open: Model["open"][number], isNew: boolean): void {
  const { sent, nth, submission } = open;
  const { taskId, subscription, first } = submission;
  model.open.push(open);
  if (sent.submitted !== nth) return;
  // While two starts of the same message were taken over, it may lead to either.
  const isRight = sent.current === undefined ? isNew || sent.known === "maybe" : sent.current === taskId;
  if (!isRight && !sent.taskIds.has(taskId)) real.faults.push(new Error(`${sent.message.messageId} leads elsewhere`));
  if (sent.known === "maybe") Object.assign(sent, { known: true, replied: "lost" });
  if (!real.states.has(taskId)) real.states.set(taskId, restOf(subscription.snapshot().status));
  sent.current = taskId;
  sent.taskIds.add(taskId);
  const { life } = real;
  const hearsFirst = first.then(({ kind }) => {
    if (real.life !== life || kind === "task" || sent.current !== taskId) return;
    sent.direct = true;
    decide(real, sent);
  });
  watch(real, hearsFirst);
  watch(real, real.server.engine.settled(sent.caller, taskId));
}

/** A response to it has come to its end. */
export function reply(model: Model, real: Real, at: number, how: Replied): void {
  const [open] = model.open.splice(at, 1);
  if (open === undefined) return;
  const { sent, nth, submission } = open;
  submission.replied?.(how);
  if (sent.submitted !== nth || sent.known !== true) return;
  sent.replied = how;
  decide(real, sent);
}

/** A promise that must settle in this life, and may fail only with an error for callers. */
export function watch(real: Real, promise: Promise<unknown>): void {
  const { waits, faults, life } = real;
  const wait = {};
  waits.add(wait);
  promise.then(
    () => waits.delete(wait),
    (error: unknown) => {
      if (real.life === life && !isA2aError(error)) faults.push(error);
      waits.delete(wait);
    },
  );
}

function openServer(house: JournalHouse): Promise<KeptServer> {
  return house.open({ segmentBytes: SEGMENT_BYTES, steerable: true, journalFiles: slowly });
}

/** Writes take no turn, one or two, so that a process can die in each moment before what it has begun is stored. */
function slowly(real: JournalFiles): JournalFiles {
  let writes = 0;
  return {
    ...real,
    create(path) {
      const file = real.create(path);
      const append: typeof file.append = async (bytes, sync) => {
        for (let left = writes++ % 3; left > 0; left--) await turn();
        await file.append(bytes, sync);
      };
      return new Proxy(file, { get: (target, name) => (name === "append" ? append : Reflect.get(target, name)) });
    },
  };
}

function listen(model: Model, real: Real): void {
  const { life, server } = real;
  const over = new Set<string>();
  server.engine.observe((event, task) => {
    if (real.life !== life) return;
    if (over.has(event.taskId)) real.faults.push(new Error(`${event.taskId}: an event after its end`));
    if (event.kind !== "status") return;
    const rest = restOf(event.status);
    real.states.set(event.taskId, rest);
    if (rest === "ended") {
      over.add(event.taskId);
      sawEnd(model, real, task);
    }
    for (const sent of model.sent) if (sent.current === event.taskId) decide(real, sent);
  });
}

/** Each task settles exactly once, whoever asks and in which life. */
function sawEnd({ ends }: Model, { faults }: Real, { id, status }: Task): void {
  const first = ends.get(id);
  ends.set(id, first ?? status);
  if (first === undefined || isDeepStrictEqual(first, status)) return;
  faults.push(new Error(`${id} ended twice: ${JSON.stringify(first)}, ${JSON.stringify(status)}`));
}

/** The ruling on resends: known until it was answered and its work is at rest; a stream that ended at a question goes on. */
function decide(real: Real, sent: Sent): void {
  if (sent.known !== true || sent.current === undefined) return;
  const rest = sent.direct ? "ended" : (real.states.get(sent.current) ?? "working");
  if (rest === "working" || sent.replied === undefined || sent.replied === "lost") return;
  if (rest === "ended" || sent.replied === "reply") Object.assign(sent, { known: false, deliveredIn: real.life });
}

/** No acknowledged task is lost; what has no reply is known to whoever sent it, and nothing else is. */
async function findAgain(model: Model, real: Real, sent: Sent, how: "kill" | "quit"): Promise<void> {
  const tasks = await tasksOf(real, sent);
  for (const task of tasks) {
    const rest = restOf(task.status);
    real.states.set(task.id, rest);
    if (rest === "ended") sawEnd(model, real, task);
  }
  sent.known = knownAgain(real, sent, tasks, how);
  if (sent.known === true) sent.replied = "lost";
  else Object.assign(sent, { current: undefined, direct: false, replied: undefined });
}

function knownAgain({ life }: Real, sent: Sent, tasks: readonly Task[], how: "kill" | "quit"): Sent["known"] {
  // That a reply has arrived is written a moment after it has.
  if (sent.known === false) return how === "kill" && sent.deliveredIn === life - 1 && "maybe";
  // Not acknowledged when the server died: it may be stored, or not.
  if (sent.current === undefined) return "maybe";
  const task = tasks.find(({ id }) => id === sent.current);
  return task === undefined || wasAtWork(task, sent.message);
}

/** Nothing was asked since it came. */
function wasAtWork({ history = [] }: Task, { messageId }: Message): boolean {
  const question = history.findLastIndex(({ role }) => role === "ROLE_AGENT");
  return history.slice(question + 1).some((message) => message.messageId === messageId);
}

async function tasksOf({ server, unseen }: Real, { caller, taskIds }: Sent): Promise<readonly Task[]> {
  const tasks: Task[] = [];
  for (const taskId of taskIds) {
    try {
      tasks.push(await server.engine.get(caller, taskId));
    } catch (error) {
      assert.ok(isA2aError(error, "TASK_NOT_FOUND") && unseen.has(taskId), `${taskId} is lost: ${String(error)}`);
    }
  }
  return tasks;
}

/** The engine stops; runners that do not stop are left behind after a while. Then nobody waits for anything any more. */
async function quit(real: Real): Promise<void> {
  let over = false;
  const quitting = real.server.quit().then(() => {
    over = true;
  });
  let ticks = 0;
  await until("it does not stop", () => {
    if (ticks++ < GRACE_TICKS) real.house.clock.tick(100);
    return over;
  });
  await quitting;
  await until("callers wait for ever", () => real.waits.size === 0);
}

/** Files take as long as they take, so there is no number of turns after which something hangs. */
async function until(problem: string, isTrue: () => boolean): Promise<void> {
  const hang = setTimeout(() => {
    hangs = true;
  }, HANG_MS);
  let hangs = false;
  try {
    while (!isTrue()) {
      assert.ok(!hangs, problem);
      await turn();
    }
  } finally {
    clearTimeout(hang);
  }
}

function restOf({ state }: TaskStatus): Rest {
  if (isTerminal(state)) return "ended";
  return isInterrupted(state) ? "asking" : "working";
}

function countBy(messages: readonly Message[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { messageId } of messages) counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
  return counts;
}
