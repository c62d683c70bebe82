// Smallest valid messages, tasks and cards; a test names only the fields it is about.

import type {
  AgentCard,
  AgentInterface,
  AgentSkill,
  Artifact,
  Message,
  Task,
  TaskArtifactUpdate,
  TaskState,
  TaskStatus,
  TaskStatusUpdate,
} from "../../src/core/protocol/types.ts";

export const TASK_ID = "task-00000000000000aa";
export const CONTEXT_ID = "ctx-00000000000000bb";
const TIMESTAMP = "2026-01-01T00:00:00.000Z";

/** A user message that says "hello". */
export function userMessage(fields: Partial<Message> = {}): Message {
  return { messageId: "m-1", role: "ROLE_USER", parts: [{ text: "hello" }], ...fields };
}

/** An agent message that says "hi". */
export function agentMessage(fields: Partial<Message> = {}): Message {
  return { messageId: "m-2", role: "ROLE_AGENT", parts: [{ text: "hi" }], ...fields };
}

/** A user message with this one text part. */
export function textMessage(text: string, fields: Partial<Message> = {}): Message {
  return userMessage({ parts: [{ text }], ...fields });
}

export function artifact(fields: Partial<Artifact> = {}): Artifact {
  return { artifactId: "reply", parts: [{ text: "done" }], ...fields };
}

export function status(state: TaskState = "TASK_STATE_WORKING", fields: Partial<TaskStatus> = {}): TaskStatus {
  return { state, timestamp: TIMESTAMP, ...fields };
}

/** A task in this state, without artifacts and history. */
export function task(state: TaskState = "TASK_STATE_WORKING", fields: Partial<Task> = {}): Task {
  return { id: TASK_ID, contextId: CONTEXT_ID, status: status(state), ...fields };
}

/** A COMPLETED task whose reply artifact says `reply`. */
export function completedTask(reply = "done", fields: Partial<Task> = {}): Task {
  return task("TASK_STATE_COMPLETED", { artifacts: [artifact({ parts: [{ text: reply }] })], ...fields });
}

export function statusUpdate(
  state: TaskState = "TASK_STATE_WORKING",
  fields: Partial<TaskStatusUpdate> = {},
): TaskStatusUpdate {
  return { taskId: TASK_ID, contextId: CONTEXT_ID, status: status(state), ...fields };
}

export function artifactUpdate(fields: Partial<TaskArtifactUpdate> = {}): TaskArtifactUpdate {
  return { taskId: TASK_ID, contextId: CONTEXT_ID, artifact: artifact(), append: false, lastChunk: false, ...fields };
}

export function skill(fields: Partial<AgentSkill> = {}): AgentSkill {
  return { id: "work", name: "Work", description: "Works in the workspace.", tags: ["work"], ...fields };
}

export function agentInterface(fields: Partial<AgentInterface> = {}): AgentInterface {
  return { url: "http://127.0.0.1:9910/a2a", protocolBinding: "JSONRPC", protocolVersion: "1.0", ...fields };
}

export function agentCard(fields: Partial<AgentCard> = {}): AgentCard {
  return {
    name: "Test agent",
    description: "Answers tests.",
    version: "1.0.0",
    supportedInterfaces: [agentInterface()],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [skill()],
    ...fields,
  };
}
