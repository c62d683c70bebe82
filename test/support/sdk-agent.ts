// An agent that is served by the official JavaScript SDK 1.3.0 and express on 127.0.0.1, with runs that a test drives by hand.

import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { AgentCard, Message, Task, TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutionEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  type ExecutionEventBus,
  InMemoryTaskStore,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";

/** One execution of the agent. */
export interface SdkRun {
  readonly context: RequestContext;
  /** True once the caller has cancelled it. */
  canceled(): boolean;
  working(note?: string): void;
  /** A piece of an artifact; `parts` in the spelling of the wire. */
  artifact(
    artifactId: string,
    parts: readonly object[],
    how?: { readonly append?: boolean; readonly lastChunk?: boolean },
  ): void;
  /** A status after which this execution is over. */
  end(state: string, text?: string): void;
  /** A direct Message, which is all of the answer. */
  reply(text: string): void;
}

export interface SdkAgent {
  readonly origin: string;
  /** The next execution; waits for it. */
  next(): Promise<SdkRun>;
  /** JSON-RPC methods that were called, in order. */
  readonly methods: readonly string[];
  /** Resets every open connection. */
  cut(): void;
  openSockets(): number;
  stop(): Promise<void>;
}

export async function startSdkAgent(options: { readonly streaming?: boolean } = {}): Promise<SdkAgent> {
  const methods: string[] = [];
  const sockets = new Set<Socket>();
  const app = express();
  const server = createServer(app);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  // The SDK writes every request that it refuses on the terminal.
  const terminal = globalThis.console;
  const write = terminal.error;
  terminal.error = () => undefined;

  const { executor, next } = createDrivenExecutor();
  const card = agentCard(`${origin}/a2a`, options.streaming ?? true);
  const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executor);
  app.use("/.well-known/agent-card.json", agentCardHandler({ agentCardProvider: requestHandler }));
  app.use("/a2a", express.json(), (request, _response, proceed) => {
    methods.push(String(request.body?.method));
    proceed();
  });
  app.use("/a2a", jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  return {
    origin,
    next,
    methods,
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    openSockets: () => sockets.size,
    stop: () =>
      new Promise((resolve) => {
        terminal.error = write;
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function agentCard(url: string, streaming: boolean): AgentCard {
  return AgentCard.fromJSON({
    ...{ name: "sdk-agent", description: "Served by the SDK.", version: "1.0.0" },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming, pushNotifications: false },
    ...{ defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"] },
    skills: [{ id: "work", name: "Work", description: "Works.", tags: ["work"] }],
  });
}

function createDrivenExecutor() {
  const runs = new Map<string, Execution>();
  const unclaimed: SdkRun[] = [];
  const claims: ((run: SdkRun) => void)[] = [];
  const executor: AgentExecutor = {
    execute: (context, bus) =>
      new Promise((resolve) => {
        const execution = createExecution(context, bus, resolve);
        runs.set(context.taskId, execution);
        const claim = claims.shift();
        if (claim === undefined) unclaimed.push(execution.run);
        else claim(execution.run);
      }),
    async cancelTask(taskId) {
      runs.get(taskId)?.cancel();
    },
  };
  const next = (): Promise<SdkRun> => {
    const run = unclaimed.shift();
    return run === undefined ? new Promise((resolve) => claims.push(resolve)) : Promise.resolve(run);
  };
  return { executor, next };
}

interface Execution {
  readonly run: SdkRun;
  cancel(): void;
}

function createExecution(context: RequestContext, bus: ExecutionEventBus, over: () => void): Execution {
  const ids = { taskId: context.taskId, contextId: context.contextId };
  let begun = false;
  let canceled = false;
  /** The SDK wants the task first, whatever comes then, and also when the task is known already. */
  const publish = (event: AgentExecutionEvent): void => {
    if (!begun) bus.publish(AgentEvent.task(firstTask(context)));
    begun = true;
    bus.publish(event);
  };
  const status = (state: string, text?: string): void => {
    const message = text === undefined ? {} : { message: { ...ids, ...agentMessage(text) } };
    const timestamp = new Date().toISOString();
    publish(
      AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON({ ...ids, status: { state, timestamp, ...message } })),
    );
  };
  const run: SdkRun = {
    context,
    canceled: () => canceled,
    working: (note) => status("TASK_STATE_WORKING", note),
    artifact(artifactId, parts, how = {}) {
      const update = { ...ids, artifact: { artifactId, parts }, append: false, lastChunk: false, ...how };
      publish(AgentEvent.artifactUpdate(TaskArtifactUpdateEvent.fromJSON(update)));
    },
    end(state, text) {
      status(state, text);
      over();
    },
    reply(text) {
      bus.publish(AgentEvent.message(Message.fromJSON({ ...agentMessage(text), contextId: ids.contextId })));
      over();
    },
  };
  return {
    run,
    cancel() {
      canceled = true;
      run.end("TASK_STATE_CANCELED");
    },
  };
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
