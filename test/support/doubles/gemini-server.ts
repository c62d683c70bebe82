// Stands for the A2A server of Gemini CLI: 0.3 alone; every turn ends in input-required, a failed one too; no artifact; the reply in
// pieces: those of a stream between thoughts and tool calls, those of a plain send as messages of the history, which a later look
// does not show.

import type { ServerResponse } from "node:http";
import { type PeerRequest, sendError, sendResult } from "../http-peer.ts";
import { counter, type Double, isV03, messageIn, type Sent, startDouble, streamAll, wishIn } from "./double.ts";

const CARD = "/.well-known/agent-card.json";

export async function startGeminiServer({ streaming = true } = {}): Promise<Double> {
  const nextId = counter("gemini-task-");
  const ended = new Map<string, string>();

  const begin = (sent: Sent): Ids => ({
    taskId: sent.taskId ?? nextId(),
    contextId: sent.contextId ?? "0f8fad5b-d9cb-469f-a165-70867728950e",
  });
  const send = (request: PeerRequest, response: ServerResponse, sent: Sent): void => {
    const ids = begin(sent);
    ended.set(ids.taskId, "input-required");
    const events = turn(ids, sent);
    if (request.rpc.method === "message/stream") streamAll(request, response, events);
    else sendResult(request, response, afterwards(ids, sent, events));
  };
  const look = (request: PeerRequest, response: ServerResponse): void => {
    const id = String(request.rpc.params?.id);
    const state = ended.get(id);
    const cancels = request.rpc.method === "tasks/cancel";
    if (state === undefined) sendError(request, response, -32001, "Task not found");
    else if (cancels && state === "canceled") sendError(request, response, -32002, "Task cannot be canceled");
    else {
      if (cancels) ended.set(id, "canceled");
      sendResult(request, response, task({ taskId: id, contextId: "c" }, cancels ? "canceled" : state));
    }
  };
  const answer = (request: PeerRequest, response: ServerResponse) => {
    const sent = messageIn(request, true);
    switch (request.rpc.method) {
      case "message/send":
      case "message/stream":
        if (isV03(sent)) send(request, response, sent);
        else sendError(request, response, -32602, "message is not valid");
        return;
      case "tasks/get":
      case "tasks/cancel":
        look(request, response);
        return;
      default:
        sendError(request, response, -32601, `Method not found: ${String(request.rpc.method)}`);
    }
  };
  return await startDouble(
    "",
    (origin) => (path) => (path === CARD ? card(`${origin}/`, streaming) : undefined),
    answer,
  );
}

interface Ids {
  readonly taskId: string;
  readonly contextId: string;
}

interface Update {
  readonly kind: string;
  readonly status?: { readonly message?: object; readonly state: string };
}

function turn(ids: Ids, { text }: Sent): readonly Update[] {
  const working = (what: string, parts: readonly object[]): Update => update(ids, "working", what, parts);
  const first = { ...task(ids, "submitted"), history: [userMessage(ids, text)] };
  const begun = [
    first,
    update(ids, "working", "state-change"),
    working("thought", [{ kind: "data", data: { subject: "Plan", description: "Think about it" } }]),
  ] as Update[];
  switch (wishIn(text)) {
    case "fail":
      return [...begun, update(ids, "input-required", "state-change", [textPart("Error: the model is gone")])];
    case "ask":
      return [
        ...begun,
        working("tool-call-confirmation", [{ kind: "data", data: { request: { name: "run_shell_command" } } }]),
        update(ids, "input-required", "state-change"),
      ];
    case "answer":
      return [
        ...begun,
        working("text-content", [textPart("Gemini says")]),
        working("tool-call-update", [{ kind: "data", data: { status: "success" } }]),
        working("text-content", [textPart(` hello. You said: ${text}`)]),
        update(ids, "input-required", "state-change"),
      ];
  }
}

/** What a plain send gives: the messages of all events as the history. */
function afterwards(ids: Ids, { text }: Sent, events: readonly Update[]): object {
  const last = events.at(-1)?.status;
  const messages = events.flatMap((event) => (event.kind === "status-update" ? (event.status?.message ?? []) : []));
  return { ...task(ids, last?.state ?? ""), status: last, history: [userMessage(ids, text), ...messages] };
}

function task({ taskId, contextId }: Ids, state: string): Update {
  const status = { state, timestamp: later() };
  return { kind: "task", ...{ id: taskId, contextId, status, history: [], artifacts: [], metadata: {} } };
}

let messages = 0;

/** Each status is a second younger than the one before. */
function later(): string {
  messages += 1;
  return new Date(Date.UTC(2026, 7, 2) + messages * 1000).toISOString();
}

function update({ taskId, contextId }: Ids, state: string, kind: string, parts?: readonly object[]): Update {
  messages += 1;
  const message = { kind: "message", role: "agent", parts, messageId: `g-${messages}`, taskId, contextId };
  const status = { state, timestamp: later(), ...(parts === undefined ? {} : { message }) };
  const final = state !== "working";
  return { kind: "status-update", ...{ taskId, contextId, status, final, metadata: { coderAgent: { kind } } } };
}

function userMessage({ taskId, contextId }: Ids, text: string): object {
  return { kind: "message", role: "user", parts: [textPart(text)], messageId: "u-1", taskId, contextId };
}

function textPart(text: string): object {
  return { kind: "text", text };
}

function card(url: string, streaming: boolean): object {
  return {
    name: "Gemini SDLC Agent",
    description: "An agent that generates code based on natural language instructions.",
    url,
    provider: { organization: "Google", url: "https://google.com" },
    protocolVersion: "0.3.0",
    version: "0.0.2",
    capabilities: { streaming, pushNotifications: false, stateTransitionHistory: true },
    defaultInputModes: ["text"],
    defaultOutputModes: ["text"],
    skills: [{ id: "code_generation", name: "Code Generation", description: "Generates code.", tags: ["code"] }],
    supportsAuthenticatedExtendedCard: false,
  };
}
