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

export function createRandomIds(): Ids {
  const hex = (): string => randomBytes(8).toString("hex");
  return {
    task: () => `task-${hex()}`,
    context: () => `ctx-${hex()}`,
    message: () => randomUUID(),
    token: hex,
    span: hex,
  };
}
