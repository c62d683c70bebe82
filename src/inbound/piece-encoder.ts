// Owns the quick way to write a piece of live text, of which a stream has thousands: all of its frame but the text is the same as
// before. Gives what core/protocol/encode.ts gives, letter by letter, or leaves the frame to it.

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

function onlyText({ parts, name, description, metadata, extensions }: Artifact): string | undefined {
  const part = parts[0];
  if (part === undefined || parts.length !== 1 || !("text" in part)) return undefined;
  if (part.mediaType !== undefined || part.filename !== undefined || part.metadata !== undefined) return undefined;
  const bare = name === undefined && description === undefined && metadata === undefined && extensions === undefined;
  return bare ? part.text : undefined;
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
