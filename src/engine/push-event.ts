// The events by which the webhooks of a task are kept. They are no events of the task: they change nothing that callers see of it,
// and they come also when it has ended. Only the sink hears of them; it may get them before the event that starts their task.

import type { PushConfig } from "../core/protocol/types.ts";

interface PushEventBase {
  readonly taskId: string;
  readonly contextId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A webhook was made, or replaced the one with its id. */
export type PushSetEvent = PushEventBase & { readonly kind: "push-set"; readonly config: PushConfig };

export type PushDeletedEvent = PushEventBase & { readonly kind: "push-deleted"; readonly configId: string };

/** The webhook has heard of the end or the question that came `at`, or will never hear of it: nothing is left to send. */
export type PushToldEvent = PushEventBase & { readonly kind: "push-told"; readonly configId: string };

export type PushEvent = PushSetEvent | PushDeletedEvent | PushToldEvent;

export type PushConfigsById = ReadonlyMap<string, PushConfig>;

/** The webhooks of one task after `event`. */
export function foldPushEvent(configs: PushConfigsById, event: PushEvent): PushConfigsById {
  if (event.kind === "push-told") return configs;
  const next = new Map(configs);
  if (event.kind === "push-set") next.set(event.config.id, event.config);
  else next.delete(event.configId);
  return next;
}
