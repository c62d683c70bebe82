// An agent that some version of the official JavaScript SDK serves with express on 127.0.0.1, with runs that a test drives by hand.
// What differs between the versions is an SdkWire.

import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import express, { type Express } from "express";

/** One execution of the agent. */
export interface SdkRun {
  readonly taskId: string;
  readonly contextId: string;
  /** The first text of the caller's message. */
  readonly text: string;
  /** True once the caller has cancelled it. */
  canceled(): boolean;
  working(note?: string): void;
  /** A piece of an artifact; `parts` in the spelling of the wire. */
  artifact(
    artifactId: string,
    parts: readonly object[],
    how?: { readonly append?: boolean; readonly lastChunk?: boolean },
  ): void;
  /** A status after which this execution is over, by the name of 1.0. */
  end(state: string, text?: string): void;
  /** A direct Message, which is all of the answer. */
  reply(text: string): void;
}

/** What one execution publishes, in the spelling of its SDK. */
export interface SdkEvents {
  /** The SDKs want the task first, whatever comes then, and also when the task is known already. */
  task(): void;
  status(state: string, text?: string): void;
  artifact(artifactId: string, parts: readonly object[], how: object): void;
  message(text: string): void;
  over(): void;
}

export interface Executions {
  /** Resolves when the run is over. */
  execute(ids: Pick<SdkRun, "taskId" | "contextId" | "text">, events: SdkEvents): Promise<void>;
  cancel(taskId: string): void;
}

/** Serves the card and, at `/a2a`, JSON-RPC. */
export type SdkWire = (
  app: Express,
  agent: { readonly url: string; readonly streaming: boolean; readonly executions: Executions },
) => void | Promise<void>;

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

export async function startDrivenAgent(wire: SdkWire, streaming: boolean): Promise<SdkAgent> {
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

  // The SDKs write every request that they refuse on the terminal.
  const terminal = globalThis.console;
  const write = terminal.error;
  terminal.error = () => undefined;

  const { executions, next } = createExecutions();
  app.use("/a2a", express.json(), (request, _response, proceed) => {
    methods.push(String(request.body?.method));
    proceed();
  });
  await wire(app, { url: `${origin}/a2a`, streaming, executions });
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

function createExecutions(): { readonly executions: Executions; next(): Promise<SdkRun> } {
  const runs = new Map<string, Execution>();
  const unclaimed: SdkRun[] = [];
  const claims: ((run: SdkRun) => void)[] = [];
  const executions: Executions = {
    execute: (ids, events) =>
      new Promise((resolve) => {
        const execution = createExecution(ids, events, resolve);
        runs.set(ids.taskId, execution);
        const claim = claims.shift();
        if (claim === undefined) unclaimed.push(execution.run);
        else claim(execution.run);
      }),
    cancel: (taskId) => runs.get(taskId)?.cancel(),
  };
  const next = (): Promise<SdkRun> => {
    const run = unclaimed.shift();
    return run === undefined ? new Promise((resolve) => claims.push(resolve)) : Promise.resolve(run);
  };
  return { executions, next };
}

interface Execution {
  readonly run: SdkRun;
  cancel(): void;
}

function createExecution(
  ids: Pick<SdkRun, "taskId" | "contextId" | "text">,
  events: SdkEvents,
  resolve: () => void,
): Execution {
  let begun = false;
  let canceled = false;
  const publish = (event: () => void): void => {
    if (!begun) events.task();
    begun = true;
    event();
  };
  const over = (): void => {
    events.over();
    resolve();
  };
  const run: SdkRun = {
    ...ids,
    canceled: () => canceled,
    working: (note) => publish(() => events.status("TASK_STATE_WORKING", note)),
    artifact: (artifactId, parts, how = {}) =>
      publish(() => events.artifact(artifactId, parts, { append: false, lastChunk: false, ...how })),
    end(state, text) {
      publish(() => events.status(state, text));
      over();
    },
    reply(text) {
      events.message(text);
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
