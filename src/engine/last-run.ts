// Owns which task of a context ran last, where the engine is not the only one that knows some: the next message goes on from its
// conversation.

import type { LastRun } from "./context-queue.ts";
import type { EngineParts } from "./engine-parts.ts";
import { isKept } from "./kept-task.ts";
import type { TaskRecord } from "./task-record.ts";

type Conversation = TaskRecord["conversation"];

/** As far as the engine knows; of a task that has ended only the end is known, which is not before its beginning. */
export function lastRunOf({ table }: Pick<EngineParts, "table">, conversation: Conversation): LastRun | undefined {
  const { lastRanTaskId: taskId } = conversation;
  if (taskId === undefined) return undefined;
  const found = table.get(taskId);
  if (found === undefined) return { taskId, ranAt: 0 };
  return { taskId, ranAt: isKept(found) ? found.at : (found.ranAt ?? found.decidedAt) };
}

/** The context goes on from what ran elsewhere, unless something ran here after it. */
export function goOnFrom(
  parts: Pick<EngineParts, "table">,
  conversation: Conversation,
  run: LastRun | undefined,
): void {
  if (run === undefined || run.ranAt <= (lastRunOf(parts, conversation)?.ranAt ?? -1)) return;
  conversation.lastRanTaskId = run.taskId;
}
