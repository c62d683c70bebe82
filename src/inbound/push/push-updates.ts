// Turns the events of tasks into what webhooks are told (A2A 1.0 §4.3): every status, and every artifact once it is whole. Pieces
// are kept back: an update that is lost on the way must not garble the ones after it.

import { isInterrupted, isTerminal } from "../../core/protocol/task-state.ts";
import type { JsonObject, StreamResponse, Task, TaskStatus } from "../../core/protocol/types.ts";
import type { TaskEvent } from "../../engine/task-event.ts";

export interface PushUpdates {
  /** The updates that follow from `event`; `task` is the task after it. */
  of(event: TaskEvent, task: Task): readonly StreamResponse[];
  /** Tasks that something is kept of. */
  readonly tasks: number;
}

/** What is kept of a task between its events. */
interface Trail {
  /** Artifacts of which a piece has come and the last one has not. */
  readonly open: Set<string>;
  /** Task metadata has no update of its own: it travels with the status that follows it. */
  metadata: JsonObject | undefined;
}

export function createPushUpdates(): PushUpdates {
  const trails = new Map<string, Trail>();
  return {
    of(event, task) {
      const trail = trails.get(event.taskId) ?? { open: new Set(), metadata: undefined };
      if (isEnd(event)) trails.delete(event.taskId);
      else trails.set(event.taskId, trail);
      return updatesOf(event, task, trail);
    },
    get tasks() {
      return trails.size;
    },
  };
}

/** What a webhook has to hear of a task that has ended or asks, when nobody knows what it heard before. */
export function lastUpdates(task: Task): readonly StreamResponse[] {
  const { id: taskId, contextId, status, artifacts = [], metadata } = task;
  const place = { taskId, contextId };
  const whole = artifacts.map((artifact) => ({
    artifactUpdate: { ...place, artifact, append: false, lastChunk: true },
  }));
  return [...whole, { statusUpdate: { ...place, status, ...(metadata === undefined ? {} : { metadata }) } }];
}

function updatesOf(event: TaskEvent, task: Task, trail: Trail): readonly StreamResponse[] {
  switch (event.kind) {
    case "submitted":
      return [statusUpdate(event, event.status, undefined)];
    case "artifact": {
      const { artifactId } = event.artifact;
      if (event.provisional || !event.lastChunk) {
        trail.open.add(artifactId);
        return [];
      }
      trail.open.delete(artifactId);
      return wholeArtifacts(event, task, [artifactId]);
    }
    case "status": {
      const update = statusUpdate(event, event.status, trail.metadata);
      trail.metadata = undefined;
      if (!endsOrAsks(event.status)) return [update];
      const rest = wholeArtifacts(event, task, [...trail.open]);
      trail.open.clear();
      return [...rest, update];
    }
    case "metadata":
      trail.metadata = { ...trail.metadata, ...event.metadata };
      return [];
    case "message":
      return [];
    default:
      return event satisfies never;
  }
}

function isEnd(event: TaskEvent): boolean {
  return event.kind === "status" && isTerminal(event.status.state);
}

export function endsOrAsks({ state }: TaskStatus): boolean {
  return isTerminal(state) || isInterrupted(state);
}

function wholeArtifacts(
  { taskId, contextId }: TaskEvent,
  { artifacts = [] }: Task,
  ids: readonly string[],
): StreamResponse[] {
  return artifacts
    .filter(({ artifactId }) => ids.includes(artifactId))
    .map((artifact) => ({ artifactUpdate: { taskId, contextId, artifact, append: false, lastChunk: true } }));
}

function statusUpdate(
  { taskId, contextId }: TaskEvent,
  status: TaskStatus,
  metadata: JsonObject | undefined,
): StreamResponse {
  return { statusUpdate: { taskId, contextId, status, ...(metadata === undefined ? {} : { metadata }) } };
}
