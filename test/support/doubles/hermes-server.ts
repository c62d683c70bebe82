// Stands for the A2A server of Hermes Agent: shapes of 1.0 under both families of names, blocking, one new task per message, a
// conversation held together by contextId alone, connections that close after each answer, streams without `final`.

import type { ServerResponse } from "node:http";
import { openStream, type PeerRequest, sendError, sendJson, sendResult } from "../http-peer.ts";
import { counter, type Double, messageIn, type Sent, startDouble, wishIn } from "./double.ts";

export interface HermesOptions {
  readonly streaming?: boolean;
  /** Names the agent of a server that has several. */
  readonly slug?: string;
  /** Finished without a word. */
  readonly silent?: boolean;
  readonly maxTurns?: number;
}

const ALIASES: Readonly<Record<string, string>> = {
  "message/send": "SendMessage",
  "message/stream": "SendStreamingMessage",
  "tasks/get": "GetTask",
  "tasks/cancel": "CancelTask",
  "tasks/subscribe": "SubscribeToTask",
};

type Task = Record<string, unknown> & { readonly id: string };

export async function startHermesServer(options: HermesOptions = {}): Promise<Double> {
  const tasks = new Map<string, Task>();
  const turns = new Map<string, number>();
  const nextId = counter("task-000000000000000");
  const path = options.slug === undefined ? "" : `/${options.slug}`;

  const settle = (task: Task): Task => {
    tasks.set(task.id, task);
    return task;
  };
  const run = (sent: Sent): Task => {
    const { text } = sent;
    const contextId = sent.contextId ?? "ctx-0123456789abcdef";
    const id = nextId();
    const turn = (turns.get(contextId) ?? 0) + 1;
    turns.set(contextId, turn);
    const end = (state: string, said?: string): Task =>
      settle({ id, contextId, status: status(state, contextId, said) });
    if (turn > (options.maxTurns ?? 5)) {
      return end("TASK_STATE_REJECTED", `Anti-loop protection: context ${contextId} exceeded ${turn - 1} turns.`);
    }
    if (text.trim() === "") return end("TASK_STATE_REJECTED", "Empty task — nothing to do.");
    switch (wishIn(text)) {
      case "fail":
        return end("TASK_STATE_FAILED", "[agent processing failed]");
      case "ask":
        return end("TASK_STATE_INPUT_REQUIRED", "Which branch?");
      case "answer": {
        const task = { id, contextId, status: status("TASK_STATE_COMPLETED", contextId) };
        return settle(options.silent === true ? task : { ...task, artifacts: [reply(`Hermes: ${text}`)] });
      }
    }
  };

  const answer = (request: PeerRequest, response: ServerResponse) => {
    const { method = "", params = {} } = request.rpc;
    const name = ALIASES[method] ?? method;
    const task = tasks.get(String(params.id ?? params.taskId));
    switch (name) {
      case "SendMessage": {
        const done = run(messageIn(request, false));
        sendResult(request, response, method === name ? { task: done } : done);
        return;
      }
      case "SendStreamingMessage":
        return stream(request, response, run(messageIn(request, false)));
      case "GetTask":
      case "CancelTask":
        if (task === undefined) sendError(request, response, -32001, `task not found: ${String(params.id)}`);
        else if (name === "GetTask") sendResult(request, response, task);
        else sendError(request, response, -32002, `task ${task.id} already ended`);
        return;
      default:
        sendError(request, response, -32601, `method not found: ${method}`);
    }
  };

  return await startDouble(
    path,
    (origin) => (asked) => {
      const names = ["/.well-known/agent-card.json", "/.well-known/agent.json"];
      return names.some((name) => asked === `${path}${name}`) ? card(`${origin}${path}/`, options) : undefined;
    },
    (request, response) => {
      response.shouldKeepAlive = false;
      const version = request.headers["a2a-version"] ?? "1.0";
      if (request.headers["content-length"] === undefined) sendJson(response, { error: "length required" }, 411);
      else if (version !== "1.0" && version !== "1.0.0") {
        sendError(request, response, -32602, `unsupported A2A-Version: ${String(version)}`);
      } else answer(request, response);
    },
  );
}

function stream(request: PeerRequest, response: ServerResponse, task: Task): void {
  const { id: taskId, contextId, artifacts, status: end } = task;
  const open = openStream(request, response);
  open.frame({ task: { id: taskId, contextId, status: status("TASK_STATE_SUBMITTED", String(contextId)) } });
  open.frame({ statusUpdate: { taskId, contextId, status: status("TASK_STATE_WORKING", String(contextId)) } });
  open.raw(": keepalive\n\n");
  if (Array.isArray(artifacts)) open.frame({ artifactUpdate: { taskId, contextId, artifact: artifacts[0] } });
  open.frame({ statusUpdate: { taskId, contextId, status: end } });
  open.raw(": done\n\n");
  open.end();
}

function status(state: string, contextId: string, said?: string): object {
  const message = { role: "ROLE_AGENT", parts: [part(said ?? "")], messageId: "m-1", contextId };
  return { state, timestamp: "2026-08-02T10:00:00.123Z", ...(said === undefined ? {} : { message }) };
}

function reply(text: string): object {
  return { artifactId: "artifact-1", parts: [part(text)] };
}

function part(text: string): object {
  return { text, mediaType: "text/plain" };
}

function card(url: string, { streaming = true }: HermesOptions): object {
  return {
    name: "hermes-box",
    description: "A Hermes agent",
    url,
    version: "1.0.0",
    provider: { organization: "Hermes Agent", url: "https://hermes.example" },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming, pushNotifications: true, stateTransitionHistory: false, extendedAgentCard: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "toolset.web", name: "web", description: "Hermes 'web' capabilities", tags: ["web"] }],
  };
}
