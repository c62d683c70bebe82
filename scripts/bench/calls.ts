// The requests of the rows, and what a right answer to each is.

import type { LoadRequest } from "./load-types.ts";
import { REPLY } from "./servers/server-settings.ts";

/** autocannon puts another id here in every request: a message that comes again would lead to the task of the first. */
export const ID_PLACE = "[<id>]";

let ids = 0;

/** The same for a single request. */
export function withId(body: string | undefined): string | undefined {
  ids += 1;
  return body?.replace(ID_PLACE, `${process.pid}-${ids}`);
}

/** An answer with its body as text. */
export interface Answer {
  readonly status: number;
  /** As they came: name, value, name, value. */
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

export function sendRequest(text: string, headers: Readonly<Record<string, string>> = {}): LoadRequest {
  const message = { messageId: ID_PLACE, role: "ROLE_USER", parts: [{ text }] };
  return rpcRequest("SendMessage", { message }, headers);
}

export function streamRequest(text: string): LoadRequest {
  const message = { messageId: ID_PLACE, role: "ROLE_USER", parts: [{ text }] };
  return rpcRequest("SendStreamingMessage", { message }, { Accept: "text/event-stream" });
}

export function rpcRequest(
  method: string,
  params: object,
  headers: Readonly<Record<string, string>> = {},
): LoadRequest {
  return {
    method: "POST",
    path: "/",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  };
}

export function cardRequest(headers: Readonly<Record<string, string>> = {}): LoadRequest {
  return { method: "GET", path: "/.well-known/agent-card.json", headers: { "A2A-Version": "1.0", ...headers } };
}

interface ShownTask {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
}

/** The result of a JSON-RPC reply. Throws when it is an error. */
function resultOf<T>({ status, body }: Answer): T {
  const reply = JSON.parse(body) as { result?: T; error?: unknown };
  if (status === 200 && reply.error === undefined && reply.result !== undefined) return reply.result;
  throw new Error(`answered ${status}: ${body.slice(0, 400)}`);
}

/** The task that a message made. Throws when it has not completed with the reply. */
export function sentTask(answer: Answer): ShownTask {
  const { task } = resultOf<{ task?: ShownTask }>(answer);
  if (task === undefined) throw new Error(`there is no task in ${answer.body.slice(0, 400)}`);
  checkTask(task);
  return task;
}

export function checkGotTask(answer: Answer): void {
  checkTask(resultOf<ShownTask>(answer));
}

/** Throws unless it is the first page of so many tasks. */
export function checkList(answer: Answer, total: number): void {
  const { tasks, totalSize } = resultOf<{ tasks?: readonly unknown[]; totalSize?: number }>(answer);
  if (totalSize === total && tasks?.length === Math.min(total, 50)) return;
  throw new Error(`listed ${tasks?.length} of ${totalSize} tasks where ${total} are right`);
}

export function checkCard({ status, body }: Answer): void {
  const { name } = JSON.parse(body) as { name?: unknown };
  if (status !== 200 || name !== "bench") throw new Error(`answered ${status} for the card: ${body.slice(0, 400)}`);
}

export function checkNotModified({ status, body }: Answer): void {
  if (status !== 304 || body !== "") throw new Error(`answered ${status} for an unchanged card: ${body.slice(0, 400)}`);
}

function checkTask({ status, artifacts = [] }: ShownTask): void {
  const text = artifacts.flatMap(({ parts }) => parts.map((part) => part.text ?? "")).join("");
  if (status.state === "TASK_STATE_COMPLETED" && text === REPLY) return;
  throw new Error(`the task is ${status.state} and says ${JSON.stringify(text)}`);
}

export function headerOf({ rawHeaders }: Answer, name: string): string | undefined {
  const at = rawHeaders.findIndex((header, index) => index % 2 === 0 && header.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
