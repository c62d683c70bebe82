// Owns conversations: the context of one caller, in which one run goes at a time and the others wait in order. The same context
// id of another caller is another conversation. Kept as long as a task, a run or a waiting message needs it, unless it can be made
// again from the one task that is left of it.

export interface Conversation<T> {
  readonly ownerKey: string;
  readonly contextId: string;
  /** Who runs now. */
  active: T | undefined;
  /** Who comes after it, oldest first. */
  readonly waiting: T[];
  /** The task whose run began last; the next new task starts from a copy of its conversation. */
  lastRanTaskId: string | undefined;
  /** Tasks that belong here. */
  tasks: number;
}

export interface LastRun {
  readonly taskId: string;
  /** When its run began, milliseconds since the epoch. */
  readonly ranAt: number;
}

export interface ContextQueue<T> {
  /** The caller's conversation of this name; made when there is none. */
  open(ownerKey: string, contextId: string): Conversation<T>;
  /** Forgets the conversation when nothing needs it any more. */
  tidy(conversation: Conversation<T>): void;
  readonly size: number;
}

/** `onlyTask` is the id of the task of a context, when it has ended and there is no other one. */
export function createContextQueue<T>(
  onlyTask: (ownerKey: string, contextId: string) => string | undefined,
): ContextQueue<T> {
  const conversations = new Map<string, Conversation<T>>();
  return {
    open(ownerKey, contextId) {
      const key = keyOf(ownerKey, contextId);
      const known = conversations.get(key);
      if (known !== undefined) return known;
      const only = onlyTask(ownerKey, contextId);
      const tasks = only === undefined ? 0 : 1;
      const fresh = { ownerKey, contextId, active: undefined, waiting: [], lastRanTaskId: only, tasks };
      conversations.set(key, fresh);
      return fresh;
    },
    tidy({ ownerKey, contextId, active, waiting, tasks, lastRanTaskId }) {
      if (active !== undefined || waiting.length > 0 || tasks > 1) return;
      const canBeMade = tasks === 0 || (lastRanTaskId !== undefined && onlyTask(ownerKey, contextId) === lastRanTaskId);
      if (canBeMade) conversations.delete(keyOf(ownerKey, contextId));
    },
    get size() {
      return conversations.size;
    },
  };
}

/** The length keeps `a` + `bc` apart from `ab` + `c`, whatever characters callers use. */
function keyOf(ownerKey: string, contextId: string): string {
  return `${ownerKey.length}:${ownerKey}:${contextId}`;
}
