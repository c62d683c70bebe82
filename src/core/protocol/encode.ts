// Owns writing the data model as ProtoJSON (A2A 1.0 §5): only fields of the specification, never null, empty strings and lists
// left out unless they are required. Each function gives a new object that JSON.stringify takes as it is.

import type { JsonObject } from "../platform/json.ts";
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
} from "./types.ts";

export interface TaskOptions {
  /** At most this many of the newest messages; 0 leaves the history out, absent gives all. */
  readonly historyLength?: number;
  /** false leaves the artifacts out. */
  readonly artifacts?: boolean;
}

export function encodeTask(task: Task, options: TaskOptions = {}): JsonObject {
  const { historyLength, artifacts = true } = options;
  return members({
    id: task.id,
    contextId: filled(task.contextId),
    status: encodeStatus(task.status),
    artifacts: artifacts ? list(task.artifacts, encodeArtifact) : undefined,
    history: list(newestMessages(task.history ?? [], historyLength), encodeMessage),
    metadata: entries(task.metadata),
  });
}

/** The newest `most` messages in their order; all of them without a limit. */
export function newestMessages(history: readonly Message[], most: number | undefined): readonly Message[] {
  return most === undefined ? history : history.slice(Math.max(0, history.length - most));
}

/** The result of ListTasks: every field always there. */
export function encodeTaskList({ tasks, ...rest }: TaskList, options: TaskOptions): JsonObject {
  return { tasks: tasks.map((task) => encodeTask(task, options)), ...rest };
}

function encodeStatus(status: TaskStatus): JsonObject {
  return members({
    state: status.state,
    timestamp: filled(status.timestamp),
    message: status.message === undefined ? undefined : encodeMessage(status.message),
  });
}

export function encodeMessage(message: Message): JsonObject {
  return members({
    messageId: message.messageId,
    contextId: filled(message.contextId),
    taskId: filled(message.taskId),
    role: message.role,
    parts: message.parts.map(encodePart),
    metadata: entries(message.metadata),
    extensions: nonEmpty(message.extensions),
    referenceTaskIds: nonEmpty(message.referenceTaskIds),
  });
}

export function encodeArtifact(artifact: Artifact): JsonObject {
  return members({
    artifactId: artifact.artifactId,
    name: filled(artifact.name),
    description: filled(artifact.description),
    parts: artifact.parts.map(encodePart),
    metadata: entries(artifact.metadata),
    extensions: nonEmpty(artifact.extensions),
  });
}

function encodePart(part: Part): JsonObject {
  return members({
    ...encodeContent(part),
    mediaType: filled(part.mediaType),
    filename: filled(part.filename),
    metadata: entries(part.metadata),
  });
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
  return members({
    taskId: update.taskId,
    contextId: update.contextId,
    artifact: encodeArtifact(update.artifact),
    append: update.append || undefined,
    lastChunk: update.lastChunk || undefined,
    metadata: entries(update.metadata),
  });
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
