// A plain A2A client, as far from ours as curl is: JSON-RPC by POST, and a stream read frame by frame.

import { request } from "node:http";
import { createEventLog, DEADLINE_MS, type EventLog } from "./e2e-event-log.ts";

export interface RpcReply {
  readonly result?: RpcTask & { readonly task?: RpcTask };
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RpcTask {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string; readonly message?: { readonly parts: readonly RpcPart[] } };
  readonly artifacts?: readonly RpcArtifact[];
}

interface RpcArtifact {
  readonly artifactId: string;
  readonly parts: readonly RpcPart[];
}

interface RpcPart {
  readonly text?: string;
}

/** The `result` of one stream frame. */
interface Frame {
  readonly task?: RpcTask;
  readonly statusUpdate?: { readonly taskId: string; readonly status: RpcTask["status"] };
  readonly artifactUpdate?: { readonly taskId: string; readonly append?: boolean; readonly artifact: RpcArtifact };
}

export interface Stream {
  readonly frames: EventLog<Frame>;
  close(): void;
}

let messages = 0;

/** Params of a send with one text part and a message id of its own. */
export function textMessage(
  text: string,
  more: { readonly contextId?: string; readonly taskId?: string; readonly configuration?: object } = {},
): object {
  messages += 1;
  const { configuration, ...message } = more;
  return {
    message: { messageId: `m-${process.pid}-${messages}`, role: "ROLE_USER", parts: [{ text }], ...message },
    ...(configuration === undefined ? {} : { configuration }),
  };
}

/** One JSON-RPC call; the decoded body, whatever it says. */
export async function rpc(url: string, method: string, params: object): Promise<RpcReply> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  return (await response.json()) as RpcReply;
}

/** The task of a reply to SendMessage; throws with the whole reply when there is none. */
export async function sendText(url: string, text: string, more?: Parameters<typeof textMessage>[1]): Promise<RpcTask> {
  const reply = await rpc(url, "SendMessage", textMessage(text, more));
  if (reply.result?.task === undefined) throw new Error(`no task in ${JSON.stringify(reply)}`);
  return reply.result.task;
}

/** All text of the task's artifacts. */
export function artifactText({ artifacts = [] }: Pick<RpcTask, "artifacts">): string {
  return artifacts.flatMap(({ parts }) => parts.map(({ text = "" }) => text)).join("");
}

/** Opens a stream; frames come into the log as their bytes arrive, and the log closes with the connection. */
export function openStream(url: string, method: string, params: object): Stream {
  const frames = createEventLog<Frame>();
  const client = request(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
  });
  client.on("error", (error) => frames.close(`connection error (${error.message})`));
  client.on("response", (response) => {
    let rest = "";
    response.setEncoding("utf8").on("data", (text: string) => {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) for (const frame of decodeBlock(block)) frames.push(frame);
    });
    response.on("error", (error) => frames.close(`stream error (${error.message})`));
    response.on("close", () =>
      frames.close(`the stream ended (status ${response.statusCode}; unread: ${rest.slice(0, 400)})`),
    );
  });
  client.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  return { frames, close: () => client.destroy() };
}

function decodeBlock(block: string): Frame[] {
  const data = block.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []));
  if (data.length === 0) return [];
  const reply = JSON.parse(data.join("\n")) as { result?: Frame };
  return reply.result === undefined ? [] : [reply.result];
}
