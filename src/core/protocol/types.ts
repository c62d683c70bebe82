// The data model of A2A 1.0 (§4, a2a.proto) as this package holds it in memory: camelCase, enum names in full,
// absent instead of null. Types only; decoders make these values from unknown input, encoders write them out.

import type { Json, JsonObject } from "../platform/json.ts";

export type { Json, JsonObject };

export type TaskState =
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED"
  | "TASK_STATE_REJECTED"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_AUTH_REQUIRED";

export type Role = "ROLE_USER" | "ROLE_AGENT";

/** Older wires: A2A 0.3, and the shape of older pi-a2a sessions. */
export type LegacyDialect = "0.3" | "pi";

interface PartBase {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

/** Exactly one of text, raw (standard base64), url, data; which one is told by presence, also when it is "" or null. */
export type TextPart = PartBase & { readonly text: string };
export type RawPart = PartBase & { readonly raw: string };
export type UrlPart = PartBase & { readonly url: string };
export type DataPart = PartBase & { readonly data: Json };
export type Part = TextPart | RawPart | UrlPart | DataPart;

export interface Message {
  readonly messageId: string;
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly contextId?: string;
  readonly taskId?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}

export interface Artifact {
  /** Unique within its task. */
  readonly artifactId: string;
  readonly parts: readonly Part[];
  readonly name?: string;
  readonly description?: string;
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}

export interface TaskStatus {
  readonly state: TaskState;
  /** ISO 8601, UTC with Z, milliseconds. Own tasks always have one; a peer's may lack it. */
  readonly timestamp?: string;
  readonly message?: Message;
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly Message[];
  readonly metadata?: JsonObject;
  /** The older wire in which an own task was made; its webhooks, and calls that do not tell their wire, speak it. Never written. */
  readonly dialect?: LegacyDialect;
}

export interface TaskStatusUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly metadata?: JsonObject;
}

export interface TaskArtifactUpdate {
  readonly taskId: string;
  readonly contextId: string;
  readonly artifact: Artifact;
  /** true adds parts to the artifact of the same id, false creates or replaces it. */
  readonly append: boolean;
  readonly lastChunk: boolean;
  readonly metadata?: JsonObject;
}

/** One stream frame or one SendMessage result: exactly one member. */
export type StreamResponse =
  | { readonly task: Task }
  | { readonly message: Message }
  | { readonly statusUpdate: TaskStatusUpdate }
  | { readonly artifactUpdate: TaskArtifactUpdate };

export type SendResult = { readonly task: Task } | { readonly message: Message };

export interface AuthenticationInfo {
  readonly scheme: string;
  readonly credentials?: string;
}

/** A webhook as a caller gives it; the server fills in the task, and an id where there is none. */
export interface PushTarget {
  readonly id?: string;
  readonly url: string;
  /** Sent along with each update, so that the receiver knows where it comes from. */
  readonly token?: string;
  readonly authentication?: AuthenticationInfo;
}

export interface PushConfig extends PushTarget {
  readonly taskId: string;
  /** Unique within its task. */
  readonly id: string;
}

export interface SendConfiguration {
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  readonly returnImmediately?: boolean;
  readonly taskPushNotificationConfig?: PushTarget;
}

export interface SendMessageParams {
  readonly message: Message;
  readonly configuration?: SendConfiguration;
  readonly metadata?: JsonObject;
  readonly tenant?: string;
  /** The older wire in which the params came; absent for A2A 1.0. */
  readonly dialect?: LegacyDialect;
}

export interface TenantParams {
  readonly tenant?: string;
}

export interface TaskIdParams extends TenantParams {
  readonly id: string;
}

export interface CancelTaskParams extends TaskIdParams {
  readonly metadata?: JsonObject;
}

export interface GetTaskParams extends TaskIdParams {
  readonly historyLength?: number;
}

/** Where a task stands in the order of a list: the time of its status, then its id. */
export interface TaskPosition {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
}

export interface ListTasksParams {
  readonly contextId?: string;
  readonly status?: TaskState;
  /** 1 to 100. */
  readonly pageSize?: number;
  /** Where the page before ended. */
  readonly pageToken?: TaskPosition;
  readonly historyLength?: number;
  /** Milliseconds since the epoch; tasks whose status is of this moment or later match. */
  readonly statusTimestampAfter?: number;
  readonly includeArtifacts?: boolean;
  readonly tenant?: string;
}

export interface TaskList {
  readonly tasks: readonly Task[];
  /** "" on the last page. */
  readonly nextPageToken: string;
  /** The page size that was used. */
  readonly pageSize: number;
  /** Matches on all pages. */
  readonly totalSize: number;
}

export interface CreatePushConfigParams extends PushTarget {
  readonly taskId: string;
  readonly tenant?: string;
}

export interface PushConfigIdParams {
  readonly taskId: string;
  readonly id: string;
  readonly tenant?: string;
}

export interface ListPushConfigsParams {
  readonly taskId: string;
  readonly pageSize?: number;
  readonly pageToken?: string;
  readonly tenant?: string;
}

export interface PushConfigPage {
  readonly configs: readonly PushConfig[];
  readonly nextPageToken?: string;
}

export interface AgentSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly examples?: readonly string[];
}

export interface AgentInterface {
  readonly url: string;
  /** As the card spells it; compare without case. */
  readonly protocolBinding: string;
  readonly protocolVersion: string;
  readonly tenant?: string;
}

export interface AgentExtension {
  readonly uri: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly params?: JsonObject;
}

export interface AgentCapabilities {
  readonly streaming?: boolean;
  readonly pushNotifications?: boolean;
  readonly extendedAgentCard?: boolean;
  readonly extensions?: readonly AgentExtension[];
}

export interface AgentCard {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly supportedInterfaces: readonly AgentInterface[];
  readonly capabilities: AgentCapabilities;
  readonly defaultInputModes: readonly string[];
  readonly defaultOutputModes: readonly string[];
  readonly skills: readonly AgentSkill[];
  readonly provider?: { readonly organization: string; readonly url: string };
  readonly documentationUrl?: string;
  readonly securitySchemes?: JsonObject;
  readonly securityRequirements?: readonly JsonObject[];
}
