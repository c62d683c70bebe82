// Owns reading what peers answer with: tasks, send results and stream frames (A2A 1.0 §3.2, §4.1, §4.2), in every known
// spelling. Lenient but total: a value, or PEER_BAD_REPLY with the path. A task or context id that is missing reads as "".

import {
  type Fields,
  fieldsOf,
  isObject,
  omitUndefined,
  outline,
  pathTo,
  readBoolean,
  readField,
  readJsonObject,
  readList,
  readString,
} from "../platform/json.ts";
import { decodeState } from "./decode-enums.ts";
import { modernFrame, modernTask } from "./decode-legacy.ts";
import { decodeArtifact, decodeMessage } from "./decode-message.ts";
import { LIMITS, PEER_RULES } from "./decode-rules.ts";
import { isTerminal } from "./task-state.ts";
import { normaliseTimestamp } from "./timestamp.ts";
import type { SendResult, StreamResponse, Task, TaskArtifactUpdate, TaskStatus, TaskStatusUpdate } from "./types.ts";

/** A task; only an ended one may lack its id. Artifacts without parts are dropped. */
export function decodeTask(value: unknown, path: string): Task {
  const fields = open(modernTask(value), path);
  const status = decodeStatus(fields);
  const id = readId(fields, "id");
  if (id === "" && !isTerminal(status.state)) throw fields.refuse(pathTo(fields, "id"), "is missing");
  return omitUndefined({
    id,
    contextId: readId(fields, "contextId"),
    status,
    artifacts: decodeArtifacts(fields),
    history: filled(readList(fields, "history", LIMITS.history, readMessage)),
    metadata: readJsonObject(fields, "metadata"),
  });
}

/** The result of SendMessage. */
export function decodeSendResult(value: unknown): SendResult {
  const response = decodeStreamResponse(value);
  if ("task" in response || "message" in response) return response;
  throw PEER_RULES.refuse("result", "must be a task or a message, not an event of a stream");
}

/** The result in one frame of a stream. */
export function decodeStreamResponse(value: unknown): StreamResponse {
  const fields = open(modernFrame(value), "result");
  const present = (["task", "message", "statusUpdate", "artifactUpdate"] as const).filter(
    (name) => readField(fields, name) !== undefined,
  );
  const [name] = present;
  if (name === undefined || present.length > 1) {
    const found = isObject(value) ? outline(value) : "something else";
    throw fields.refuse("result", `must hold one task, message, statusUpdate or artifactUpdate, not ${found}`);
  }
  const member = readField(fields, name);
  const path = pathTo(fields, name);
  switch (name) {
    case "task":
      return { task: decodeTask(member, path) };
    case "message":
      return { message: readMessage(member, path) };
    case "statusUpdate":
      return { statusUpdate: decodeStatusUpdate(member, path) };
    case "artifactUpdate":
      return { artifactUpdate: decodeArtifactUpdate(member, path) };
  }
}

function decodeStatusUpdate(value: unknown, path: string): TaskStatusUpdate {
  const fields = open(value, path);
  return omitUndefined({
    taskId: readId(fields, "taskId"),
    contextId: readId(fields, "contextId"),
    status: decodeStatus(fields),
    metadata: readJsonObject(fields, "metadata"),
  });
}

/** The artifact may have no parts: some peers mark the end of one with an empty last piece. */
function decodeArtifactUpdate(value: unknown, path: string): TaskArtifactUpdate {
  const fields = open(value, path);
  return omitUndefined({
    taskId: readId(fields, "taskId"),
    contextId: readId(fields, "contextId"),
    artifact: decodeArtifact(readField(fields, "artifact"), pathTo(fields, "artifact"), PEER_RULES),
    append: readBoolean(fields, "append") ?? false,
    lastChunk: readBoolean(fields, "lastChunk") ?? false,
    metadata: readJsonObject(fields, "metadata"),
  });
}

/** A timestamp that cannot be read is left out: nothing depends on a peer's clock. */
function decodeStatus(owner: Fields): TaskStatus {
  const fields = open(readField(owner, "status"), pathTo(owner, "status"));
  const message = readField(fields, "message");
  return omitUndefined({
    state: decodeState(readField(fields, "state"), pathTo(fields, "state"), PEER_RULES),
    timestamp: normaliseTimestamp(readString(fields, "timestamp") ?? ""),
    message: message === undefined ? undefined : readMessage(message, pathTo(fields, "message")),
  });
}

function decodeArtifacts(fields: Fields): Task["artifacts"] {
  let count = 0;
  const artifacts = readList(fields, "artifacts", LIMITS.artifacts, (item, path) => {
    count += 1;
    return decodeArtifact(item, path, PEER_RULES, `artifact-${count}`);
  });
  return filled(artifacts?.filter((artifact) => artifact.parts.length > 0));
}

function filled<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list?.length === 0 ? undefined : list;
}

function readMessage(value: unknown, path: string): ReturnType<typeof decodeMessage> {
  return decodeMessage(value, path, PEER_RULES);
}

function readId(fields: Fields, name: string): string {
  return readString(fields, name, LIMITS.idChars) ?? "";
}

function open(value: unknown, path: string): Fields {
  return fieldsOf(value, path, PEER_RULES.refuse);
}
