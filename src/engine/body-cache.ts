// Owns which tasks that are kept elsewhere are in memory too: those used last, within a bound. Two generations instead of an order
// of single entries: taking one by one from the front of a Map gets slow.

import { decodeKeptTask } from "../core/protocol/decode-kept.ts";
import { taskJson } from "../core/protocol/encode.ts";
import type { Task } from "../core/protocol/types.ts";

const MAX_CACHE_BYTES = 4 * 1024 * 1024;
/** Of the ids and the object of one task that has not been read. */
const FRAME_BYTES = 64;

/** A task as text. */
export interface WholeTask {
  /** As A2A 1.0 writes it. */
  readonly json: string;
  /** What that does not tell. */
  readonly dialect: Task["dialect"];
}

export interface BodyCache {
  get(taskId: string): Task | undefined;
  /** The task as A2A 1.0 writes it. */
  json(taskId: string): string | undefined;
  put(task: Task): void;
  /** The same for a task that nobody may ever read as an object: its text takes far less. */
  putJson(taskId: string, whole: WholeTask): void;
  forget(taskId: string): void;
}

interface Entry extends WholeTask {
  /** Once it was read. */
  task: Task | undefined;
}

export function createBodyCache(maxBytes = MAX_CACHE_BYTES): BodyCache {
  let young = new Map<string, Entry>();
  let old = new Map<string, Entry>();
  let youngBytes = 0;
  const put = (taskId: string, entry: Entry): void => {
    const bytes = FRAME_BYTES + (entry.task === undefined ? 1 : 2) * entry.json.length;
    if (bytes > maxBytes / 2) return;
    if (youngBytes + bytes > maxBytes / 2) {
      old = young;
      young = new Map();
      youngBytes = 0;
    }
    young.set(taskId, entry);
    youngBytes += bytes;
  };
  const find = (taskId: string): Entry | undefined => {
    const entry = young.get(taskId);
    if (entry !== undefined) return entry;
    const older = old.get(taskId);
    if (older === undefined) return undefined;
    old.delete(taskId);
    put(taskId, older);
    return older;
  };
  return {
    get(taskId) {
      const entry = find(taskId);
      if (entry === undefined) return undefined;
      if (entry.task === undefined) {
        entry.task = parsed(entry);
        youngBytes += entry.json.length;
      }
      return entry.task;
    },
    json: (taskId) => find(taskId)?.json,
    put: (task) => put(task.id, { json: taskJson(task), dialect: task.dialect, task }),
    putJson: (taskId, { json, dialect }) => put(taskId, { json, dialect, task: undefined }),
    forget(taskId) {
      young.delete(taskId);
      old.delete(taskId);
    },
  };
}

function parsed({ json, dialect }: Entry): Task {
  const task = decodeKeptTask(JSON.parse(json));
  return dialect === undefined ? task : { ...task, dialect };
}
