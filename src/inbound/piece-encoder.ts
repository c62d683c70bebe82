// Owns the quick way to write a piece of live text, of which a stream has thousands: all of its frame but the text is the same as
// before. Gives what core/protocol/encode.ts gives, letter by letter, or leaves the frame to it.

import { isBare } from "../core/protocol/artifact.ts";
import type { Artifact, TaskArtifactUpdate } from "../core/protocol/types.ts";

/** The JSON text of updates of one stream; undefined for one that holds more than a text. */
export function createPieceEncoder(): (update: TaskArtifactUpdate) => string | undefined {
  let before: TaskArtifactUpdate | undefined;
  let head = "";
  return (update) => {
    const text = onlyText(update.artifact);
    if (text === undefined || update.metadata !== undefined) return undefined;
    if (before === undefined || !isSameArtifact(before, update)) head = headOf(update);
    before = update;
    return `${head}${JSON.stringify(text)}}]}${update.append === true ? ',"append":true' : ""}${
      update.lastChunk === true ? ',"lastChunk":true' : ""
    }}}`;
  };
}

function onlyText(artifact: Artifact): string | undefined {
  const { parts } = artifact;
  const part = parts[0];
  if (part === undefined || parts.length !== 1 || !("text" in part)) return undefined;
  if (part.mediaType !== undefined || part.filename !== undefined || part.metadata !== undefined) return undefined;
  return isBare(artifact) ? part.text : undefined;
}

function isSameArtifact(one: TaskArtifactUpdate, other: TaskArtifactUpdate): boolean {
  return (
    one.artifact.artifactId === other.artifact.artifactId &&
    one.taskId === other.taskId &&
    one.contextId === other.contextId
  );
}

function headOf({ taskId, contextId, artifact: { artifactId } }: TaskArtifactUpdate): string {
  const [task, context, artifact] = [taskId, contextId, artifactId].map((id) => JSON.stringify(id));
  return `{"artifactUpdate":{"taskId":${task},"contextId":${context},"artifact":{"artifactId":${artifact},"parts":[{"text":`;
}
