// Stands for callers written after the documentation of LangGraph: bare JSON-RPC in 0.3 without a card, Accept always there, contexts
// named by UUIDs, roles and kinds spelled out, and ids that are UUIDs or empty strings.

import { randomUUID } from "node:crypto";
import { type Caller, fetchJson, fetchText, resultOf, resultsIn, rpc, type Said, textIn, type Wire } from "./caller.ts";

export function langGraphClient(url: string): Caller {
  const headers = (accept: string) => ({ "Content-Type": "application/json", Accept: accept, "x-api-key": "" });
  const paramsOf = (text: string, before?: Said): object => ({
    message: {
      ...{ role: "user", parts: [{ kind: "text", text }], messageId: randomUUID(), kind: "message" },
      contextId: before?.contextId ?? randomUUID(),
      taskId: before?.taskId ?? "",
    },
    metadata: {},
  });
  return {
    discover: async () => (await fetchJson(`${url}.well-known/agent-card.json?assistant_id=${randomUUID()}`)).name,
    async send(text, before) {
      const body = rpc("message/send", paramsOf(text, before), randomUUID());
      return saidIn(resultOf(await fetchJson(url, headers("application/json"), body)));
    },
    async stream(text, before) {
      const body = rpc("message/stream", paramsOf(text, before), randomUUID());
      const events = resultsIn(await fetchText(url, headers("text/event-stream"), body));
      const { taskId } = events.at(-1);
      const got = resultOf(await fetchJson(url, headers("application/json"), rpc("tasks/get", { id: taskId })));
      return saidIn(got);
    },
  };
}

function saidIn({ id, contextId, status, artifacts = [] }: Wire): Said {
  const texts = artifacts.flatMap(({ parts }: Wire) => textIn(parts));
  return { state: status.state, text: texts.join("\n") || textIn(status.message?.parts), contextId, taskId: id };
}
