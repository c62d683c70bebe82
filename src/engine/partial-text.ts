// Owns what is left of a task that ends before its work does: artifacts whose last piece never came are kept, and marked, so that
// nobody takes them for the reply.

import { isTerminal } from "../core/protocol/task-state.ts";
import type { Artifact, TaskState } from "../core/protocol/types.ts";
import type { TaskEvent } from "./task-event.ts";
import type { Draft } from "./task-machine.ts";
import type { TaskRecord } from "./task-record.ts";

/** Follows which artifacts lack their last piece; live text lacks it until it comes as a whole. */
export function followPieces(unfinished: Set<string>, event: TaskEvent): void {
  if (event.kind !== "artifact") return;
  const { artifact, lastChunk, provisional } = event;
  if (lastChunk && !provisional) unfinished.delete(artifact.artifactId);
  else unfinished.add(artifact.artifactId);
}

/** What has to be said before `state`; nothing before a state that is no end, or is the good one. */
export function partialBefore(state: TaskState, { decided, unfinished }: TaskRecord): readonly Draft[] {
  if (!isTerminal(state) || state === "TASK_STATE_COMPLETED") return [];
  return (decided.artifacts ?? []).filter(({ artifactId }) => unfinished.has(artifactId)).map(markPartial);
}

function markPartial(artifact: Artifact): Draft {
  const marked = { ...artifact, metadata: { ...artifact.metadata, partial: true } };
  return { kind: "artifact", artifact: marked, append: false, lastChunk: true, provisional: false };
}
