// Owns what an event does to its task (A2A 1.0 §4.2). Pure: the same events in the same order always give the same task, here,
// in the sink and after a restart. An ended task takes nothing more.

import { changed } from "../core/platform/changed.ts";
import { isoTime } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Artifact, Message, Part, Task, TextPart } from "../core/protocol/types.ts";
import type { ArtifactEvent, SubmittedEvent, TaskEvent } from "./task-event.ts";

export const HISTORY_CAP = 50;

/** The task after `event`. Without a task the event starts one, also when its acceptance is missing. */
export function foldEvent(task: Task | undefined, event: TaskEvent): Task {
  if (event.kind === "submitted" && task === undefined) {
    return beginning(event);
  }
  const before = task ?? unknownBeginning(event);
  if (isTerminal(before.status.state)) return before;
  switch (event.kind) {
    case "submitted":
      return before;
    case "message":
      return withHistory(withQuestion(before), event.message);
    case "status":
      return changed(withQuestion(before), { status: event.status });
    case "artifact":
      return changed(before, { artifacts: foldArtifact(before.artifacts ?? [], event) });
    case "metadata":
      return { ...before, metadata: { ...before.metadata, ...event.metadata } };
    default:
      return unknownKind(event);
  }
}

function beginning({ taskId, contextId, status, message, dialect }: SubmittedEvent): Task {
  const task = { id: taskId, contextId, status, history: [message] };
  return dialect === undefined ? task : { ...task, dialect };
}

function unknownBeginning(event: TaskEvent): Task {
  const status = { state: "TASK_STATE_SUBMITTED", timestamp: isoTime(event.at) } as const;
  return { id: event.taskId, contextId: event.contextId, status };
}

/** A question lives in the status until something follows it; then it belongs to the conversation. */
function withQuestion(task: Task): Task {
  const question = task.status.message;
  if (question === undefined || !isInterrupted(task.status.state)) return task;
  if (task.history?.some(({ messageId }) => messageId === question.messageId) === true) return task;
  return withHistory(task, question);
}

function withHistory(task: Task, message: Message): Task {
  return { ...task, history: [...(task.history ?? []), message].slice(-HISTORY_CAP) };
}

function foldArtifact(artifacts: readonly Artifact[], event: ArtifactEvent): readonly Artifact[] {
  const { artifact, append } = event;
  const at = artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const old = artifacts[at];
  if (old === undefined) return [...artifacts, artifact];
  return artifacts.with(at, append ? appendTo(old, artifact) : artifact);
}

function appendTo(old: Artifact, piece: Artifact): Artifact {
  const parts = joinParts(old.parts, piece.parts);
  if (old.metadata === undefined && piece.metadata === undefined) return changed(changed(old, piece), { parts });
  return { ...old, ...piece, parts, metadata: { ...old.metadata, ...piece.metadata } };
}

/** Text that goes on where text ended stays one part, so a reply of ten thousand pieces is one text. */
function joinParts(old: readonly Part[], added: readonly Part[]): readonly Part[] {
  const last = old.at(-1);
  const first = added[0];
  if (last === undefined || first === undefined || !isBareText(last) || !isBareText(first)) return [...old, ...added];
  return [...old.slice(0, -1), { text: last.text + first.text }, ...added.slice(1)];
}

function isBareText(part: Part): part is TextPart {
  if (!("text" in part)) return false;
  return part.mediaType === undefined && part.filename === undefined && part.metadata === undefined;
}

function unknownKind(event: never): never {
  throw new A2aError("INTERNAL", `not a task event: ${JSON.stringify(event)}`);
}
