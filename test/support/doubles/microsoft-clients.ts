// Stand for the clients of Microsoft Agent Framework. .NET: the A2A SDK of 1.0, which has no way back to older servers and refuses
// results with more or less than one member; before it 0.3 with the card at agent.json. Python: reads the artifacts of an ended task
// or a message, and never the status message of a completed one.

import {
  type Caller,
  fetchJson,
  fetchText,
  gatherArtifacts,
  hex,
  resultOf,
  resultsIn,
  rpc,
  type Said,
  textIn,
  type Wire,
} from "./caller.ts";

const MEMBERS = ["task", "message", "statusUpdate", "artifactUpdate"];

export function dotnetClient(base: string): Caller {
  const version = { "A2A-Version": "1.0" };
  const paramsOf = (text: string, before?: Said): object => ({
    message: {
      ...{ messageId: hex(32), role: "ROLE_USER", parts: [{ text }] },
      ...(before === undefined ? {} : { contextId: before.contextId }),
      ...(before?.state === "TASK_STATE_INPUT_REQUIRED" ? { taskId: before.taskId } : {}),
    },
  });
  const readCard = (): Promise<Wire> => fetchJson(`${base}/.well-known/agent-card.json`, version);
  const endpoint = async (): Promise<string> => (await readCard()).supportedInterfaces[0].url;
  return {
    discover: async () => (await readCard()).name,
    async send(text, before) {
      const headers = { ...version, "Content-Type": "application/json", Accept: "application/json" };
      const answer = await fetchJson(await endpoint(), headers, rpc("SendMessage", paramsOf(text, before), hex(8)));
      return modernSaid([onlyMember(resultOf(answer))]);
    },
    async stream(text, before) {
      const headers = { ...version, "Content-Type": "application/json", Accept: "text/event-stream" };
      const body = rpc("SendStreamingMessage", paramsOf(text, before), hex(8));
      return modernSaid(resultsIn(await fetchText(await endpoint(), headers, body)).map(onlyMember));
    },
  };
}

export function olderDotnetClient(base: string): Caller {
  const readCard = (): Promise<Wire> => fetchJson(`${base}/.well-known/agent.json`);
  return {
    discover: async () => (await readCard()).name,
    async send(text, before) {
      const { url } = await readCard();
      const ids = { contextId: before?.contextId ?? null, taskId: before?.taskId ?? null };
      const parts = [{ kind: "text", text, metadata: null }];
      const message = { kind: "message", role: "user", messageId: hex(32), parts, ...ids, extensions: null };
      const body = rpc("message/send", { message, configuration: null, metadata: null }, hex(8));
      const task = resultOf(await fetchJson(url, { "Content-Type": "application/json" }, body));
      if (task.kind !== "task" && task.kind !== "message") throw new Error(`unknown kind ${task.kind}`);
      return olderSaid(task);
    },
  };
}

export function msPythonClient(base: string): Caller {
  const readCard = (): Promise<Wire> => fetchJson(`${base}/.well-known/agent-card.json`);
  return {
    discover: async () => (await readCard()).name,
    async stream(text, before) {
      const { url } = await readCard();
      const parts = [{ kind: "text", text }];
      const ids = { contextId: before?.contextId, taskId: before?.taskId };
      const message = { kind: "message", role: "user", messageId: hex(32), parts, ...ids };
      const headers = { "Content-Type": "application/json", Accept: "text/event-stream" };
      const events = resultsIn(await fetchText(url, headers, rpc("message/stream", { message }, hex(8))));
      const { taskId, contextId, status } = events.at(-1);
      const artifacts = gatherArtifacts();
      for (const { kind, artifact, append } of events) if (kind === "artifact-update") artifacts.add(artifact, append);
      const note = status.state === "completed" ? "" : textIn(status.message?.parts);
      return { state: status.state, text: artifacts.text("\n") || note, contextId, taskId };
    },
    async send() {
      throw new Error("this client streams only");
    },
  };
}

/** The one member of a union, with its name. */
function onlyMember(result: Wire): Wire {
  const names = Object.keys(result);
  if (names.length !== 1 || !MEMBERS.includes(names[0] ?? "")) throw new Error(`no union: ${names}`);
  return result;
}

function modernSaid(results: readonly Wire[]): Said {
  const artifacts = gatherArtifacts();
  let said: Said = { state: "", text: "" };
  for (const { task, message, statusUpdate, artifactUpdate } of results) {
    if (message !== undefined) return { state: "message", text: textIn(message.parts), contextId: message.contextId };
    for (const artifact of task?.artifacts ?? []) artifacts.add(artifact, false);
    if (artifactUpdate !== undefined) artifacts.add(artifactUpdate.artifact, artifactUpdate.append);
    else said = afterStatus(said, task?.id, task ?? statusUpdate);
  }
  const text = artifacts.text("\n");
  return text === "" ? said : { ...said, text };
}

function afterStatus(said: Said, taskId: string | undefined, { status, contextId }: Wire): Said {
  const note = textIn(status.message?.parts);
  return {
    ...said,
    ...(taskId === undefined ? {} : { taskId }),
    state: status.state,
    text: note || said.text,
    contextId,
  };
}

function olderSaid({ kind, id, contextId, status, artifacts = [], parts }: Wire): Said {
  if (kind === "message") return { state: "completed", text: textIn(parts), contextId };
  const text = textIn(artifacts.at(-1)?.parts) || textIn(status.message?.parts);
  return { state: status.state, text, contextId, taskId: id };
}
