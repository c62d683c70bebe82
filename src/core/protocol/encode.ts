// Owns writing the data model as ProtoJSON (A2A 1.0 §5): only fields of the specification, never null, empty strings and lists
// left out unless they are required. Each function gives a new object that JSON.stringify takes as it is.

import type { Json, JsonObject } from "../platform/json.ts";
import { entries, filled, list, members, nonEmpty } from "./encode-members.ts";
import type {
  AgentCard,
  AgentExtension,
  AgentInterface,
  AgentSkill,
  Artifact,
  Message,
  Part,
  SendResult,
  StreamResponse,
  Task,
  TaskArtifactUpdate,
  TaskList,
  TaskStatus,
  TaskStatusUpdate,
  TextPart,
} from "./types.ts";

export interface TaskOptions {
  /** At most this many of the newest messages; 0 leaves the history out, absent gives all. */
  readonly historyLength?: number;
  /** false leaves the artifacts out. */
  readonly artifacts?: boolean;
}

/** An object to which members are given one by one: with every task, message and part this is far faster than leaving some out. */
type Growing = { [name: string]: Json };

export function encodeTask(task: Task, options: TaskOptions = {}): JsonObject {
  const { historyLength, artifacts = true } = options;
  const encoded: Growing = { id: task.id };
  if (task.contextId !== "") encoded.contextId = task.contextId;
  encoded.status = encodeStatus(task.status);
  if (artifacts && hasItems(task.artifacts)) encoded.artifacts = task.artifacts.map(encodeArtifact);
  const history = newestMessages(task.history ?? [], historyLength);
  if (history.length > 0) encoded.history = history.map(encodeMessage);
  addEntries(encoded, "metadata", task.metadata);
  return encoded;
}

/** The whole task as text. */
export function taskJson(task: Task): string {
  return JSON.stringify(encodeTask(task));
}

/** The newest `most` messages in their order; all of them without a limit. */
export function newestMessages(history: readonly Message[], most: number | undefined): readonly Message[] {
  return most === undefined ? history : history.slice(Math.max(0, history.length - most));
}

/** The result of ListTasks: every field always there. */
export function encodeTaskList({ tasks, ...rest }: TaskList, options: TaskOptions): JsonObject {
  return { tasks: tasks.map((task) => encodeTask(task, options)), ...rest };
}

function encodeStatus({ state, timestamp, message }: TaskStatus): JsonObject {
  const encoded: Growing = { state };
  if (isFilled(timestamp)) encoded.timestamp = timestamp;
  if (message !== undefined) encoded.message = encodeMessage(message);
  return encoded;
}

export function encodeMessage(message: Message): JsonObject {
  const { contextId, taskId, extensions, referenceTaskIds } = message;
  const encoded: Growing = { messageId: message.messageId };
  if (isFilled(contextId)) encoded.contextId = contextId;
  if (isFilled(taskId)) encoded.taskId = taskId;
  encoded.role = message.role;
  encoded.parts = message.parts.map(encodePart);
  addEntries(encoded, "metadata", message.metadata);
  if (hasItems(extensions)) encoded.extensions = extensions;
  if (hasItems(referenceTaskIds)) encoded.referenceTaskIds = referenceTaskIds;
  return encoded;
}

export function encodeArtifact(artifact: Artifact): JsonObject {
  const { name, description, extensions } = artifact;
  const encoded: Growing = { artifactId: artifact.artifactId };
  if (isFilled(name)) encoded.name = name;
  if (isFilled(description)) encoded.description = description;
  encoded.parts = artifact.parts.map(encodePart);
  addEntries(encoded, "metadata", artifact.metadata);
  if (hasItems(extensions)) encoded.extensions = extensions;
  return encoded;
}

function addEntries(encoded: Growing, name: string, map: JsonObject | undefined): void {
  const filledMap = entries(map);
  if (filledMap !== undefined) encoded[name] = filledMap;
}

function isFilled(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}

function hasItems<T>(items: readonly T[] | undefined): items is readonly T[] {
  return items !== undefined && items.length > 0;
}

function encodePart(part: Part): JsonObject {
  if (isBareText(part)) return { text: part.text };
  return members({
    ...encodeContent(part),
    mediaType: filled(part.mediaType),
    filename: filled(part.filename),
    metadata: entries(part.metadata),
  });
}

/** Nearly every part is one, and nothing of it can be left out. */
function isBareText(part: Part): part is TextPart {
  return "text" in part && part.mediaType === undefined && part.filename === undefined && part.metadata === undefined;
}

/** Told by presence: "" and null are contents too. */
function encodeContent(part: Part): JsonObject {
  if ("text" in part) return { text: part.text };
  if ("raw" in part) return { raw: part.raw };
  if ("url" in part) return { url: part.url };
  return { data: part.data };
}

export function encodeStatusUpdate(update: TaskStatusUpdate): JsonObject {
  return members({
    taskId: update.taskId,
    contextId: update.contextId,
    status: encodeStatus(update.status),
    metadata: entries(update.metadata),
  });
}

export function encodeArtifactUpdate(update: TaskArtifactUpdate): JsonObject {
  const { taskId, contextId, artifact, append, lastChunk, metadata } = update;
  const encoded: Growing = { taskId, contextId, artifact: encodeArtifact(artifact) };
  if (append === true) encoded.append = true;
  if (lastChunk === true) encoded.lastChunk = true;
  addEntries(encoded, "metadata", metadata);
  return encoded;
}

/** The result of SendMessage: one member, `task` or `message`. */
export function encodeSendResult(result: SendResult, options?: TaskOptions): JsonObject {
  return "task" in result ? { task: encodeTask(result.task, options) } : { message: encodeMessage(result.message) };
}

/** One frame of a stream, or one webhook body. */
export function encodeStreamResponse(response: StreamResponse): JsonObject {
  if ("task" in response) return { task: encodeTask(response.task) };
  if ("message" in response) return { message: encodeMessage(response.message) };
  if ("statusUpdate" in response) return { statusUpdate: encodeStatusUpdate(response.statusUpdate) };
  return { artifactUpdate: encodeArtifactUpdate(response.artifactUpdate) };
}

/** The pure 1.0 card. */
export function encodeCard(card: AgentCard): JsonObject {
  const { capabilities, provider } = card;
  return members({
    name: card.name,
    description: card.description,
    supportedInterfaces: card.supportedInterfaces.map(encodeInterface),
    provider: provider === undefined ? undefined : { url: provider.url, organization: provider.organization },
    version: card.version,
    documentationUrl: card.documentationUrl,
    capabilities: members({
      streaming: capabilities.streaming,
      pushNotifications: capabilities.pushNotifications,
      extensions: list(capabilities.extensions, encodeExtension),
      extendedAgentCard: capabilities.extendedAgentCard,
    }),
    securitySchemes: entries(card.securitySchemes),
    securityRequirements: nonEmpty(card.securityRequirements),
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(encodeSkill),
  });
}

function encodeInterface(entry: AgentInterface): JsonObject {
  return members({
    url: entry.url,
    protocolBinding: entry.protocolBinding,
    protocolVersion: entry.protocolVersion,
    tenant: filled(entry.tenant),
  });
}

function encodeExtension(extension: AgentExtension): JsonObject {
  return members({
    uri: filled(extension.uri),
    description: filled(extension.description),
    required: extension.required || undefined,
    params: entries(extension.params),
  });
}

function encodeSkill(skill: AgentSkill): JsonObject {
  return members({
    id: skill.id,
    name: skill.name,
    description: skill.description,
    tags: skill.tags,
    examples: nonEmpty(skill.examples),
  });
}
