// Owns what was said in a conversation before a run: the tasks of its context, for a runner that has no memory of its own.

import type { Task } from "../core/protocol/types.ts";
import type { EngineParts } from "./engine-parts.ts";
import { isKept } from "./kept-task.ts";
import type { TaskRecord } from "./task-record.ts";

/** A runner that has not enough after so many small tasks gets no more. */
const MOST_TASKS = 100;

/**
 * The other tasks of the record's context and caller that have ended or ask, newest first; those that still wait for their turn are
 * left out, and so are those that nobody ever worked on. Each is read when it is asked for.
 */
export async function* earlierTasks({ table }: EngineParts, record: TaskRecord): AsyncGenerator<Task, void> {
  const { owner, conversation, id } = record;
  for (const taskId of table.newestOf(owner.key, conversation.contextId, MOST_TASKS)) {
    const found = table.get(taskId);
    if (found === undefined || taskId === id) continue;
    const task = isKept(found) ? await table.read(found) : found.visible;
    if (task !== undefined && wasWorkedOn(task)) yield task;
  }
}

function wasWorkedOn({ status }: Task): boolean {
  const { state } = status;
  return state !== "TASK_STATE_SUBMITTED" && state !== "TASK_STATE_WORKING" && state !== "TASK_STATE_REJECTED";
}
