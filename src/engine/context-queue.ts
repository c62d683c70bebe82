// Owns conversations: the context of one caller, in which one run goes at a time and the others wait in order. The same context
// id of another caller is another conversation. Kept as long as a task, a run or a waiting message needs it.

export interface Conversation<T> {
  readonly ownerKey: string;
  readonly contextId: string;
  /** Who runs now. */
  active: T | undefined;
  /** Who comes after it, oldest first. */
  readonly waiting: T[];
  /** The task whose run began last; the next new task starts from a copy of its conversation. */
  lastRanTaskId: string | undefined;
  /** Tasks in memory that belong here. */
  tasks: number;
}

export interface ContextQueue<T> {
  /** The caller's conversation of this name; made when there is none. */
  open(ownerKey: string, contextId: string): Conversation<T>;
  /** Forgets the conversation when nothing needs it any more. */
  tidy(conversation: Conversation<T>): void;
  readonly size: number;
}

export function createContextQueue<T>(): ContextQueue<T> {
  const conversations = new Map<string, Conversation<T>>();
  return {
    open(ownerKey, contextId) {
      const key = keyOf(ownerKey, contextId);
      const known = conversations.get(key);
      if (known !== undefined) return known;
      const fresh = { ownerKey, contextId, active: undefined, waiting: [], lastRanTaskId: undefined, tasks: 0 };
      conversations.set(key, fresh);
      return fresh;
    },
    tidy({ ownerKey, contextId, active, waiting, tasks }) {
      if (active === undefined && waiting.length === 0 && tasks === 0) conversations.delete(keyOf(ownerKey, contextId));
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
