// What is left in memory of a task that has ended: where it stands in the lists, and where the rest of it is. Small, because there is
// one for each finished task.

import type { Task } from "../core/protocol/types.ts";
import type { TaskBody } from "./event-sink.ts";
import type { IndexEntry } from "./task-index.ts";
import type { TaskRecord } from "./task-record.ts";
import { taskBytes } from "./task-size.ts";

/** Its lists' position is that of its end. */
export interface KeptTask extends IndexEntry {
  readonly body: HeldBody;
  /** A direct reply: nobody sees it, but its context goes on from it. */
  readonly hidden: boolean;
}

/** The task itself when no store keeps it. */
export interface MemoryBody extends TaskBody {
  readonly task: Task;
}

export type HeldBody = TaskBody | MemoryBody;

export function isInMemory(body: HeldBody): body is MemoryBody {
  return "task" in body;
}

/** Of a record that has ended; `body` as the sink gave it, absent when no sink keeps it. */
export function keptTask(record: TaskRecord, body: TaskBody | undefined): KeptTask {
  const { id, owner, conversation, decidedAt, shown, visible, decided } = record;
  const task = visible ?? decided;
  const hidden = !shown;
  return {
    at: decidedAt,
    id,
    ownerKey: owner.key,
    contextId: conversation.contextId,
    state: task.status.state,
    body: body ?? (hidden ? { bytes: 0 } : { bytes: taskBytes(task), task }),
    hidden,
  };
}

export function isKept(found: TaskRecord | KeptTask): found is KeptTask {
  return "body" in found;
}
