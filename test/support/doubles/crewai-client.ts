// Stands for the A2A client of CrewAI, on the Python SDK of 0.3: its endpoint is the card's URL, it polls after blocking: false or
// streams, and what it reports are status message, last agent message and artifacts, joined by a blank. It asks for JSON by metadata.

import { type Caller, fetchJson, fetchText, resultOf, resultsIn, rpc, type Said, textIn, type Wire } from "./caller.ts";

const JSON_HEADERS = { "Content-Type": "application/json", Accept: "application/json" };
const DONE = ["completed", "failed", "canceled", "rejected", "input-required", "auth-required"];

let messages = 0;

/** `endpoint` ends in the path of the card. */
export function crewAiClient(endpoint: string): Caller {
  const readCard = (): Promise<Wire> => fetchJson(endpoint);
  const paramsOf = (text: string, before?: Said): object => {
    messages += 1;
    const schema = { metadata: { schema: { type: "object" } } };
    const ids = {
      contextId: before?.contextId,
      taskId: before?.state === "input-required" ? before.taskId : undefined,
    };
    const parts = [{ kind: "text", text, ...schema }];
    const message = { kind: "message", messageId: `crew-${messages}`, role: "user", parts, ...ids };
    return { message, configuration: { acceptedOutputModes: ["text/plain", "application/json"], blocking: false } };
  };
  return {
    discover: async () => (await readCard()).name,
    async send(text, before) {
      const { url } = await readCard();
      let task = resultOf(await fetchJson(url, JSON_HEADERS, rpc("message/send", paramsOf(text, before))));
      while (task.kind === "task" && !DONE.includes(task.status.state)) {
        task = resultOf(await fetchJson(url, JSON_HEADERS, rpc("tasks/get", { id: task.id, historyLength: 100 })));
      }
      return saidIn(task);
    },
    async stream(text, before) {
      const { url } = await readCard();
      const headers = { ...JSON_HEADERS, Accept: "text/event-stream" };
      const events = resultsIn(await fetchText(url, headers, rpc("message/stream", paramsOf(text, before))));
      const task = events.reduce(afterEvent, undefined);
      if (events.at(-1)?.final !== true && events.at(-1)?.kind !== "message") throw new Error("the stream broke off");
      return saidIn(task);
    },
  };
}

/** The SDK keeps the task up to date. */
function afterEvent(task: Wire, event: Wire): Wire {
  if (event.kind === "task" || event.kind === "message") return event;
  if (event.kind === "status-update") return { ...task, status: event.status };
  const { artifact, append } = event;
  const others = (task.artifacts ?? []).filter(({ artifactId }: Wire) => artifactId !== artifact.artifactId);
  const old = (task.artifacts ?? []).find(({ artifactId }: Wire) => artifactId === artifact.artifactId);
  const parts = append && old !== undefined ? [...old.parts, ...artifact.parts] : artifact.parts;
  return { ...task, artifacts: [...others, { ...artifact, parts }] };
}

function saidIn(result: Wire): Said {
  if (result.kind === "message") return { state: "completed", text: textIn(result.parts), contextId: result.contextId };
  const { id, contextId, status, history = [], artifacts = [] } = result;
  const agent = history.filter(({ role }: Wire) => role === "agent").at(-1);
  const texts = [
    textIn(status.message?.parts),
    textIn(agent?.parts),
    ...artifacts.map(({ parts }: Wire) => textIn(parts)),
  ];
  return { state: status.state, text: texts.filter((text) => text !== "").join(" "), contextId, taskId: id };
}
