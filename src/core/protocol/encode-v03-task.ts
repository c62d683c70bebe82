// Owns writing tasks, their events and their webhooks as A2A 0.3 spells them: `kind` on everything, lower-case states, bare results.

import type { JsonObject } from "../platform/json.ts";
import { newestMessages, type TaskOptions } from "./encode.ts";
import { entries, filled, list, members, nonEmpty } from "./encode-members.ts";
import { encodeV03Message, encodeV03Part } from "./encode-v03-message.ts";
import { stateLabel } from "./task-state.ts";
import type { Artifact, PushConfig, SendResult, StreamResponse, Task, TaskStatus } from "./types.ts";

export function encodeV03Task(task: Task, { historyLength }: TaskOptions = {}): JsonObject {
  return members({
    kind: "task",
    id: task.id,
    contextId: task.contextId,
    status: encodeStatus(task.status),
    artifacts: list(task.artifacts, encodeArtifact),
    history: list(newestMessages(task.history ?? [], historyLength), encodeV03Message),
    metadata: entries(task.metadata),
  });
}

/** The result of message/send: the task or the message itself. */
export function encodeV03SendResult(result: SendResult, options?: TaskOptions): JsonObject {
  return "task" in result ? encodeV03Task(result.task, options) : encodeV03Message(result.message);
}

/** One frame of a stream; `final` marks the last status before it ends. */
export function encodeV03Frame(frame: StreamResponse, final: boolean, options?: TaskOptions): JsonObject {
  if ("task" in frame || "message" in frame) return encodeV03SendResult(frame, options);
  if ("statusUpdate" in frame) {
    const { taskId, contextId, status, metadata } = frame.statusUpdate;
    return members({
      kind: "status-update",
      taskId,
      contextId,
      status: encodeStatus(status),
      final,
      metadata: entries(metadata),
    });
  }
  const { taskId, contextId, artifact, append, lastChunk, metadata } = frame.artifactUpdate;
  return members({
    kind: "artifact-update",
    taskId,
    contextId,
    artifact: encodeArtifact(artifact),
    append,
    lastChunk,
    metadata: entries(metadata),
  });
}

/** A webhook, without the credentials, which are never given back to anybody. */
export function encodeV03PushConfig({ taskId, id, url, token, authentication }: PushConfig): JsonObject {
  const shown = authentication === undefined ? undefined : { schemes: [authentication.scheme] };
  return { taskId, pushNotificationConfig: members({ id, url, token, authentication: shown }) };
}

function encodeStatus({ state, timestamp, message }: TaskStatus): JsonObject {
  return members({
    state: stateLabel(state),
    timestamp: filled(timestamp),
    message: message === undefined ? undefined : encodeV03Message(message),
  });
}

function encodeArtifact(artifact: Artifact): JsonObject {
  return members({
    artifactId: artifact.artifactId,
    name: filled(artifact.name),
    description: filled(artifact.description),
    parts: artifact.parts.map(encodeV03Part),
    metadata: entries(artifact.metadata),
    extensions: nonEmpty(artifact.extensions),
  });
}
