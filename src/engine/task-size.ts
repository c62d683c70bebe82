// Owns the approximate size of tasks and events in memory. It counts what can grow (texts, raw, data), never walks characters.

import type { Artifact, JsonObject, Message, Part, Task, TaskStatus } from "../core/protocol/types.ts";
import type { TaskEvent } from "./task-event.ts";

/** Ids, field names and the like of one message, artifact, part or event. */
const FRAME_BYTES = 64;

export function taskBytes(task: Task): number {
  const { status, artifacts = [], history = [], metadata } = task;
  let bytes = FRAME_BYTES + statusBytes(status) + jsonBytes(metadata);
  for (const artifact of artifacts) bytes += artifactBytes(artifact);
  for (const message of history) bytes += messageBytes(message);
  return bytes;
}

export function eventBytes(event: TaskEvent): number {
  switch (event.kind) {
    case "submitted":
      return FRAME_BYTES + messageBytes(event.message) + statusBytes(event.status);
    case "message":
      return FRAME_BYTES + messageBytes(event.message);
    case "status":
      return FRAME_BYTES + statusBytes(event.status);
    case "artifact":
      return FRAME_BYTES + artifactBytes(event.artifact);
    case "metadata":
      return FRAME_BYTES + jsonBytes(event.metadata);
  }
}

function statusBytes(status: TaskStatus): number {
  return FRAME_BYTES + (status.message === undefined ? 0 : messageBytes(status.message));
}

function messageBytes(message: Message): number {
  return FRAME_BYTES + partsBytes(message.parts) + jsonBytes(message.metadata);
}

function artifactBytes(artifact: Artifact): number {
  const names = (artifact.name?.length ?? 0) + (artifact.description?.length ?? 0);
  return FRAME_BYTES + names + partsBytes(artifact.parts) + jsonBytes(artifact.metadata);
}

export function partsBytes(parts: readonly Part[]): number {
  let bytes = 0;
  for (const part of parts) bytes += FRAME_BYTES + contentBytes(part) + jsonBytes(part.metadata);
  return bytes;
}

function contentBytes(part: Part): number {
  if ("text" in part) return part.text.length;
  if ("raw" in part) return part.raw.length;
  if ("url" in part) return part.url.length;
  return JSON.stringify(part.data).length;
}

function jsonBytes(value: JsonObject | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}
