// Stands for a session of pi-a2a 0.6.3: slash names with bare tasks in the spelling of 1.0, parameters that nobody checks, a stream
// whose two frames come together at the end, a whole task as statusUpdate and a bare artifact as artifactUpdate.

import { type PeerRequest, sendError, sendJson, sendResult } from "../http-peer.ts";
import { counter, type Double, messageIn, type Sent, startDouble, streamAll, wishIn } from "./double.ts";

export async function startEarlierPiServer({ streaming = true } = {}): Promise<Double> {
  const nextId = counter("task-00000000000000");
  const tasks = new Map<string, object>();
  return await startDouble(
    "",
    (origin) => (path) => (path.startsWith("/.well-known/agent") ? card(`${origin}/`, streaming) : undefined),
    (request, response) => {
      const { method, params = {} } = request.rpc;
      const known = tasks.get(String(params.id));
      switch (method) {
        case "message/send":
        case "message/stream": {
          const sent = messageIn(request, false);
          if (sent.text.includes("busy")) {
            return sendJson(response, errorBody(request, -32053, "server busy"), 503);
          }
          const id = nextId();
          const task = finished(id, sent);
          tasks.set(id, task);
          if (method === "message/send") return sendResult(request, response, task);
          const [artifact] = (task as { artifacts?: object[] }).artifacts ?? [];
          const frames = artifact === undefined ? [] : [{ artifactUpdate: artifact }];
          return streamAll(request, response, [...frames, { statusUpdate: task }]);
        }
        case "tasks/get":
        case "tasks/cancel":
        case "tasks/subscribe":
          if (known === undefined) return sendError(request, response, -32001, "task not found");
          return sendResult(request, response, known);
        default:
          return sendError(request, response, -32601, `unknown method ${String(method)}`);
      }
    },
  );
}

function errorBody(request: PeerRequest, code: number, message: string): object {
  return { jsonrpc: "2.0", id: request.rpc.id, error: { code, message } };
}

function finished(id: string, { text, contextId = "ctx-0123456789abcdef" }: Sent): object {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const artifacts = [{ artifactId: "reply", name: "reply", parts: [{ text: `Pi: ${text}` }] }];
  const message = { messageId: `${id}-m`, role: "ROLE_AGENT", parts: [{ text: "the child session failed" }] };
  return wishIn(text) === "fail"
    ? { id, contextId, status: { state: "TASK_STATE_FAILED", timestamp, message } }
    : { id, contextId, status: { state: "TASK_STATE_COMPLETED", timestamp }, artifacts };
}

function card(url: string, streaming: boolean): object {
  const uri = "https://bacnh85.dev/a2a/extensions/pi-session/v1";
  return {
    name: "pi-box",
    description: "A Pi session",
    url,
    version: "0.6.3",
    provider: { organization: "pi", url: "https://pi.example" },
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming, pushNotifications: false, extensions: [{ uri, description: "Session metadata" }] },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "coding", name: "coding", description: "Writes code", tags: ["coding"] }],
    metadata: { pid: 1, cwd: "/work" },
  };
}
