// Owns the good inputs in the older dialects, A2A 0.3 and that of earlier pi-a2a sessions: requests, replies, streams, a card.

import type { RpcExchange } from "./corpus.ts";

const MESSAGE_03 = {
  kind: "message",
  messageId: "m-old",
  role: "user",
  parts: [
    { kind: "text", text: "hello" },
    { kind: "file", file: { name: "a.txt", mimeType: "text/plain", bytes: "aGVsbG8=" } },
    { kind: "data", data: { a: 1 } },
  ],
};
const HOOK = { id: "mine", url: "https://example.com/hook", token: "opaque", authentication: { schemes: ["Bearer"] } };
const TASK_ID = "task-0000000000000001";

const REQUESTS: readonly (readonly [method: string, params: unknown])[] = [
  [
    "message/send",
    { message: MESSAGE_03, configuration: { blocking: true, acceptedOutputModes: ["text"], historyLength: 2 } },
  ],
  [
    "message/send",
    { message: { ...MESSAGE_03, taskId: TASK_ID, contextId: "ctx-old" }, configuration: { blocking: false } },
  ],
  ["message/send", { message: { role: "ROLE_USER", parts: [{ text: "hello" }] } }],
  ["message/send", { message: MESSAGE_03, configuration: { pushNotificationConfig: HOOK } }],
  ["message/stream", { message: MESSAGE_03 }],
  ["message/stream", { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "question" }] } }],
  ["tasks/get", { id: TASK_ID, historyLength: 3 }],
  ["tasks/list", {}],
  ["tasks/cancel", { id: TASK_ID }],
  ["tasks/resubscribe", { id: TASK_ID }],
  ["tasks/subscribe", { id: TASK_ID }],
  ["tasks/pushNotificationConfig/set", { taskId: TASK_ID, pushNotificationConfig: HOOK }],
  ["tasks/pushNotificationConfig/create", { taskId: TASK_ID, config: HOOK }],
  ["tasks/pushNotificationConfig/get", { id: TASK_ID, pushNotificationConfigId: "mine" }],
  ["tasks/pushNotificationConfig/list", { id: TASK_ID }],
  ["tasks/pushNotificationConfig/delete", { id: TASK_ID, pushNotificationConfigId: "mine" }],
  ["agent/getAuthenticatedExtendedCard", undefined],
];

const STATUS_03 = {
  state: "completed",
  timestamp: "2026-01-01T00:00:00.000Z",
  message: { ...MESSAGE_03, role: "agent" },
};
const ARTIFACT_03 = { artifactId: "reply", name: "reply", parts: [{ kind: "text", text: "done" }] };
const TASK_03 = {
  kind: "task",
  id: TASK_ID,
  contextId: "ctx-old",
  status: STATUS_03,
  artifacts: [ARTIFACT_03],
  history: [MESSAGE_03],
};
const WORKING_03 = { ...TASK_03, status: { state: "working" }, artifacts: [] };
const TASK_PI = {
  id: TASK_ID,
  contextId: "ctx-old",
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-01-01T00:00:00.000Z" },
  artifacts: [{ artifactId: "reply", parts: [{ text: "done" }] }],
};
const PLACE = { taskId: TASK_ID, contextId: "ctx-old" };

export const OLD_EXCHANGES: readonly RpcExchange[] = [{}, { "A2A-Version": "0.3" }].flatMap((headers) =>
  REQUESTS.map(([method, params]) => ({
    request: { jsonrpc: "2.0", id: 7, method, ...(params === undefined ? {} : { params }) },
    headers,
    reply: undefined,
    frames: [],
  })),
);

export const OLD_REPLIES: readonly unknown[] = [
  ...[
    TASK_03,
    WORKING_03,
    { ...MESSAGE_03, role: "agent" },
    TASK_PI,
    { tasks: [{ id: TASK_ID, state: "working" }] },
  ].map(resultOf),
  { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "Task not found", data: null } },
];

export const OLD_STREAMS: readonly (readonly unknown[])[] = [
  [
    WORKING_03,
    { kind: "artifact-update", ...PLACE, artifact: ARTIFACT_03, append: true, lastChunk: false },
    { kind: "status-update", ...PLACE, status: STATUS_03, final: true },
  ].map(resultOf),
  [{ ...MESSAGE_03, role: "agent" }].map(resultOf),
  [{ statusUpdate: TASK_PI }, { artifactUpdate: TASK_PI.artifacts[0] }].map(resultOf),
];

export function oldCardAt(url: string, streaming: boolean): unknown {
  return {
    protocolVersion: "0.3.0",
    ...{ name: "Older agent", description: "Answers tests.", version: "1", url, preferredTransport: "JSONRPC" },
    additionalInterfaces: [{ url, transport: "JSONRPC" }],
    capabilities: { streaming, pushNotifications: true, stateTransitionHistory: false },
    securitySchemes: { login: { type: "http", scheme: "bearer" } },
    security: [{ login: [] }],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "work", name: "Work", description: "Works.", tags: ["work"], examples: ["work"] }],
    supportsAuthenticatedExtendedCard: true,
  };
}

function resultOf(result: unknown): unknown {
  return { jsonrpc: "2.0", id: 1, result };
}
