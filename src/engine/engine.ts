// Owns the composition of the engine: makes its parts and offers them as one interface. What it promises is in ./engine-types.ts;
// how tasks live is in ./admission.ts (accepted), ./task-life.ts (run, ended) and ./ledger.ts (decided, stored, visible).

import { createIsoTimes } from "../core/platform/clock.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import type { Principal } from "../core/ports.ts";
import { isTerminal } from "../core/protocol/task-state.ts";
import type { Task } from "../core/protocol/types.ts";
import { submit } from "./admission.ts";
import { attach } from "./attach.ts";
import { createCommitQueue } from "./commit-queue.ts";
import { createContextQueue } from "./context-queue.ts";
import { notCancelable, notFollowed } from "./ended-task.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Engine, EngineDeps, EngineGraces, EngineStats, RunningTask, Subscription } from "./engine-types.ts";
import { isKept, type KeptTask } from "./kept-task.ts";
import { createPlaces } from "./places.ts";
import { openSubscription } from "./publish.ts";
import { createPushBook } from "./push-book.ts";
import { createPushConfigs } from "./push-configs.ts";
import { recoverTasks } from "./recovery.ts";
import { createResends } from "./resends.ts";
import { stopEngine } from "./shutdown.ts";
import { endTask, failUnstored, openQuestionWindow } from "./task-life.ts";
import { isAsking, settledRecord, type TaskRecord } from "./task-record.ts";
import { createTaskTable } from "./task-table.ts";

/** How often tasks are looked through for those that are too old. */
const EXPIRY_MS = 10 * 60 * 1000;

const DEFAULT_GRACES: EngineGraces = { settleGraceMs: 2_000, deafGraceMs: 10_000, stopGraceMs: 1_500 };

export function createEngine(deps: EngineDeps, graces: Partial<EngineGraces> = {}): Engine {
  const parts = createParts(deps, { ...DEFAULT_GRACES, ...graces });
  let stopped: Promise<void> | undefined;
  const { clock, store } = deps;
  // What only memory keeps goes with the process.
  const upkeep = store && clock.every(EXPIRY_MS, () => parts.table.expire(clock.now()));
  return {
    submit: (request) => parts.resends.note(request, submit(parts, request)),
    resend: (request) => attach(parts, request),
    get: async (owner, taskId) => taskOf(parts, parts.table.find(owner, taskId)),
    json: (owner, taskId) => parts.table.json(owner, taskId),
    has: (owner, taskId) => parts.table.has(owner, taskId),
    list: async (owner, query) => parts.table.page(owner, query),
    cancel: (owner, taskId) => cancel(parts, owner, taskId),
    subscribe: async (owner, taskId) => subscribe(parts, owner, taskId),
    settled: (owner, taskId, signal) => settled(parts, owner, taskId, signal),
    recover: (tasks, trace) => recoverTasks(parts, tasks, trace),
    push: createPushConfigs(parts),
    observe(listener) {
      parts.observers.add(listener);
      return () => void parts.observers.delete(listener);
    },
    running: () => parts.places.holders().map(runningTask),
    stats: () => stats(parts),
    isQuiet: () => isQuiet(parts),
    stop(reason) {
      upkeep?.stop();
      stopped ??= stopEngine(parts, reason);
      return stopped;
    },
  };
}

function createParts(deps: EngineDeps, graces: EngineGraces): EngineParts {
  const contexts = createContextQueue<TaskRecord>((ownerKey, contextId) => parts.table.only(ownerKey, contextId));
  const book = createPushBook();
  const resends = createResends(deps.clock, deps.store?.mark);
  const parts: EngineParts = {
    ...deps,
    graces,
    isoTime: createIsoTimes(),
    contexts,
    places: createPlaces(deps.clock, deps.limits),
    table: createTaskTable({ ...deps, contexts, onForget: book.forget }),
    commits: createCommitQueue(deps),
    book,
    resends,
    observers: new Set([resends.hear]),
    counts: { completed: 0, failed: 0 },
    onQuestion: (record) => openQuestionWindow(parts, record),
    onStoreFailure: (record) => failUnstored(parts, record),
    stopReason: undefined,
  };
  return parts;
}

async function cancel(parts: EngineParts, owner: Principal, taskId: string): Promise<Task> {
  const found = parts.table.find(owner, taskId);
  if (isKept(found)) {
    if (found.state !== "TASK_STATE_CANCELED") throw notCancelable(taskId, found.state);
    return parts.table.read(found);
  }
  endTask(parts, found, { state: "TASK_STATE_CANCELED" });
  const task = await endOf(found);
  if (task.status.state !== "TASK_STATE_CANCELED") throw notCancelable(taskId, task.status.state);
  return task;
}

/** The task once its end is visible. */
function endOf(record: TaskRecord): Task | Promise<Task> {
  const task = visibleTask(record);
  return isTerminal(task.status.state) ? task : record.waiters.wait("ended");
}

function subscribe(parts: EngineParts, owner: Principal, taskId: string): Subscription {
  const found = parts.table.find(owner, taskId);
  if (!isKept(found)) return openSubscription(found, visibleTask(found));
  throw notFollowed(taskId, found.state);
}

async function settled(
  parts: EngineParts,
  owner: Principal,
  taskId: string,
  signal: StopSignal | undefined,
): Promise<Task> {
  const found = parts.table.find(owner, taskId);
  if (isKept(found)) return parts.table.read(found);
  return settledRecord(found, signal);
}

function taskOf({ table }: EngineParts, found: TaskRecord | KeptTask): Task | Promise<Task> {
  return isKept(found) ? table.read(found) : visibleTask(found);
}

function visibleTask({ visible, decided }: TaskRecord): Task {
  return visible ?? decided;
}

function runningTask({ id, conversation, owner, turn, startedAt }: TaskRecord): RunningTask {
  return { taskId: id, contextId: conversation.contextId, owner, detached: turn.detached, startedAt };
}

function isQuiet({ places, commits, table }: EngineParts): boolean {
  return places.holders().length === 0 && commits.isIdle() && table.live().every(rests);
}

function rests(record: TaskRecord): boolean {
  return isAsking(record) && record.run === undefined && record.feeds.size === 0 && record.waiters.size === 0;
}

function stats({ places, table, counts, limits }: EngineParts): EngineStats {
  const waiting = table.live().filter((record) => record.conversation.waiting.includes(record)).length;
  return {
    running: places.holders().length,
    waiting,
    maxConcurrent: limits().maxConcurrent,
    tasks: table.size,
    ...counts,
  };
}
