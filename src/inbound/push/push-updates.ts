// Turns the events of tasks into what webhooks are told (A2A 1.0 §4.3): every status, and every artifact once it is whole. Pieces
// are kept back: an update that is lost on the way must not garble the ones after it.

import { isInterrupted, isTerminal } from "../../core/protocol/task-state.ts";
import type { JsonObject, StreamResponse, Task, TaskStatus } from "../../core/protocol/types.ts";
import type { ArtifactEvent, TaskEvent } from "../../engine/task-event.ts";

export interface PushUpdates {
  /** The updates that follow from `event`; `task` is the task after it. */
  of(event: TaskEvent, task: Task): readonly StreamResponse[];
  /** The same for a task that no webhook hears of: only what later updates depend on is kept. Most tasks have none. */
  pass(event: TaskEvent): void;
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
  const pass = (event: TaskEvent): void => follow(trails, event);
  return {
    of(event, task) {
      const updates = updatesOf(event, task, trails.get(event.taskId));
      pass(event);
      return updates;
    },
    pass,
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

/** `trail` is what is kept from before; undefined when that is nothing. */
function updatesOf(event: TaskEvent, task: Task, trail: Trail | undefined): readonly StreamResponse[] {
  switch (event.kind) {
    case "submitted":
      return [statusUpdate(event, event.status, undefined)];
    case "artifact":
      return isPiece(event) ? [] : wholeArtifacts(event, task, [event.artifact.artifactId]);
    case "status": {
      const update = statusUpdate(event, event.status, trail?.metadata);
      if (!endsOrAsks(event.status) || trail === undefined) return [update];
      return [...wholeArtifacts(event, task, [...trail.open]), update];
    }
    case "metadata":
    case "message":
      return [];
    default:
      return event satisfies never;
  }
}

/** Keeps what later updates need. */
function follow(trails: Map<string, Trail>, event: TaskEvent): void {
  const { kind, taskId } = event;
  if (kind === "artifact") {
    if (isPiece(event)) trailOf(trails, taskId).open.add(event.artifact.artifactId);
    else trails.get(taskId)?.open.delete(event.artifact.artifactId);
  } else if (kind === "metadata") {
    const trail = trailOf(trails, taskId);
    trail.metadata = { ...trail.metadata, ...event.metadata };
  } else if (kind === "status") {
    const trail = trails.get(taskId);
    if (trail !== undefined) trail.metadata = undefined;
    if (endsOrAsks(event.status)) trails.delete(taskId);
  }
}

function trailOf(trails: Map<string, Trail>, taskId: string): Trail {
  const trail = trails.get(taskId) ?? { open: new Set(), metadata: undefined };
  trails.set(taskId, trail);
  return trail;
}

function isPiece({ lastChunk, provisional }: ArtifactEvent): boolean {
  return provisional || !lastChunk;
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
