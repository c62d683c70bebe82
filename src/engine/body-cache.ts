// Owns which tasks that are kept elsewhere are in memory too: those used last, within a bound. Two generations instead of an order
// of single entries: taking one by one from the front of a Map gets slow.

import type { Task } from "../core/protocol/types.ts";
import { taskBytes } from "./task-size.ts";

const MAX_CACHE_BYTES = 4 * 1024 * 1024;

export interface BodyCache {
  get(taskId: string): Task | undefined;
  put(task: Task): void;
  forget(taskId: string): void;
}

export function createBodyCache(maxBytes = MAX_CACHE_BYTES): BodyCache {
  let young = new Map<string, Task>();
  let old = new Map<string, Task>();
  let youngBytes = 0;
  const put = (task: Task): void => {
    const bytes = taskBytes(task);
    if (bytes > maxBytes / 2) return;
    if (youngBytes + bytes > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(task.id, task);
    youngBytes += bytes;
  };
  return {
    get(taskId) {
      const task = young.get(taskId);
      if (task !== undefined) return task;
      const older = old.get(taskId);
      if (older === undefined) return undefined;
      old.delete(taskId);
      put(older);
      return older;
    },
    put,
    forget(taskId) {
      young.delete(taskId);
      old.delete(taskId);
    },
  };
}
