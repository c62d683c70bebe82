// Owns the tasks that have ended: the few bytes of each that are in memory, within the limits, and reading the rest.

import type { Log } from "../core/platform/log.ts";
import type { Task } from "../core/protocol/types.ts";
import type { WholeTask } from "./body-cache.ts";
import { createBodyReader } from "./body-reader.ts";
import type { EngineLimits } from "./engine-types.ts";
import type { TaskStore } from "./event-sink.ts";
import { isInMemory, type KeptTask } from "./kept-task.ts";
import { createRetention, type RetentionLimits } from "./retention.ts";

export interface KeptTasks {
  get(taskId: string): KeptTask | undefined;
  /** As the newest of its owner; `whole` is at hand when it has just ended. The oldest ones may go now. */
  add(task: KeptTask, whole?: WholeTask): void;
  /** As A2A 1.0 writes it, when that is at hand. */
  json(taskId: string): string | undefined;
  /** Never rejects. */
  read(task: KeptTask): Promise<Task>;
  /** Lets those go that are older than the limit. */
  expire(now: number): void;
  readonly size: number;
}

export interface KeptTasksDeps {
  readonly limits: () => EngineLimits;
  readonly log: Log;
  readonly store?: TaskStore;
  /** Tasks that count for the limit, and are not here. */
  readonly others: () => number;
  /** Hears of each task just before it goes. */
  readonly onForget: (task: KeptTask) => void;
}

export function createKeptTasks({ limits, log, store, others, onForget }: KeptTasksDeps): KeptTasks {
  const kept = new Map<string, KeptTask>();
  const retention = createRetention<KeptTask>();
  const bodies = createBodyReader(log, store);
  store?.locate((taskId) => kept.get(taskId)?.body);

  const forget = (task: KeptTask): void => {
    onForget(task);
    kept.delete(task.id);
    bodies.forget(task.id);
    store?.forget(task.id, isInMemory(task.body) ? undefined : task.body);
  };
  return {
    get: (taskId) => kept.get(taskId),
    add(task, whole) {
      kept.set(task.id, task);
      if (whole !== undefined && !isInMemory(task.body)) bodies.remember(task.id, whole);
      for (const old of retention.add(task, boundsOf(limits(), others()))) forget(old);
    },
    read: bodies.read,
    json: bodies.json,
    expire(now) {
      const { retentionMs } = limits();
      if (retentionMs > 0) for (const old of retention.takeOlder(now - retentionMs)) forget(old);
    },
    get size() {
      return kept.size;
    },
  };
}

/** Of finished tasks, beside so many others. */
export function boundsOf({ maxTasks, maxTaskBytes }: EngineLimits, others: number): RetentionLimits {
  const maxItems = maxTasks > 0 ? Math.max(1, maxTasks - others) : Number.POSITIVE_INFINITY;
  return { maxItems, maxBytes: maxTaskBytes > 0 ? maxTaskBytes : Number.POSITIVE_INFINITY };
}
