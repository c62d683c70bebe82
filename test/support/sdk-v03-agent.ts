// The official JavaScript SDK 0.3.14 as server, which knows nothing of A2A 1.0.

import type { AgentCard, Message, Part, Task, TaskState } from "a2a-sdk-v03";
import type { ExecutionEventBus, RequestContext } from "a2a-sdk-v03/server";
import type { SdkEvents, SdkWire } from "./driven-agent.ts";

/** Loaded as ES modules: as CommonJS its two entries have an error class each, and every error becomes an internal one. */
export const sdkV03Wire: SdkWire = async (app, { url, streaming, executions }) => {
  const { DefaultRequestHandler, InMemoryTaskStore } = await import("a2a-sdk-v03/server");
  const { agentCardHandler, jsonRpcHandler, UserBuilder } = await import("a2a-sdk-v03/server/express");
  const requestHandler = new DefaultRequestHandler(agentCard(url, streaming), new InMemoryTaskStore(), {
    execute: (context, bus) => executions.execute({ ...idsOf(context), text: textOf(context) }, eventsOf(context, bus)),
    cancelTask: async (taskId) => executions.cancel(taskId),
  });
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
};

function agentCard(url: string, streaming: boolean): AgentCard {
  return {
    ...{ name: "sdk-agent", description: "Served by the SDK.", version: "1.0.0", protocolVersion: "0.3.0" },
    ...{ url, preferredTransport: "JSONRPC", capabilities: { streaming, pushNotifications: false } },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
    skills: [{ id: "work", name: "Work", description: "Works.", tags: ["work"] }],
  };
}

function eventsOf(context: RequestContext, bus: ExecutionEventBus): SdkEvents {
  const ids = idsOf(context);
  return {
    task: () => bus.publish(firstTask(context)),
    status(state, text) {
      const message = text === undefined ? {} : { message: { ...ids, ...agentMessage(text) } };
      const status = { state: stateOf(state), timestamp: new Date().toISOString(), ...message };
      bus.publish({ kind: "status-update", ...ids, status, final: state !== "TASK_STATE_WORKING" });
    },
    artifact: (artifactId, parts, how) =>
      bus.publish({ kind: "artifact-update", ...ids, artifact: { artifactId, parts: parts.map(partOf) }, ...how }),
    message: (text) => bus.publish({ ...agentMessage(text), contextId: ids.contextId }),
    over: () => bus.finished(),
  };
}

function stateOf(name: string): TaskState {
  return name.replace("TASK_STATE_", "").toLowerCase().replace("_", "-") as TaskState;
}

interface Flat {
  readonly text?: string;
  readonly raw?: string;
  readonly url?: string;
  readonly data?: Record<string, unknown>;
  readonly filename?: string;
  readonly mediaType?: string;
}

/** From the spelling of 1.0, in which the tests write. */
function partOf(part: Flat): Part {
  const { text, raw, url, data, filename, mediaType } = part;
  if (text !== undefined) return { kind: "text", text };
  if (data !== undefined) return { kind: "data", data };
  const names = {
    ...(filename === undefined ? {} : { name: filename }),
    ...(mediaType === undefined ? {} : { mimeType: mediaType }),
  };
  return { kind: "file", file: raw === undefined ? { uri: url ?? "", ...names } : { bytes: raw, ...names } };
}

function idsOf({ taskId, contextId }: RequestContext): { readonly taskId: string; readonly contextId: string } {
  return { taskId, contextId };
}

function textOf({ userMessage }: RequestContext): string {
  const [part] = userMessage.parts;
  return part?.kind === "text" ? part.text : "";
}

function firstTask({ task, taskId, contextId, userMessage }: RequestContext): Task {
  const status = { state: "submitted", timestamp: new Date().toISOString() } as const;
  return task ?? { kind: "task", id: taskId, contextId, status, history: [userMessage] };
}

let messages = 0;

function agentMessage(text: string): Message {
  messages += 1;
  return { kind: "message", messageId: `agent-${messages}`, role: "agent", parts: [{ kind: "text", text }] };
}
