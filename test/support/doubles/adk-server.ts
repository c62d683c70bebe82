// Stands for an agent of Google's ADK behind `adk api_server --a2a`: 0.3, card and endpoint below a path, always a task, an artifact
// whose last piece replaces all the others, thoughts and function calls among its parts.

import type { ServerResponse } from "node:http";
import { type PeerRequest, sendError, sendResult } from "../http-peer.ts";
import { counter, type Double, isV03, messageIn, type Sent, startDouble, streamAll, wishIn } from "./double.ts";

const PATH = "/a2a/words";

export async function startAdkServer({ streaming = true } = {}): Promise<Double> {
  const nextId = counter("adk-task-");
  const tasks = new Map<string, object>();
  const answer = (request: PeerRequest, response: ServerResponse) => {
    const { method, params = {} } = request.rpc;
    const sent = messageIn(request, true);
    switch (method) {
      case "message/send":
      case "message/stream": {
        if (!isV03(sent)) return sendError(request, response, -32600, "Request payload validation error");
        const ids = { taskId: sent.taskId ?? nextId(), contextId: sent.contextId ?? "adk-context" };
        const { events, task } = turn(ids, sent);
        tasks.set(ids.taskId, task);
        if (method === "message/stream") streamAll(request, response, events);
        else sendResult(request, response, task);
        return;
      }
      case "tasks/get": {
        const known = tasks.get(String(params.id));
        if (known === undefined) sendError(request, response, -32001, "Task not found");
        else sendResult(request, response, known);
        return;
      }
      default:
        sendError(request, response, -32601, "Method not found");
    }
  };
  return await startDouble(
    PATH,
    (origin) => (path) =>
      path === `${PATH}/.well-known/agent-card.json` ? card(`${origin}${PATH}`, streaming) : undefined,
    (request, response) => (request.path === PATH ? answer(request, response) : response.writeHead(404).end()),
  );
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

function turn(ids: Ids, { text }: Sent): { readonly events: readonly object[]; readonly task: object } {
  const first = { kind: "task", ...named(ids), status: status("submitted"), history: [userMessage(text)] };
  const begun = [first, statusUpdate(ids, status("working"), false)];
  const thought = { kind: "text", text: "I should be polite", metadata: { adk_thought: true } };
  const call = { kind: "data", data: { name: "greet", args: { n: 1 } }, metadata: { adk_type: "function_call" } };
  const end = (state: string, parts: readonly object[], message?: object) => {
    const artifacts = parts.length === 0 ? [] : [{ artifactId: "a1", parts }];
    return { ...first, status: status(state, message), artifacts };
  };
  switch (wishIn(text)) {
    case "fail": {
      const message = agentMessage([{ kind: "text", text: "Error: the tool is broken" }]);
      return { events: [...begun, statusUpdate(ids, status("failed", message))], task: end("failed", [], message) };
    }
    case "ask": {
      const metadata = { adk_type: "function_call", adk_is_long_running: true };
      const question = { kind: "data", data: { name: "ask_human", args: { question: "Which branch?" } }, metadata };
      const message = agentMessage([question]);
      const asked = status("input-required", message);
      return { events: [...begun, statusUpdate(ids, asked)], task: end("input-required", [], message) };
    }
    case "answer": {
      const whole = [thought, call, { kind: "text", text: `ADK: ${text}` }];
      const events = [
        ...begun,
        artifact(ids, [thought], { append: true, lastChunk: false }),
        artifact(ids, [{ kind: "text", text: "ADK: " }], { append: true, lastChunk: false }),
        artifact(ids, [{ kind: "text", text }], { append: true, lastChunk: false }),
        artifact(ids, whole, { append: false, lastChunk: true }),
        statusUpdate(ids, status("completed")),
      ];
      return { events, task: end("completed", whole) };
    }
  }
}

function named({ taskId, contextId }: Ids): object {
  return { id: taskId, contextId };
}

function status(state: string, message?: object): object {
  return { state, timestamp: "2026-08-02T10:00:00.123456+00:00", ...(message === undefined ? {} : { message }) };
}

function statusUpdate(ids: Ids, value: object, final = true): object {
  return { kind: "status-update", ...ids, status: value, final, metadata: { adk_app_name: "words" } };
}

function artifact(ids: Ids, parts: readonly object[], how: object): object {
  return { kind: "artifact-update", ...ids, artifact: { artifactId: "a1", parts }, ...how };
}

function agentMessage(parts: readonly object[]): object {
  return { kind: "message", role: "agent", messageId: "adk-m", parts };
}

function userMessage(text: string): object {
  return { kind: "message", role: "user", messageId: "u", parts: [{ kind: "text", text }] };
}

function card(url: string, streaming: boolean): object {
  return {
    name: "words",
    description: "An ADK Agent",
    url,
    version: "0.0.1",
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "words", name: "model", description: "Says words", tags: ["llm"] }],
    supportsAuthenticatedExtendedCard: false,
  };
}
