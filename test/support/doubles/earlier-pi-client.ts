// Stands for a session of pi-a2a 0.6.3 that calls: message/send with messages as 1.0 spells them and without an id, the bare task of
// 1.0 as the answer, returnImmediately and tasks/get where it does not wait, stubs from tasks/list, and knows states of 1.0 only.

import { type Caller, fetchJson, resultOf, rpc, type Said, textIn, type Wire } from "./caller.ts";

const HEADERS = { "Content-Type": "application/json", "X-A2A-Identity": "older session" };
const OPEN = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"];

export interface EarlierPiClient extends Caller {
  /** Sends without waiting, and polls. */
  readonly detached: (text: string) => Promise<Said>;
  /** Ids and states. */
  list(): Promise<readonly { readonly id: string; readonly state: string }[]>;
}

export function earlierPiClient(base: string): EarlierPiClient {
  const call = async (method: string, params: object): Promise<Wire> =>
    resultOf(await fetchJson(base, HEADERS, rpc(method, params)));
  const messageOf = (text: string, before?: Said): object => {
    const ids = before === undefined ? {} : { contextId: before.contextId };
    const asked = before?.state === "TASK_STATE_INPUT_REQUIRED" ? { taskId: before.taskId } : {};
    return { role: "ROLE_USER", parts: [{ text }], ...ids, ...asked, metadata: { "pi/self": { name: "older" } } };
  };
  return {
    discover: async () => (await fetchJson(`${base}.well-known/agent.json`)).name,
    send: async (text, before) => saidIn(await call("message/send", { message: messageOf(text, before) })),
    async detached(text) {
      const params = { message: messageOf(text), configuration: { returnImmediately: true } };
      let task = await call("message/send", params);
      while (OPEN.includes(task.status.state)) task = await call("tasks/get", { id: task.id });
      return saidIn(task);
    },
    list: async () => (await call("tasks/list", {})).tasks,
  };
}

function saidIn(task: Wire): Said {
  if ("kind" in task || !/^TASK_STATE_/.test(task.status.state))
    throw new Error(`not the older shape: ${JSON.stringify(task)}`);
  const { id, contextId, status, artifacts = [] } = task;
  const text = textIn(artifacts.at(-1)?.parts, "\n") || textIn(status.message?.parts, "\n");
  return { state: status.state, text, contextId, taskId: id };
}
