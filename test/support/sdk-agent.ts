// The official JavaScript SDK 1.3.0 as server.

import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import {
  AgentEvent,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import type { SdkEvents, SdkWire } from "./driven-agent.ts";

export const sdkWire: SdkWire = (app, { url, streaming, executions }) => {
  const requestHandler = new DefaultRequestHandler(agentCard(url, streaming), new InMemoryTaskStore(), {
    execute: (context, bus) => executions.execute({ ...idsOf(context), text: textOf(context) }, eventsOf(context, bus)),
    cancelTask: async (taskId) => executions.cancel(taskId),
  });
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
};

function agentCard(url: string, streaming: boolean): AgentCard {
  return AgentCard.fromJSON({
    ...{ name: "sdk-agent", description: "Served by the SDK.", version: "1.0.0" },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming, pushNotifications: false },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
    skills: [{ id: "work", name: "Work", description: "Works.", tags: ["work"] }],
  });
}

function eventsOf(context: RequestContext, bus: ExecutionEventBus): SdkEvents {
  const ids = idsOf(context);
  return {
    task: () => bus.publish(AgentEvent.task(firstTask(context))),
    status(state, text) {
      const message = text === undefined ? {} : { message: { ...ids, ...agentMessage(text) } };
      const timestamp = new Date().toISOString();
      const update = { ...ids, status: { state, timestamp, ...message } };
      bus.publish(AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(update)));
    },
    artifact(artifactId, parts, how) {
      const update = { ...ids, artifact: { artifactId, parts }, ...how };
      bus.publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
    },
    message: (text) =>
      bus.publish(AgentEvent.message(Message.fromJSON({ ...agentMessage(text), contextId: ids.contextId }))),
    over: () => undefined,
  };
}

function idsOf({ taskId, contextId }: RequestContext): { readonly taskId: string; readonly contextId: string } {
  return { taskId, contextId };
}

function textOf({ userMessage }: RequestContext): string {
  return String(userMessage.parts[0]?.content?.value);
}

function firstTask({ task, taskId, contextId, userMessage }: RequestContext): Task {
  const status = { state: "TASK_STATE_SUBMITTED", timestamp: new Date().toISOString() };
  return task ?? Task.fromJSON({ id: taskId, contextId, status, history: [Message.toJSON(userMessage)] });
}

let messages = 0;

function agentMessage(text: string): object {
  messages += 1;
  return { messageId: `agent-${messages}`, role: "ROLE_AGENT", parts: [{ text }] };
}
