// Owns the webhooks of tasks as callers make, read and delete them (A2A 1.0 §3.1.7-3.1.10): each change is stored before it counts,
// and only the owner of a task reaches its webhooks.

import { A2aError } from "../core/platform/errors.ts";
import type { Principal } from "../core/ports.ts";
import type { PushConfig, PushTarget } from "../core/protocol/types.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { PushConfigs, SubmitRequest, Untold } from "./engine-types.ts";
import { nextTime, placeOf } from "./event-stamp.ts";
import { isKept, type KeptTask } from "./kept-task.ts";
import { commit } from "./ledger.ts";
import type { PushEvent, PushSetEvent } from "./push-event.ts";
import { isAsking, type TaskRecord } from "./task-record.ts";

const LONGEST_QUOTED_ID = 80;

export function createPushConfigs(parts: EngineParts): PushConfigs {
  const { table, book } = parts;
  return {
    async set(owner, taskId, target) {
      const found = table.find(owner, taskId);
      book.assertRoom(taskId, target);
      const event = setEvent(parts, found, target);
      await change(parts, found, event);
      return event.config;
    },
    get: async (owner, taskId, id) => find(parts, owner, taskId, id),
    list: async (owner, taskId) => [...(book.kept(table.find(owner, taskId).id)?.values() ?? [])].sort(byId),
    async delete(owner, taskId, id) {
      const found = table.find(owner, taskId);
      if (!book.decided(taskId).has(id)) return;
      await change(parts, found, { kind: "push-deleted", ...frameOf(parts, found), configId: id });
    },
    of(taskId) {
      const kept = book.kept(taskId);
      return kept === undefined ? undefined : [...kept.values()];
    },
    told: (config, at) => told(parts, config, at),
    untold: () => untold(parts),
  };
}

/** Past the queue of commits, which is closed by the time that the last deliveries of a server end. Nobody waits for it. */
function told({ book, sink, log, table }: EngineParts, { taskId, id }: PushConfig, at: number): void {
  const found = table.get(taskId);
  if (found === undefined) return;
  const contextId = isKept(found) ? found.contextId : found.conversation.contextId;
  const event = { kind: "push-told", taskId, contextId, at, configId: id } as const;
  book.plan(event).done();
  sink.write([{ event }]).catch((error: unknown) => void log.fault("storing that a webhook was told", error));
}

async function untold({ book, table }: EngineParts): Promise<readonly Untold[]> {
  const all: Untold[] = [];
  for (const taskId of book.tasks()) {
    const found = table.get(taskId);
    if (found === undefined || (!isKept(found) && !isAsking(found))) continue;
    const at = isKept(found) ? found.at : found.decidedAt;
    const configs = book.untold(taskId, at);
    if (configs.length > 0) all.push({ task: isKept(found) ? await table.read(found) : found.decided, at, configs });
  }
  return all;
}

/** Throws when the webhook of a message has no room; `taskId` is undefined for a task that is still to come. */
export function checkWebhook({ book }: EngineParts, taskId: string | undefined, { push }: SubmitRequest): void {
  if (push !== undefined) book.assertRoom(taskId ?? "", push);
}

/**
 * Keeps the webhook that came with a message. Called before the first event of the message is committed and in the same turn: both are
 * stored together or not at all, and the webhook is there when that event becomes visible.
 */
export function attachWebhook(parts: EngineParts, record: TaskRecord, { push }: SubmitRequest): void {
  if (push === undefined) return;
  const event = setEvent(parts, record, push);
  const { done, failed } = parts.book.plan(event);
  commit(parts, record, event, { done, failed, dropped: failed });
}

/**
 * Gives a task the webhook that came with a message which is known already; one with its id, or without an id one that leads to the
 * same address, is replaced: the first of the two messages may have brought it. Resolves when it is stored.
 */
export async function setWebhook(parts: EngineParts, found: TaskRecord | KeptTask, target: PushTarget): Promise<void> {
  const known = [...parts.book.decided(found.id).values()].find(({ url }) => url === target.url);
  const named = target.id === undefined && known !== undefined ? { ...target, id: known.id } : target;
  parts.book.assertRoom(found.id, named);
  await change(parts, found, setEvent(parts, found, named));
}

function change(parts: EngineParts, found: TaskRecord | KeptTask, event: PushEvent): Promise<void> {
  const planned = parts.book.plan(event);
  return new Promise((resolve, reject) => {
    const failed = (): void => {
      planned.failed();
      reject(new A2aError("NOT_STORED", "the change of the push config could not be stored; nothing was changed"));
    };
    const done = (): void => {
      planned.done();
      resolve();
    };
    if (isKept(found)) parts.commits.add({ stored: { event }, wanted: () => true, done, failed, dropped: failed });
    else commit(parts, found, event, { done, failed, dropped: failed });
  });
}

function frameOf({ clock }: EngineParts, found: TaskRecord | KeptTask): Omit<PushSetEvent, "kind" | "config"> {
  if (!isKept(found)) return { ...placeOf(found), at: nextTime(clock, found) };
  return { taskId: found.id, contextId: found.contextId, at: Math.max(clock.now(), found.at) };
}

function setEvent(parts: EngineParts, found: TaskRecord | KeptTask, target: PushTarget): PushSetEvent {
  const id = target.id ?? `push-${parts.ids.token()}`;
  const { url, token, authentication } = target;
  const config: PushConfig = {
    taskId: found.id,
    id,
    url,
    ...(token === undefined ? {} : { token }),
    ...(authentication === undefined ? {} : { authentication }),
  };
  return { kind: "push-set", ...frameOf(parts, found), config };
}

function find({ table, book }: EngineParts, owner: Principal, taskId: string, id: string): PushConfig {
  const config = book.kept(table.find(owner, taskId).id)?.get(id);
  if (config !== undefined) return config;
  throw new A2aError("TASK_NOT_FOUND", `task ${taskId} has no push config ${id.slice(0, LONGEST_QUOTED_ID)}`, {
    hint: "List the push configs of the task.",
  });
}

function byId(a: PushConfig, b: PushConfig): number {
  return a.id < b.id ? -1 : 1;
}
