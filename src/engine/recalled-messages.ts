// Owns which messages of a task from before its caller may send again, in each spelling in which they may come: what the caller left
// out was filled in when the message came.

import type { Message, Task } from "../core/protocol/types.ts";
import { messageKey } from "./message-key.ts";

/** One message; its keys are equal to those of messageKey, the one of the shortest spelling first. */
export type Spellings = readonly string[];

/**
 * Those after the last question: what came before led to it, and was answered. `first` began the task; undefined when it is not known
 * any more.
 */
export function recalledMessages({ id, history = [] }: Task, first: Message | undefined): readonly Spellings[] {
  const question = history.findLastIndex(({ role }) => role !== "ROLE_USER");
  // Of many messages the history has lost the first.
  const lost = question < 0 && first !== undefined && history[0]?.messageId !== first.messageId ? [first] : [];
  return [...lost, ...history.slice(question + 1)].map((message) => spellings(id, message, first));
}

function spellings(id: string, inPlace: Message, first: Message | undefined): Spellings {
  const { contextId, taskId: _taskId, ...message } = inPlace;
  const asSent = message.messageId === first?.messageId ? message : { ...message, taskId: id };
  return (contextId === undefined ? [asSent] : [asSent, { ...asSent, contextId }]).map(messageKey);
}
