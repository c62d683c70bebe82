// Stands for the two hosts of Microsoft's Agent Framework. .NET: a Message in place of a task; the newer one wants to be told the
// version, the older one is 0.3 with its card at <path>/v1/card. Python: 0.3; a plain send leaves its text in the history alone, a
// stream adds pieces to one artifact.

import { type PeerRequest, sendError, sendResult } from "../http-peer.ts";
import { counter, type Double, isV03, messageIn, type Sent, startDouble, streamAll, wishIn } from "./double.ts";

/** The host of .NET, `older` as it was before 1.0. */
export async function startDotnetServer({ streaming = true, older = false } = {}): Promise<Double> {
  const path = older ? "/a2a/pirate" : "";
  const names = older ? ["message/send", "message/stream"] : ["SendMessage", "SendStreamingMessage"];
  const message = ({ text, contextId = "net-context" }: Sent, id: string): object => {
    const said = `.NET: ${text}`;
    return older
      ? { kind: "message", role: "agent", messageId: id, contextId, parts: [{ kind: "text", text: said }] }
      : { role: "ROLE_AGENT", messageId: id, contextId, parts: [{ text: said }] };
  };
  const nextId = counter("net-");
  return await startDouble(
    path,
    (origin) => (asked) => {
      if (older) return asked === `${path}/v1/card` ? v03Card(`${origin}${path}`, streaming, "Pirate") : undefined;
      return asked === "/.well-known/agent-card.json" ? v1Card(`${origin}/`, streaming) : undefined;
    },
    (request, response) => {
      const { method = "" } = request.rpc;
      const sent = messageIn(request, older);
      if (!older && request.headers["a2a-version"] !== "1.0") {
        return sendError(request, response, -32009, "The A2A version is not supported: 0.3");
      }
      if (!names.includes(method)) return sendError(request, response, -32601, "Method not found");
      if (older && !isV03(sent)) return sendError(request, response, -32602, "Invalid parameters");
      if (wishIn(sent.text) === "fail") return sendError(request, response, -32603, "An internal error occurred");
      const reply = message(sent, nextId());
      const result = older ? reply : { message: reply };
      if (method === names[1]) streamAll(request, response, [result]);
      else sendResult(request, response, result);
    },
  );
}

export async function startMsPythonServer({ streaming = true } = {}): Promise<Double> {
  const nextId = counter("ms-task-");
  const tasks = new Map<string, object>();
  return await startDouble(
    "",
    (origin) => (path) =>
      path === "/.well-known/agent-card.json" ? v03Card(`${origin}/`, streaming, "Python host") : undefined,
    (request, response) => {
      const { method, params = {} } = request.rpc;
      const sent = messageIn(request, true);
      if (method === "tasks/get") {
        const known = tasks.get(String(params.id));
        return known === undefined
          ? sendError(request, response, -32001, "Task not found")
          : sendResult(request, response, known);
      }
      if (method !== "message/send" && method !== "message/stream") {
        return sendError(request, response, -32601, "Method not found");
      }
      if (!isV03(sent)) return sendError(request, response, -32600, "Request payload validation error");
      const ids = { taskId: nextId(), contextId: sent.contextId ?? "ms-context" };
      tasks.set(ids.taskId, plainTask(ids, sent));
      if (method === "message/send") sendResult(request, response, plainTask(ids, sent));
      else streamAll(request, response, streamed(request, ids, sent));
    },
  );
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

function plainTask({ taskId, contextId }: Ids, { text }: Sent): object {
  const failed = wishIn(text) === "fail";
  const said = agentMessage(failed ? "Error: the agent failed" : `Python: ${text}`);
  const status = failed ? { state: "failed", message: said } : { state: "completed" };
  const asked = { kind: "message", role: "user", messageId: "u", parts: [{ kind: "text", text }] };
  return { kind: "task", id: taskId, contextId, status, history: failed ? [asked] : [asked, said] };
}

function streamed(_request: PeerRequest, ids: Ids, { text }: Sent): readonly object[] {
  const update = (state: string, message?: object): object => ({
    kind: "status-update",
    ...ids,
    status: { state, ...(message === undefined ? {} : { message }) },
    final: state !== "working",
  });
  const first = { kind: "task", id: ids.taskId, contextId: ids.contextId, status: { state: "submitted" } };
  if (wishIn(text) === "fail") {
    return [first, update("working"), update("failed", agentMessage("Error: the agent failed"))];
  }
  const piece = (said: string, append: boolean): object => ({
    kind: "artifact-update",
    ...ids,
    artifact: { artifactId: "msg-1", parts: [{ kind: "text", text: said }] },
    append,
  });
  return [first, update("working"), piece("Python: ", false), piece(text, true), update("completed")];
}

function agentMessage(text: string): object {
  return { kind: "message", role: "agent", messageId: "a", parts: [{ kind: "text", text }] };
}

function v1Card(url: string, streaming: boolean): object {
  return {
    name: "Net agent",
    description: "An agent of .NET",
    version: "1.0.0",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming, pushNotifications: false },
    defaultInputModes: ["text"],
    defaultOutputModes: ["text"],
    skills: [],
  };
}

function v03Card(url: string, streaming: boolean, name: string): object {
  return {
    name,
    description: "",
    url,
    version: "1.0",
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming, pushNotifications: false, stateTransitionHistory: false },
    defaultInputModes: ["text"],
    defaultOutputModes: ["text"],
    skills: [],
  };
}
