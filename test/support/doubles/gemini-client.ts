// Stands for Gemini CLI calling a remote agent over the JavaScript SDK of 0.3: streams wherever the card offers it, takes the text of
// each event as it comes, keeps context and task of the last answer, and drops the task's id once the task has ended.

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

const ENDED = ["completed", "failed", "canceled", "rejected"];

export function geminiClient(cardUrl: string): Caller {
  const paramsOf = (text: string, before?: Said): object => {
    const taskId = before === undefined || ENDED.includes(before.state) ? undefined : before.taskId;
    const parts = [{ kind: "text", text }];
    const message = { kind: "message", role: "user", messageId: hex(32), parts, contextId: before?.contextId, taskId };
    return { message, configuration: { blocking: true } };
  };
  const post = async (method: string, params: object, accept: string) => {
    const { url } = await fetchJson(cardUrl, { Accept: "application/json" });
    return await fetchText(url, { "Content-Type": "application/json", Accept: accept }, rpc(method, params));
  };
  return {
    discover: async () => (await fetchJson(cardUrl)).name,
    async send(text, before) {
      const { text: body } = await post("message/send", paramsOf(text, before), "application/json");
      return foldEvents([resultOf(JSON.parse(body))]);
    },
    stream: async (text, before) =>
      foldEvents(resultsIn(await post("message/stream", paramsOf(text, before), "text/event-stream"))),
  };
}

function foldEvents(events: readonly Wire[]): Said {
  const artifacts = gatherArtifacts();
  let said: Said = { state: "unknown", text: "" };
  for (const event of events) {
    for (const artifact of event.artifacts ?? []) artifacts.add(artifact, false);
    if (event.kind === "artifact-update") artifacts.add(event.artifact, event.append);
    said = afterEvent(said, event);
  }
  const text = artifacts.text("\n");
  return text === "" ? said : { ...said, text };
}

function afterEvent(said: Said, { kind, id, taskId = said.taskId, contextId, status, parts }: Wire): Said {
  const note = textIn(kind === "message" ? parts : status?.message?.parts);
  const task = kind === "task" ? id : taskId;
  return { state: status?.state ?? said.state, text: note || said.text, contextId, taskId: task };
}
