// Owns who may run: a free slot and a context in which nobody runs, or a place in the line behind a busy context, or BUSY at once
// with what holds the slots. A waiting message takes over its predecessor's slot.

import type { Clock } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";
import type { EngineLimits } from "./engine-types.ts";
import { createSlots, type Slots } from "./slots.ts";
import type { TaskRecord } from "./task-record.ts";

export const MAX_WAITING_PER_CONTEXT = 8;
const RETRY_AFTER_SEC = 5;

export interface Places {
  /** Gives `record` a slot, or a place in line, for a turn that is detached or not. Throws BUSY, and then nothing has changed. */
  enter(record: TaskRecord, detached: boolean): void;
  holdsSlot(record: TaskRecord): boolean;
  /** Gives up slot or place; returns the next of the context, which holds the slot now. */
  leave(record: TaskRecord): TaskRecord | undefined;
  /** Who holds a slot, in the order in which they got it. */
  holders(): readonly TaskRecord[];
}

type SlotLimits = Pick<EngineLimits, "maxConcurrent" | "maxDetached">;

export function createPlaces(clock: Clock, limits: () => SlotLimits): Places {
  const slots = createSlots<TaskRecord>(() => limits().maxConcurrent);
  return {
    enter(record, detached) {
      const { conversation } = record;
      if (detached) assertDetachedRoom(slots.holders(), record, limits().maxDetached, clock.now());
      if (conversation.active !== undefined) return joinLine(record);
      if (!slots.take(record)) throw allTaken(slots.holders(), record.owner.key, clock.now());
      conversation.active = record;
      record.startedAt = clock.now();
    },
    holdsSlot: (record) => record.conversation.active === record,
    leave(record) {
      const { conversation } = record;
      if (conversation.active === record) return passOn(slots, record, clock.now());
      const at = conversation.waiting.indexOf(record);
      if (at !== -1) conversation.waiting.splice(at, 1);
      return undefined;
    },
    holders: slots.holders,
  };
}

/** A line hands one slot on, so its context counts once, and also when a detached message only waits in it. */
function assertDetachedRoom(
  holders: readonly TaskRecord[],
  { conversation, owner }: TaskRecord,
  most: number | undefined,
  now: number,
): void {
  if (most === undefined) return;
  const pinned = holders.filter(
    (holder) => holder.conversation !== conversation && [holder, ...holder.conversation.waiting].some(isDetached),
  );
  if (pinned.length < most) return;
  const what = `all ${most} slots for detached tasks are taken`;
  const hint = "Send it without returnImmediately, wait for a detached task to end,";
  throw taken(pinned, owner.key, now, { what, hint, setting: "a2a.server.maxDetached" });
}

function isDetached({ turn }: TaskRecord): boolean {
  return turn.detached;
}

function joinLine(record: TaskRecord): void {
  const { waiting } = record.conversation;
  if (waiting.length >= MAX_WAITING_PER_CONTEXT) {
    throw new A2aError("BUSY", `${waiting.length} messages already wait in this context`, {
      hint: "Wait for a task of this context to end, cancel one, or use another context.",
      metadata: { waiting: String(waiting.length) },
      retryAfterSec: RETRY_AFTER_SEC,
    });
  }
  waiting.push(record);
}

function passOn(slots: Slots<TaskRecord>, record: TaskRecord, now: number): TaskRecord | undefined {
  const { conversation } = record;
  const next = conversation.waiting.shift();
  conversation.active = next;
  if (next === undefined) {
    slots.free(record);
    return undefined;
  }
  slots.pass(record, next);
  next.startedAt = now;
  return next;
}

function allTaken(holders: readonly TaskRecord[], ownerKey: string, now: number): A2aError {
  const what = `all ${holders.length} slots are taken (${holders.filter(isDetached).length} by detached tasks)`;
  const hint = "Wait for a running task to end,";
  return taken(holders, ownerKey, now, { what, hint, setting: "a2a.server.maxConcurrent" });
}

interface Shortage {
  readonly what: string;
  readonly hint: string;
  readonly setting: string;
}

function taken(holders: readonly TaskRecord[], ownerKey: string, now: number, shortage: Shortage): A2aError {
  const oldestSec = Math.round((now - Math.min(now, ...holders.map(({ startedAt }) => startedAt))) / 1000);
  const own = holders.filter(({ owner, shown }) => shown && owner.key === ownerKey).map(({ id }) => id);
  const cancelOwn = own.length === 0 ? "" : ` cancel one of yours (${own.join(", ")}),`;
  return new A2aError("BUSY", `busy: ${shortage.what}, the oldest since ${oldestSec} s`, {
    hint: `${shortage.hint}${cancelOwn} or raise ${shortage.setting}.`,
    metadata: {
      slots: String(holders.length),
      detached: String(holders.filter(isDetached).length),
      oldestSec: String(oldestSec),
      ...(own.length === 0 ? {} : { ownTasks: own.join(",") }),
    },
    retryAfterSec: RETRY_AFTER_SEC,
  });
}
