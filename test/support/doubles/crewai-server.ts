// Stands for a crew that CrewAI serves: 0.3, one task that is finished when it comes, the result as an artifact named after the task
// and in the history, errors of the work as errors of JSON-RPC.

import type { ServerResponse } from "node:http";
import { type PeerRequest, sendError, sendResult } from "../http-peer.ts";
import { counter, type Double, isV03, messageIn, type Sent, startDouble, streamAll, wishIn } from "./double.ts";

export async function startCrewAiServer({ streaming = true } = {}): Promise<Double> {
  const nextId = counter("crew-task-");
  const tasks = new Map<string, object>();
  const answer = (request: PeerRequest, response: ServerResponse) => {
    const { method, params = {} } = request.rpc;
    const sent = messageIn(request, true);
    switch (method) {
      case "message/send":
      case "message/stream": {
        if (!isV03(sent)) return sendError(request, response, -32602, "Invalid parameters");
        if (wishIn(sent.text) === "fail") {
          return sendError(request, response, -32603, "Crew execution failed: no such tool");
        }
        const id = nextId();
        const task = finished(id, sent);
        tasks.set(id, task);
        if (method === "message/send") sendResult(request, response, task);
        else streamAll(request, response, [task]);
        return;
      }
      case "tasks/get": {
        const task = tasks.get(String(params.id));
        if (task === undefined) sendError(request, response, -32001, "Task not found");
        else sendResult(request, response, task);
        return;
      }
      default:
        sendError(request, response, -32601, "Method not found");
    }
  };
  return await startDouble(
    "",
    (origin) => (path) => (path === "/.well-known/agent-card.json" ? card(`${origin}/`, streaming) : undefined),
    answer,
  );
}

function finished(id: string, { text, contextId = "crew-context" }: Sent): object {
  const parts = [{ kind: "text", text: `Crew: ${text}` }];
  const message = (role: string, said: readonly object[]): object => ({
    kind: "message",
    role,
    messageId: `${id}-${role}`,
    parts: said,
  });
  return {
    kind: "task",
    id,
    contextId,
    status: { state: "completed", timestamp: "2026-08-02T10:00:00Z" },
    artifacts: [{ artifactId: `result_${id}`, name: `result_${id}`, parts }],
    history: [message("user", [{ kind: "text", text }]), message("agent", parts)],
  };
}

function card(url: string, streaming: boolean): object {
  return {
    name: "Research Crew",
    description: "A crew",
    url,
    version: "1.0.0",
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming, pushNotifications: false },
    defaultInputModes: ["text/plain", "application/json"],
    defaultOutputModes: ["text/plain", "application/json"],
    skills: [{ id: "research", name: "research", description: "Researches", tags: ["crew"] }],
  };
}
