// What is kept of a task that was handed to a peer and not waited for: how to find it again and who sent it. Never a text and never
// a credential.

import { createHash } from "node:crypto";
import { A2aError } from "../../core/platform/errors.ts";
import { fieldsOf, needString, omitUndefined, parseJson, readField, readString } from "../../core/platform/json.ts";
import { classifyHost } from "../../core/security/address.ts";

const MAX_CHARS = 4096;

export interface DispatchedTask {
  /** The peer as the caller named it: a name or a URL. */
  readonly agent: string;
  /** Where the peer was then. */
  readonly url: string;
  readonly taskId: string;
  readonly contextId?: string;
  /** When it was dispatched, milliseconds since the epoch. */
  readonly at: number;
  /** The session that sent it: its file, else its id. */
  readonly session: string;
}

export interface OpenTask extends DispatchedTask {
  /** The live session sent it. */
  readonly here: boolean;
}

/** 32 hex digits that stand for the task of this peer, the same in every process; foreign ids are never file names. */
export function dispatchKey({ url, taskId }: Pick<DispatchedTask, "url" | "taskId">): string {
  const text = `${url.replace(/\/+$/, "")}\n${taskId}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** Whether `url` may have come to be where the peer of the task is: on this machine a session comes back on another port. */
export function mayHaveMoved(task: Pick<DispatchedTask, "url">, url: string): boolean {
  return isHere(task.url) && isHere(url);
}

function isHere(url: string): boolean {
  return URL.canParse(url) && classifyHost(new URL(url).hostname) === "loopback";
}

export function encodeDispatched(task: DispatchedTask): string {
  return `${JSON.stringify(task)}\n`;
}

/** Undefined for anything that is no such task. */
export function decodeDispatched(text: string): DispatchedTask | undefined {
  try {
    const fields = fieldsOf(parseJson(text), "task", refuse);
    const at = readField(fields, "at");
    if (typeof at !== "number" || !Number.isFinite(at)) return undefined;
    return omitUndefined({
      agent: needString(fields, "agent", MAX_CHARS),
      url: needString(fields, "url", MAX_CHARS),
      taskId: needString(fields, "taskId", MAX_CHARS),
      contextId: readString(fields, "contextId", MAX_CHARS),
      at,
      session: needString(fields, "session", MAX_CHARS),
    });
  } catch {
    return undefined;
  }
}

function refuse(path: string, problem: string): A2aError {
  return new A2aError("FILE_FAILED", `${path} ${problem}`);
}
