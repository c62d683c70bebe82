// What a store keeps of replies that have reached their callers: without it a start cannot tell which messages lead to their task when
// they come again.

import { keyDigest } from "./message-key.ts";
import type { Spellings } from "./recalled-messages.ts";

export interface DeliveryMark {
  readonly taskId: string;
  /** Of one message, while others of the task are still to be answered; undefined: the task has ended, and all are. */
  readonly message: string | undefined;
}

/** Long enough to tell the messages of one task apart. */
const LENGTH = 12;

export function markOf(taskId: string, key: string | undefined): DeliveryMark {
  return { taskId, message: key === undefined ? undefined : nameOf(key) };
}

function nameOf(key: string): string {
  return keyDigest(key).slice(0, LENGTH);
}

/** Whether the message has such a mark. */
export function isMarked(keys: Spellings, marked: ReadonlySet<string>): boolean {
  return keys.some((key) => marked.has(nameOf(key)));
}
