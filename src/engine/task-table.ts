// Owns the records in memory: finds and lists them for their owner and for nobody else, and lets finished ones go within the limits.
// Tasks that run, wait or ask are never let go.

import { A2aError } from "../core/platform/errors.ts";
import type { Principal } from "../core/ports.ts";
import type { ContextQueue } from "./context-queue.ts";
import type { EngineLimits, TaskPage } from "./engine-types.ts";
import { createRetention } from "./retention.ts";
import type { StatusEvent, SubmittedEvent } from "./task-event.ts";
import { createTaskIndex, type ListQuery } from "./task-index.ts";
import type { TaskRecord } from "./task-record.ts";
import { taskBytes } from "./task-size.ts";

const LONGEST_QUOTED_ID = 80;

export interface TaskTable {
  add(record: TaskRecord): void;
  /** Forgets a record whose acceptance failed. */
  remove(record: TaskRecord): void;
  /** Marks it as finished; the oldest finished ones may go now. */
  finish(record: TaskRecord): void;
  /** The shown task of this owner; throws TASK_NOT_FOUND for unknown, unshown and foreign ids alike. */
  find(owner: Principal, taskId: string): TaskRecord;
  /** Whether `find` would give a task. */
  has(owner: Principal, taskId: string): boolean;
  /** Puts a shown task where its new status belongs in the lists of its owner. */
  list(record: TaskRecord, event: StatusEvent | SubmittedEvent): void;
  /** The shown tasks of this owner that match, as everybody may see them. */
  page(owner: Principal, query: ListQuery): TaskPage;
  /** Unfinished records, oldest first. */
  live(): readonly TaskRecord[];
  /** Throws BUSY when unfinished tasks alone fill the memory. */
  assertRoom(): void;
  readonly size: number;
}

/** `onForget` hears of each task that is no longer kept. */
export function createTaskTable(
  contexts: ContextQueue<TaskRecord>,
  limits: () => EngineLimits,
  onForget: (taskId: string) => void,
): TaskTable {
  const records = new Map<string, TaskRecord>();
  const live = new Set<TaskRecord>();
  const finished = createRetention<TaskRecord>();
  const index = createTaskIndex();

  const forget = (record: TaskRecord): void => {
    if (!records.delete(record.id)) return;
    if (record.listed !== undefined) index.remove(record.listed);
    record.conversation.tasks -= 1;
    contexts.tidy(record.conversation);
    onForget(record.id);
  };

  const shown = (owner: Principal, taskId: string): TaskRecord | undefined => {
    const record = records.get(taskId);
    return record?.shown === true && record.owner.key === owner.key ? record : undefined;
  };

  return {
    add(record) {
      records.set(record.id, record);
      live.add(record);
      record.conversation.tasks += 1;
    },
    remove(record) {
      live.delete(record);
      forget(record);
    },
    finish(record) {
      if (!live.delete(record)) return;
      const bytes = record.visible === undefined ? 0 : taskBytes(record.visible);
      const { maxTasks, maxTaskBytes } = limits();
      const maxItems = maxTasks > 0 ? Math.max(1, maxTasks - live.size) : Number.POSITIVE_INFINITY;
      const maxBytes = maxTaskBytes > 0 ? maxTaskBytes : Number.POSITIVE_INFINITY;
      for (const old of finished.add(record.owner.key, { item: record, bytes }, { maxItems, maxBytes })) forget(old);
    },
    find(owner, taskId) {
      const record = shown(owner, taskId);
      if (record !== undefined) return record;
      throw new A2aError("TASK_NOT_FOUND", `no task ${taskId.slice(0, LONGEST_QUOTED_ID)}`);
    },
    has: (owner, taskId) => shown(owner, taskId) !== undefined,
    list(record, { at, status }) {
      const { id, owner, conversation, listed } = record;
      record.listed = { at, id, ownerKey: owner.key, contextId: conversation.contextId, state: status.state };
      index.put(record.listed, listed);
    },
    page(owner, query) {
      const { entries, total, more } = index.page(owner.key, query);
      return { tasks: entries.flatMap(({ id }) => records.get(id)?.visible ?? []), total, more };
    },
    live: () => [...live],
    assertRoom() {
      const { maxTasks } = limits();
      if (maxTasks <= 0 || live.size < maxTasks) return;
      throw new A2aError("BUSY", `busy: ${live.size} tasks have not ended, most of them wait for an answer`, {
        hint: "Answer or cancel the tasks that ask, or raise a2a.server.maxTasks.",
      });
    },
    get size() {
      return records.size;
    },
  };
}
