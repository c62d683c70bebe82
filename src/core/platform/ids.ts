// Owns randomness: ids of tasks, contexts, messages and artifacts. Everything else takes an Ids, so tests can count.

import { randomBytes, randomUUID } from "node:crypto";

export interface Ids {
  /** `task-` and 16 hex digits. */
  task(): string;
  /** `ctx-` and 16 hex digits. */
  context(): string;
  /** A UUID for a message. */
  message(): string;
  /** 16 hex digits for anything else. */
  token(): string;
  /** 16 hex digits for a span of a trace; two of them for a trace. */
  span(): string;
}

/** Bytes of chance that are fetched at a time: each fetch costs as much as all the rest of an id. */
const POOL_BYTES = 4096;
const ID_BYTES = 8;

export function createRandomIds(): Ids {
  let pool = Buffer.alloc(0);
  let used = 0;
  const hex = (): string => {
    if (used === pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += ID_BYTES;
    return pool.toString("hex", used - ID_BYTES, used);
  };
  return {
    task: () => `task-${hex()}`,
    context: () => `ctx-${hex()}`,
    message: () => randomUUID(),
    token: hex,
    span: hex,
  };
}
