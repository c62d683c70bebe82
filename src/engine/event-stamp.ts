// Owns what turns a draft into an event: ids, a time that never goes back within a task, and the status with its message.

import type { Clock } from "../core/platform/clock.ts";
import type { Ids } from "../core/platform/ids.ts";
import type { Message, Part, TaskState, TaskStatus } from "../core/protocol/types.ts";
import type { TaskEvent } from "./task-event.ts";
import type { Draft } from "./task-machine.ts";
import type { TaskRecord } from "./task-record.ts";

interface Stamps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly isoTime: (ms: number) => string;
}

interface Place {
  readonly taskId: string;
  readonly contextId: string;
}

/** The event's time, not before the task's last one. */
export function nextTime(clock: Clock, record: Pick<TaskRecord, "decidedAt">): number {
  return Math.max(clock.now(), record.decidedAt);
}

export function placeOf(record: Pick<TaskRecord, "id" | "conversation">): Place {
  return { taskId: record.id, contextId: record.conversation.contextId };
}

export function stampDraft(stamps: Stamps, record: TaskRecord, draft: Draft): TaskEvent {
  const at = nextTime(stamps.clock, record);
  const place = placeOf(record);
  if (draft.kind === "artifact") return stampArtifact(draft, place, at);
  if (draft.kind === "metadata") return { ...draft, ...place, at };
  const message = draft.parts === undefined ? undefined : agentMessage(stamps.ids, place, draft.parts);
  return { kind: "status", ...place, at, status: statusAt(stamps, at, draft.state, message) };
}

/** Member by member: each piece of live text comes through here, and copies of two objects at once are slow. */
function stampArtifact(draft: Extract<Draft, { kind: "artifact" }>, place: Place, at: number): TaskEvent {
  const { kind, artifact, append, lastChunk, provisional } = draft;
  return { kind, artifact, append, lastChunk, provisional, taskId: place.taskId, contextId: place.contextId, at };
}

export function statusAt(
  { isoTime }: Pick<Stamps, "isoTime">,
  at: number,
  state: TaskState,
  message?: Message,
): TaskStatus {
  const timestamp = isoTime(at);
  return message === undefined ? { state, timestamp } : { state, timestamp, message };
}

/** A message of the agent in this task; undefined when it would say nothing. */
function agentMessage(ids: Ids, place: Place, parts: readonly Part[]): Message | undefined {
  if (parts.length === 0) return undefined;
  return { messageId: ids.message(), role: "ROLE_AGENT", parts, ...place };
}
