// Owns the time limits of tasks: which one is in force, what a task is told when it closes, and its timer. Limits of any length
// work (the clock chains long timers); 0 is none.

import type { Clock } from "../core/platform/clock.ts";
import type { EngineLimits } from "./engine-types.ts";

export interface TimeLimit {
  readonly ms: number;
  /** Status message of the task when the limit is reached. */
  readonly text: string;
}

export interface Window {
  stop(): void;
}

/** From acceptance to the end: the reply window, or for detached tasks the supervision window. */
export function runLimit(limits: EngineLimits, detached: boolean): TimeLimit | undefined {
  const ms = detached ? limits.asyncTimeoutMs : limits.replyTimeoutMs;
  const setting = detached ? "a2a.server.asyncTimeoutSec" : "a2a.server.replyTimeoutSec";
  return limitOf(ms, `the task did not end within ${seconds(ms)} s, the limit of ${setting}`);
}

/** From a question to its answer. */
export function questionLimit({ asyncTimeoutMs: ms }: EngineLimits): TimeLimit | undefined {
  return limitOf(ms, `no answer within ${seconds(ms)} s, the limit of a2a.server.asyncTimeoutSec`);
}

/**
 * Calls `expired` when `limit` has passed since `since` (milliseconds since the epoch), at once when that is over. Never later than
 * `limit` from now: the clock may have been set back since.
 */
export function openWindow(clock: Clock, limit: TimeLimit, since: number, expired: (text: string) => void): Window {
  return clock.after(Math.max(0, Math.min(since, clock.now()) + limit.ms - clock.now()), () => expired(limit.text));
}

function limitOf(ms: number, text: string): TimeLimit | undefined {
  return ms > 0 ? { ms, text } : undefined;
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
