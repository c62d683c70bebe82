// For comparison: the official JavaScript SDK with express, as its documentation sets it up, with an agent that answers at once.

import type { AddressInfo } from "node:net";
import { AgentCard, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  ServerCallContext,
  UnauthenticatedUser,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import { answerParent } from "../../../test/hostile/support/measured-child.ts";
import { cpuMicros } from "./cpu-micros.ts";
import { CARD, REPLY, type SdkSettings } from "./server-settings.ts";

const { token, tasks }: SdkSettings = JSON.parse(process.argv[2] ?? "{}");

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const ids = { taskId, contextId };
    const status = (state: string): object => ({ state, timestamp: new Date().toISOString() });
    const first = Task.fromJSON({ id: taskId, contextId, status: status("TASK_STATE_WORKING") });
    bus.publish(AgentEvent.task(task ?? { ...first, history: [userMessage] }));
    const artifact = { artifactId: "reply", parts: [{ text: REPLY }] };
    const update = TaskArtifactUpdateEvent.fromJSON({ ...ids, artifact, append: false, lastChunk: true });
    bus.publish(AgentEvent.artifactUpdate(update));
    const end = TaskStatusUpdateEvent.fromJSON({ ...ids, status: status("TASK_STATE_COMPLETED") });
    bus.publish(AgentEvent.statusUpdate(end));
    bus.finished();
  },
  cancelTask: async () => undefined,
};

const store = new InMemoryTaskStore();
await fill(tasks);

const app = express();
const server = app.listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const { port } = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/`;
const requestHandler = new DefaultRequestHandler(agentCard(url), store, executor);
app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
if (token !== undefined) {
  app.use((request, response, next) => {
    if (request.headers.authorization === `Bearer ${token}`) next();
    else response.status(401).end();
  });
}
const user = { isAuthenticated: true, userName: "bench" };
const userBuilder = token === undefined ? UserBuilder.noAuthentication : async () => user;
app.use("/", jsonRpcHandler({ requestHandler, userBuilder }));

function agentCard(url: string): AgentCard {
  return AgentCard.fromJSON({
    ...CARD,
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true, pushNotifications: false },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
  });
}

async function fill(count: number): Promise<void> {
  const context = new ServerCallContext({ user: new UnauthenticatedUser() });
  for (let n = 0; n < count; n++) {
    const ids = { taskId: `task-${n}`, contextId: `context-${n}` };
    const task = Task.fromJSON({
      ...{ id: ids.taskId, contextId: ids.contextId },
      status: { state: "TASK_STATE_COMPLETED", timestamp: new Date(n).toISOString() },
      artifacts: [{ artifactId: "reply", parts: [{ text: REPLY }] }],
      history: [{ ...ids, messageId: `message-${n}`, role: "ROLE_USER", parts: [{ text: "hello" }] }],
    });
    await store.save(task, context);
  }
}

answerParent(
  {
    ready: () => undefined,
    address: () => url,
    cpuMicros,
    faults: () => [],
    stop() {
      server.close();
      server.closeAllConnections();
    },
  },
  () => ({}),
);
