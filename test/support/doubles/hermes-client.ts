// Stands for the client of Hermes Agent in its three generations. 0: message/send to the url of a card at agent.json. 1, the mainline:
// SendMessage alone, always with a contextId, no Accept, an answer to a question as a new message in the same context. 2: streams
// first, joins artifact pieces by newline, and sends the same message again when a stream ends without a terminal state.

import { type Caller, fetchJson, fetchText, hex, resultOf, rpc, type Said, textIn, type Wire } from "./caller.ts";

const TERMINAL = ["COMPLETED", "FAILED", "CANCELED", "REJECTED"].map((state) => `TASK_STATE_${state}`);
const CARD_PATHS = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

export function hermesClient(base: string, generation: 0 | 1 | 2, token: string): Caller {
  const login = { Authorization: `Bearer ${token}` };
  const readCard = async (): Promise<Wire> => {
    for (const path of generation === 0 ? CARD_PATHS.slice(1) : CARD_PATHS) {
      const { status, text } = await fetchText(base + path);
      if (status === 200) return JSON.parse(text);
      if (status !== 404) break;
    }
    throw new Error("no card");
  };
  const rpcUrl = async (): Promise<string> => {
    const card = await readCard();
    const face = (card.supportedInterfaces ?? []).find(({ protocolBinding }: Wire) => protocolBinding === "JSONRPC");
    return generation === 0 ? card.url : (face?.url ?? card.url ?? base);
  };
  const headers = {
    ...{ "Content-Type": "application/json", Connection: "close", ...login },
    ...(generation === 0 ? {} : { "A2A-Version": "1.0" }),
    "User-Agent": generation === 2 ? "Hermes-A2A/1.0" : "Python-urllib/3.12",
  };
  const messageOf = (text: string, before?: Said): object => ({
    role: generation === 0 ? "user" : "ROLE_USER",
    parts: [generation === 0 ? { text } : { text, mediaType: "text/plain" }],
    messageId: hex(32),
    ...(generation === 0 ? {} : { contextId: `ctx-${hex(16)}` }),
    ...(before?.contextId === undefined ? {} : { contextId: before.contextId }),
  });
  const post = async (message: object): Promise<Said> => {
    const method = generation === 0 ? "message/send" : "SendMessage";
    const accept = generation === 2 ? { Accept: "application/json" } : {};
    const body = rpc(method, { message }, `task-${hex(16)}`);
    return saidIn(resultOf(await fetchJson(await rpcUrl(), { ...headers, ...accept }, body)));
  };
  return {
    discover: async () => (await readCard()).name,
    send: (text, before) => post(messageOf(text, before)),
    ...(generation === 2 ? { stream } : {}),
  };

  async function stream(text: string, before?: Said): Promise<Said> {
    if ((await readCard()).capabilities.streaming !== true) throw new Error("the card offers no streams");
    const message = messageOf(text, before);
    const body = rpc("SendStreamingMessage", { message }, `task-${hex(16)}`);
    const answer = await fetchText(await rpcUrl(), { ...headers, Accept: "text/event-stream" }, body);
    const results = answer.text
      .split("\n")
      .flatMap((line) => (line.startsWith("data:") ? [JSON.parse(line.slice(5))] : []));
    const said = streamedIn(results.map(resultOf));
    if (said !== undefined) return said;
    return await post(message);
  }
}

/** undefined when no terminal state came. */
function streamedIn(results: readonly Wire[]): Said | undefined {
  const pieces = results
    .flatMap(({ artifactUpdate }) => artifactUpdate ?? [])
    .map(({ artifact }) => textIn(artifact.parts));
  const last = results.flatMap(({ task, statusUpdate }) => task ?? statusUpdate ?? []).at(-1);
  if (!TERMINAL.includes(last?.status.state)) return undefined;
  return { ...saidIn(last), ...(pieces.length > 0 ? { text: pieces.join("\n") } : {}) };
}

/** Of a wrapped or bare task: artifacts, then the status, then the parts of a message. */
function saidIn(result: Wire): Said {
  const found = result.task ?? result.message ?? result;
  const artifact = (found.artifacts ?? []).find(({ parts }: Wire) => textIn(parts) !== "");
  const text = textIn(artifact?.parts) || textIn(found.status?.message?.parts) || textIn(found.parts);
  return { state: found.status?.state ?? "completed", text, contextId: found.contextId, taskId: found.id };
}
