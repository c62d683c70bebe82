// Owns what a stream has to say when a task is known at two moments and what came between them is not: what is new, each piece whole.
// Pure.

import { isDeepStrictEqual } from "node:util";
import { isTerminal } from "../../core/protocol/task-state.ts";
import type { StreamResponse, Task } from "../../core/protocol/types.ts";
import { foldEvent } from "../../engine/task-fold.ts";

/** The updates that lead a reader from `before` to `after`. */
export function framesBetween(before: Task, after: Task): readonly StreamResponse[] {
  const { id: taskId, contextId, status, artifacts = [], metadata } = after;
  const place = { taskId, contextId };
  const known = new Map((before.artifacts ?? []).map((artifact) => [artifact.artifactId, artifact]));
  const news = artifacts.filter((artifact) => !isSame(known.get(artifact.artifactId), artifact));
  const lastChunk = isTerminal(status.state);
  const frames: StreamResponse[] = news.map((artifact) => ({
    artifactUpdate: { ...place, artifact, append: false, lastChunk },
  }));
  if (isSame(before.status, status) && isSame(before.metadata, metadata)) return frames;
  return [...frames, { statusUpdate: { ...place, status, ...(metadata === undefined ? {} : { metadata }) } }];
}

/** The task after a frame; a direct message changes none. */
export function foldFrame(task: Task | undefined, frame: StreamResponse): Task | undefined {
  if ("task" in frame) return frame.task;
  if ("message" in frame) return task;
  if ("artifactUpdate" in frame) {
    return foldEvent(task, { kind: "artifact", at: 0, provisional: false, ...frame.artifactUpdate });
  }
  const { taskId, contextId, status, metadata } = frame.statusUpdate;
  const place = { taskId, contextId, at: 0 };
  const told = metadata === undefined ? task : foldEvent(task, { kind: "metadata", ...place, metadata });
  return foldEvent(told, { kind: "status", ...place, status });
}

function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}
