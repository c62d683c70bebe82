// Stands for RemoteA2aAgent of Google ADK, on the Python SDK of 0.3: streams when the card says so, looks at its task only when an
// artifact update is no append or the last chunk, takes a stream without a final event for a failure, and calls only the origin of the card.

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

const HEADERS = { "Content-Type": "application/json", Accept: "*/*" };

export function adkClient(cardUrl: string): Caller {
  const endpoint = async (): Promise<string> => {
    const { url } = await fetchJson(cardUrl);
    if (new URL(url).origin !== new URL(cardUrl).origin) throw new Error("the card leads to another origin");
    return url;
  };
  const paramsOf = (text: string, before?: Said): object => {
    const parts = [{ kind: "text", text, metadata: { adk_type: "text" } }];
    const ids = { contextId: before?.contextId, taskId: before?.taskId };
    return { message: { kind: "message", messageId: hex(32), role: "user", parts, ...ids } };
  };
  return {
    discover: async () => (await fetchJson(cardUrl)).name,
    async send(text, before) {
      const answer = await fetchJson(await endpoint(), HEADERS, rpc("message/send", paramsOf(text, before), hex(8)));
      return saidIn(resultOf(answer));
    },
    async stream(text, before) {
      const body = rpc("message/stream", paramsOf(text, before), hex(8));
      const headers = { ...HEADERS, Accept: "text/event-stream", "Cache-Control": "no-store" };
      const events = resultsIn(await fetchText(await endpoint(), headers, body));
      const last = events.at(-1);
      if (last?.final !== true && last?.kind !== "message") throw new Error("the stream broke off");
      const artifacts = gatherArtifacts();
      let shown = "";
      for (const { kind, artifact, append, lastChunk } of events) {
        if (kind !== "artifact-update") continue;
        artifacts.add(artifact, append);
        // It looks at the task so far, and only now and then.
        if (append !== true || lastChunk === true) shown = artifacts.text("");
      }
      const said = saidIn(last);
      return { ...said, text: shown || said.text, taskId: events[0]?.id };
    },
  };
}

function saidIn(result: Wire): Said {
  const { kind, id, contextId, status, artifacts = [], parts } = result;
  if (kind === "message") return { state: "completed", text: textIn(parts), contextId };
  const text = textIn(artifacts.at(-1)?.parts) || textIn(status.message?.parts);
  return { state: status.state, text, contextId, taskId: id };
}
