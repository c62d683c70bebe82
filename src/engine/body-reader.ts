// Owns reading tasks that have ended: from memory, or from where they are kept. One that cannot be read any more still has its id and
// its state, and says what is the matter.

import { isoTime } from "../core/platform/clock.ts";
import type { Log } from "../core/platform/log.ts";
import type { Task } from "../core/protocol/types.ts";
import { createBodyCache, type WholeTask } from "./body-cache.ts";
import type { TaskStore } from "./event-sink.ts";
import { isInMemory, type KeptTask } from "./kept-task.ts";

export interface BodyReader {
  /** Never rejects. */
  read(task: KeptTask): Promise<Task>;
  /** As A2A 1.0 writes it, when that is at hand. */
  json(taskId: string): string | undefined;
  /** It was just seen, and will be asked for soon. */
  remember(taskId: string, whole: WholeTask): void;
  forget(taskId: string): void;
}

export function createBodyReader(log: Log, store: TaskStore | undefined): BodyReader {
  const cache = createBodyCache();
  return {
    async read(kept) {
      if (isInMemory(kept.body)) return kept.body.task;
      const known = cache.get(kept.id);
      if (known !== undefined || store === undefined) return known ?? unreadable(kept, "");
      try {
        const task = await store.read(kept.id, kept.body);
        cache.put(task);
        return task;
      } catch (error) {
        return unreadable(kept, ` (log id ${log.fault(`reading ${kept.id}`, error)})`);
      }
    },
    json: cache.json,
    remember: cache.putJson,
    forget: cache.forget,
  };
}

function unreadable({ id, contextId, state, at }: KeptTask, details: string): Task {
  const text = `the rest of this task cannot be read on the answering session's disk${details}`;
  const message = {
    messageId: `${id}-unreadable`,
    role: "ROLE_AGENT",
    parts: [{ text }],
    taskId: id,
    contextId,
  } as const;
  return { id, contextId, status: { state, timestamp: isoTime(at), message } };
}
