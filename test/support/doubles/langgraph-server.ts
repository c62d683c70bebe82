// Stands for an assistant of a LangGraph server: the card behind a query at the root, `jsonrpc` in lower case, a login in x-api-key,
// an Accept header that it insists on, names of 1.0 with a hybrid of both wires, threads that are UUIDs, a reply that a stream says
// again and again and that GetTask hides behind a fixed remark.

import type { ServerResponse } from "node:http";
import { openStream, type PeerRequest, sendError, sendJson, sendResult } from "../http-peer.ts";
import { counter, type Double, messageIn, type Sent, startDouble, wishIn } from "./double.ts";

const ASSISTANT = "fe096781-5601-53d2-b2f6-0d3403f7e9ca";
const THREAD = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const LANGGRAPH_KEY = "lsv2-for-tests";

export async function startLangGraphServer({ streaming = true } = {}): Promise<Double> {
  const nextRun = counter("1ef3ea46-0f7c-6b5e-");
  const tasks = new Map<string, object>();
  const send = (request: PeerRequest, response: ServerResponse) => {
    const sent = messageIn(request, false);
    const contextId = sent.contextId ?? THREAD;
    const ids = { taskId: sent.taskId ?? `${contextId}:${nextRun()}`, contextId };
    const refused = problemWith(sent, contextId);
    if (refused !== undefined) return sendError(request, response, -32602, refused);
    const end = outcome(ids, sent);
    tasks.set(ids.taskId, stored(end, sent));
    if (request.rpc.method === "SendMessage") sendResult(request, response, { task: end });
    else stream(request, response, ids, end);
  };
  const answer = (request: PeerRequest, response: ServerResponse) => {
    const { method, params = {} } = request.rpc;
    const task = tasks.get(String(params.id));
    switch (method) {
      case "SendMessage":
      case "SendStreamingMessage":
        return send(request, response);
      case "GetTask":
        if (task === undefined) sendError(request, response, -32001, "Task not found");
        else sendResult(request, response, task);
        return;
      case "CancelTask":
        sendResult(request, response, { kind: "task", id: params.id, contextId: THREAD, status: status("CANCELED") });
        return;
      default:
        sendError(request, response, -32601, `Method not found: ${String(method)}`);
    }
  };
  return await startDouble(
    `/a2a/${ASSISTANT}`,
    (origin) =>
      (path, { headers }) => {
        if (path !== `/.well-known/agent-card.json?assistant_id=${ASSISTANT}`) return undefined;
        return headers["x-api-key"] === LANGGRAPH_KEY ? card(`${origin}/a2a/${ASSISTANT}`, streaming) : undefined;
      },
    (request, response) => {
      const accept = request.headers.accept ?? "";
      const wanted = /Stream/.test(request.rpc.method ?? "") ? "text/event-stream" : "application/json";
      if (request.headers["x-api-key"] !== LANGGRAPH_KEY) sendJson(response, { detail: "Unauthorized" }, 403);
      else if (!accept.includes(wanted)) sendJson(response, { error: `Accept header must include ${wanted}` }, 400);
      else answer(request, response);
    },
  );
}

function problemWith({ messageId, role }: Sent, contextId: string): string | undefined {
  if (messageId === undefined || role !== "ROLE_USER") return "messageId and role are required";
  return /^[0-9a-f-]{36}$/.test(contextId) ? undefined : "contextId must be a UUID";
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

type End = { readonly status: object } & Readonly<Record<string, unknown>>;

function outcome({ taskId, contextId }: Ids, { text }: Sent): End {
  const task = { kind: "task", id: taskId, contextId };
  switch (wishIn(text)) {
    case "fail":
      return { ...task, status: status("FAILED", "The graph raised ValueError") };
    case "ask": {
      const artifacts = [
        { artifactId: "interrupt", name: "Interrupt", parts: [{ kind: "text", text: "Which branch?" }] },
      ];
      return { ...task, status: status("INPUT_REQUIRED"), artifacts };
    }
    case "answer": {
      const artifacts = [
        { artifactId: "r", name: "Assistant Response", parts: [{ kind: "text", text: replyTo(text) }] },
      ];
      return { ...task, status: status("COMPLETED"), artifacts };
    }
  }
}

function replyTo(text: string): string {
  return `LangGraph: ${text}`;
}

/** A finished task as a later look shows it. */
function stored(end: End, { text }: Sent): object {
  if (wishIn(text) !== "answer") return end;
  const { artifacts: _artifacts, ...rest } = end;
  const said = { kind: "message", role: "agent", messageId: "h2", parts: [{ kind: "text", text: replyTo(text) }] };
  const asked = { kind: "message", role: "user", messageId: "h1", parts: [{ kind: "text", text }] };
  return { ...rest, status: status("COMPLETED", "Task completed successfully"), history: [asked, said] };
}

function stream(request: PeerRequest, response: ServerResponse, { taskId, contextId }: Ids, end: End): void {
  const open = openStream(request, response);
  const frame = (result: unknown): void =>
    open.raw(`event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: request.rpc.id, result })}\n\n`);
  const update = (value: object, final: boolean): void =>
    frame({ kind: "status-update", taskId, contextId, status: value, final });
  frame({ task: { kind: "task", id: taskId, contextId, status: status("SUBMITTED") } });
  const { artifacts } = end;
  const parts = Array.isArray(artifacts) ? (artifacts[0] as { parts: { text: string }[] }).parts : [];
  const text = parts[0]?.text;
  if (text === undefined) update(end.status, true);
  else {
    for (let at = 6; at < text.length; at += 6) update(status("WORKING", text.slice(0, at)), false);
    const { state } = end.status as { state: string };
    update(status(state.replace("TASK_STATE_", ""), text), true);
  }
  open.end();
}

function status(state: string, text?: string): object {
  const message = { kind: "message", role: "agent", messageId: "m", parts: [{ kind: "text", text }] };
  return {
    state: `TASK_STATE_${state}`,
    timestamp: "2026-08-02T10:00:00Z",
    ...(text === undefined ? {} : { message }),
  };
}

function card(url: string, streaming: boolean): object {
  return {
    name: "Assistant",
    description: "A LangGraph assistant",
    url,
    protocolVersion: "1.0",
    preferredTransport: "JSONRPC",
    supportedInterfaces: [{ url, protocolBinding: "jsonrpc", protocolVersion: "1.0" }],
    version: "1.0.0",
    capabilities: { streaming, pushNotifications: false },
    defaultInputModes: ["application/json", "text/plain"],
    defaultOutputModes: ["application/json", "text/plain"],
    skills: [{ id: "agent-main", name: "main", description: "Talks", tags: ["assistant", "langgraph"] }],
  };
}
