// Owns which tasks there are: finds and lists them for their owner and for nobody else, and lets finished ones go within the limits.
// Tasks that run, wait or ask are never let go.

import { A2aError } from "../core/platform/errors.ts";
import type { Log } from "../core/platform/log.ts";
import type { Principal } from "../core/ports.ts";
import type { Task } from "../core/protocol/types.ts";
import type { WholeTask } from "./body-cache.ts";
import type { ContextQueue, Conversation } from "./context-queue.ts";
import type { EngineLimits, TaskPage } from "./engine-types.ts";
import type { TaskBody, TaskStore } from "./event-sink.ts";
import { isKept, type KeptTask, keptTask } from "./kept-task.ts";
import { createKeptTasks } from "./kept-tasks.ts";
import type { StatusEvent, SubmittedEvent } from "./task-event.ts";
import { createTaskIndex, type IndexEntry, type ListQuery } from "./task-index.ts";
import type { TaskRecord } from "./task-record.ts";

const LONGEST_QUOTED_ID = 80;

export interface TaskTable {
  add(record: TaskRecord): void;
  /** Forgets a record whose acceptance failed. */
  remove(record: TaskRecord): void;
  /** The record has ended and was stored as `body`, if a store has it; the oldest finished tasks may go now. */
  finish(record: TaskRecord, body: TaskBody | undefined): void;
  /** Takes in a task of this conversation that ended before; give the oldest first. */
  keep(task: KeptTask, conversation: Conversation<TaskRecord>): void;
  /** The shown task of this owner; throws TASK_NOT_FOUND for unknown, unshown and foreign ids alike. */
  find(owner: Principal, taskId: string): TaskRecord | KeptTask;
  /** Whether `find` would give a task. */
  has(owner: Principal, taskId: string): boolean;
  /** The id of the one task of this context, when it has ended. */
  only(ownerKey: string, contextId: string): string | undefined;
  /** The ids of so many shown tasks of this context, newest status first. */
  newestOf(ownerKey: string, contextId: string, most: number): readonly string[];
  /** The whole of a task that has ended. */
  read(task: KeptTask): Promise<Task>;
  /** The shown task of this owner as A2A 1.0 writes it, when it has ended and that is at hand. */
  json(owner: Principal, taskId: string): string | undefined;
  /** Whoever owns it, and whether it is shown or not. */
  get(taskId: string): TaskRecord | KeptTask | undefined;
  /** Puts a shown task where its new status belongs in the lists of its owner. */
  list(record: TaskRecord, event: StatusEvent | SubmittedEvent): void;
  /** The shown tasks of this owner that match, as everybody may see them. */
  page(owner: Principal, query: ListQuery): Promise<TaskPage>;
  /** Unfinished records, oldest first. */
  live(): readonly TaskRecord[];
  /** Lets finished tasks go that are older than the limit. */
  expire(now: number): void;
  /** Throws BUSY when unfinished tasks alone fill the memory. */
  assertRoom(): void;
  readonly size: number;
}

export interface TableDeps {
  readonly contexts: ContextQueue<TaskRecord>;
  readonly limits: () => EngineLimits;
  readonly log: Log;
  readonly store?: TaskStore;
  /** Hears of each task that is no longer kept. */
  readonly onForget: (taskId: string) => void;
}

export function createTaskTable({ contexts, limits, log, store, onForget }: TableDeps): TaskTable {
  const live = new Map<string, TaskRecord>();
  const index = createTaskIndex();
  const kept = createKeptTasks({
    ...{ limits, log, others: () => live.size },
    ...(store === undefined ? {} : { store }),
    onForget(task) {
      // Opened while the task is still there: the conversation may have to be made from it.
      const conversation = contexts.open(task.ownerKey, task.contextId);
      if (!task.hidden) index.remove(task);
      leave(conversation);
      onForget(task.id);
    },
  });
  const leave = (conversation: Conversation<TaskRecord>): void => {
    conversation.tasks -= 1;
    contexts.tidy(conversation);
  };
  const shown = (owner: Principal, taskId: string): TaskRecord | KeptTask | undefined => {
    const record = live.get(taskId);
    if (record !== undefined) return record.shown && record.owner.key === owner.key ? record : undefined;
    const task = kept.get(taskId);
    return task !== undefined && !task.hidden && task.ownerKey === owner.key ? task : undefined;
  };

  const whole = (taskId: string): Task | Promise<Task> | undefined => {
    const task = kept.get(taskId);
    return task === undefined ? live.get(taskId)?.visible : kept.read(task);
  };

  return {
    add(record) {
      live.set(record.id, record);
      record.conversation.tasks += 1;
    },
    remove(record) {
      if (!live.delete(record.id)) return;
      if (record.listed !== undefined) index.remove(record.listed);
      store?.forget(record.id, undefined);
      leave(record.conversation);
      onForget(record.id);
    },
    finish(record, body) {
      if (!live.delete(record.id)) return;
      const task = keptTask(record, body);
      if (!task.hidden) index.put(task, record.listed);
      kept.add(task, wholeOf(record));
      contexts.tidy(record.conversation);
    },
    keep(task, conversation) {
      conversation.tasks += 1;
      if (!task.hidden) index.put(task, undefined);
      kept.add(task);
    },
    find: (owner, taskId) => shown(owner, taskId) ?? refuse(taskId),
    only: (ownerKey, contextId) => kept.get(index.only(ownerKey, contextId)?.id ?? "")?.id,
    newestOf: (ownerKey, contextId, limit) => index.page(ownerKey, { contextId, limit }).entries.map(({ id }) => id),
    has: (owner, taskId) => shown(owner, taskId) !== undefined,
    read: kept.read,
    json: (owner, taskId) => (hasEnded(shown(owner, taskId)) ? kept.json(taskId) : undefined),
    get: (taskId) => live.get(taskId) ?? kept.get(taskId),
    list(record, event) {
      const { listed } = record;
      record.listed = entryOf(record, event);
      index.put(record.listed, listed);
    },
    async page(owner, query) {
      const { entries, total, more } = index.page(owner.key, query);
      return { tasks: await Promise.all(entries.flatMap(({ id }) => whole(id) ?? [])), total, more };
    },
    live: () => [...live.values()],
    expire: kept.expire,
    assertRoom: () => assertRoom(limits(), live.size),
    get size() {
      return live.size + kept.size;
    },
  };
}

function hasEnded(found: TaskRecord | KeptTask | undefined): boolean {
  return found !== undefined && isKept(found);
}

function entryOf({ id, owner, conversation }: TaskRecord, { at, status }: StatusEvent | SubmittedEvent): IndexEntry {
  return { at, id, ownerKey: owner.key, contextId: conversation.contextId, state: status.state };
}

function wholeOf({ json, submitted }: TaskRecord): WholeTask | undefined {
  return json === undefined ? undefined : { json, dialect: submitted.dialect };
}

function refuse(taskId: string): never {
  throw new A2aError("TASK_NOT_FOUND", `no task ${taskId.slice(0, LONGEST_QUOTED_ID)}`);
}

function assertRoom({ maxTasks }: EngineLimits, unfinished: number): void {
  if (maxTasks <= 0 || unfinished < maxTasks) return;
  throw new A2aError("BUSY", `busy: ${unfinished} tasks have not ended, most of them wait for an answer`, {
    hint: "Answer or cancel the tasks that ask, or raise a2a.server.maxTasks.",
  });
}
