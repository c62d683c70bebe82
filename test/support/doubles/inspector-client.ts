// Stands for a2a-inspector, on the Python SDK of 0.3: checks the card and each message against 0.3 before it shows them, and streams
// when the card says so. What it finds wrong is thrown.

import {
  type Caller,
  fetchJson,
  fetchText,
  hex,
  resultOf,
  resultsIn,
  rpc,
  type Said,
  textIn,
  type Wire,
} from "./caller.ts";

export function inspectorClient(base: string): Caller {
  const readCard = async (): Promise<Wire> => {
    const card = await fetchJson(`${base}/.well-known/agent-card.json`);
    throwFaults(cardFaults(card));
    return card;
  };
  const ask = async (method: string, text: string, before?: Said) => {
    const { url } = await readCard();
    const ids = { contextId: before?.contextId, taskId: before?.taskId };
    const parts = [{ kind: "text", text }];
    const message = { kind: "message", role: "user", messageId: hex(32), parts, ...ids, metadata: {} };
    const accept = method === "message/stream" ? "text/event-stream" : "application/json";
    const headers = { "Content-Type": "application/json", Accept: accept };
    const configuration = { acceptedOutputModes: ["text/plain", "video/mp4"] };
    return await fetchText(url, headers, rpc(method, { message, configuration }, hex(8)));
  };
  return {
    discover: async () => (await readCard()).name,
    send: async (text, before) => shown([resultOf(JSON.parse((await ask("message/send", text, before)).text))]),
    stream: async (text, before) => shown(resultsIn(await ask("message/stream", text, before))),
  };
}

function shown(events: readonly Wire[]): Said {
  let said: Said = { state: "", text: "" };
  for (const event of events) {
    throwFaults(eventFaults(event));
    const taskId = event.kind === "task" ? event.id : event.taskId;
    const note = textIn(event.status?.message?.parts) || textIn(event.parts);
    const parts = event.artifact?.parts ?? event.artifacts?.at(-1)?.parts;
    const piece = (event.append === true ? said.text : "") + textIn(parts);
    const text = parts === undefined ? note || said.text : piece;
    said = {
      state: event.status?.state ?? said.state,
      text,
      contextId: event.contextId,
      taskId: taskId ?? said.taskId,
    };
  }
  return said;
}

function throwFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("; "));
}

function cardFaults(card: Wire): string[] {
  const required = ["name", "description", "url", "version", "capabilities", "defaultInputModes", "defaultOutputModes"];
  const missing = [...required, "skills"].filter((name) => card[name] === undefined).map((name) => `no ${name}`);
  const lists = ["defaultInputModes", "defaultOutputModes", "skills"].filter((name) => !(card[name]?.length > 0));
  return [
    ...missing,
    ...lists.map((name) => `${name} is no filled list`),
    ...(/^https?:\/\//.test(card.url) ? [] : [`url ${card.url} is not absolute`]),
    ...(typeof card.capabilities === "object" ? [] : ["capabilities is no object"]),
  ];
}

function eventFaults(event: Wire): string[] {
  switch (event.kind) {
    case "task":
      return [...filled(event, "id"), ...(event.status?.state === undefined ? ["task without status.state"] : [])];
    case "status-update":
      return event.status?.state === undefined ? ["status-update without status.state"] : [];
    case "artifact-update":
      return event.artifact?.parts?.length > 0 ? [] : ["artifact-update without parts"];
    case "message":
      return event.role === "agent" && event.parts?.length > 0 ? [] : ["message without parts, or not of the agent"];
    default:
      return [`unknown kind ${event.kind}`];
  }
}

function filled(object: Wire, name: string): string[] {
  return object[name] === undefined || object[name] === "" ? [`no ${name}`] : [];
}
