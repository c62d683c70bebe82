// Owns the form of one line of a journal. Its head alone says which task it is about, when, and where the line ends, so that a
// million lines are sorted without reading what they hold. A line counts only with its newline, and only when its size is right:
// halves that were glued together count for nothing.

import { isMoment } from "../../core/platform/clock.ts";
import { isObject } from "../../core/platform/json.ts";
import { taskJson } from "../../core/protocol/encode.ts";
import { isTaskState } from "../../core/protocol/task-state.ts";
import type { TaskState } from "../../core/protocol/types.ts";
import type { EndOfTask, StoredEntry, StoredEvent } from "../event-sink.ts";

interface HeadBase {
  readonly taskId: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Grows with each line of one task, whoever writes it. */
  readonly n: number;
}

/** The task has ended, or was none after all; holds the whole of it. */
export interface EndHead extends HeadBase {
  readonly kind: "end";
  readonly contextId: string;
  readonly ownerKey: string;
  /** undefined for a direct reply. */
  readonly state: TaskState | undefined;
  /** When its last run began. */
  readonly ranAt: number | undefined;
}

/** An event of a task, or of its webhooks; or which replies have arrived, of this task and others (./mark-lines.ts). */
export interface EventHead extends HeadBase {
  readonly kind: "event" | "push" | "told";
}

export type LineHead = EndHead | EventHead;

const NEWLINE = 10;
const CLOSING_BRACE = 125;
/** No text within a head holds this: quotes in texts are escaped. */
const BODY_MARK = Buffer.from(',"b":');

/** A line with its newline. */
export interface Line {
  readonly text: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
}

export function encodeLine({ event, end }: StoredEntry, n: number): Line {
  if (end === undefined) return lineOf(eventHeadText(event), n, JSON.stringify(event));
  return lineOf(endHeadText(event, end), n, endBody(event, end));
}

/** Which replies have arrived; `taskId` is that of the first. */
export function encodeTold(taskId: string, at: number, n: number, body: string): Line {
  return lineOf(`{"k":"told","id":${JSON.stringify(taskId)},"at":${at}`, n, body);
}

/** The head is that up to the number of the line. */
function lineOf(head: string, n: number, body: string): Line {
  const size = Buffer.byteLength(body);
  const frame = `${head},"n":${n},"size":${size},"b":`;
  return { text: `${frame}${body}}\n`, bytes: Buffer.byteLength(frame) + size + 2 };
}

/** Spelled out: there are several for each message that comes in. */
function eventHeadText({ kind, taskId, at }: StoredEvent): string {
  return `{"k":"${kind.startsWith("push-") ? "push" : "event"}","id":${JSON.stringify(taskId)},"at":${at}`;
}

function endHeadText(event: StoredEvent, { owner, ranAt }: EndOfTask): string {
  const state = event.kind === "status" ? `,"state":"${event.status.state}"` : "";
  const ran = ranAt === undefined ? "" : `,"ran":${ranAt}`;
  const place = `"own":${JSON.stringify(owner.key)},"ctx":${JSON.stringify(event.contextId)}`;
  return `{"k":"end","id":${JSON.stringify(event.taskId)},"at":${event.at},${place}${state}${ran}`;
}

/**
 * A task is kept as A2A 1.0 writes it, with what that does not tell. Of a direct reply nobody sees the task, but what was sent may come
 * again.
 */
function endBody(event: StoredEvent, { task, json }: EndOfTask): string {
  if (event.kind === "direct-reply") return JSON.stringify({ task, reply: event.message });
  // The wire leaves an empty context out, and a task without one could not be read.
  if (task.contextId === "") return JSON.stringify(task);
  const text = json ?? taskJson(task);
  return task.dialect === undefined ? text : `${text.slice(0, -1)},"dialect":${JSON.stringify(task.dialect)}}`;
}

/** Reads the head of the line in `bytes`, without its newline; undefined when it is no whole line of ours. */
export function decodeHead(bytes: Buffer): LineHead | undefined {
  const mark = bytes.indexOf(BODY_MARK);
  if (mark === -1 || bytes.at(-1) !== CLOSING_BRACE) return undefined;
  const head = parse(`${bytes.toString("utf8", 0, mark)}}`);
  if (!isObject(head) || mark + BODY_MARK.length + Number(head.size) + 1 !== bytes.length) return undefined;
  const { k, id: taskId, at, n } = head;
  if (typeof taskId !== "string" || !isMoment(at) || !isWhole(n)) return undefined;
  if (k === "event" || k === "push" || k === "told") return { kind: k, taskId, at, n };
  return k === "end" ? endHead(head, taskId, at, n) : undefined;
}

/** Spelled out: there is one for each task that is kept, and copies by spreading take longer than all the rest. */
function endHead(head: Record<string, unknown>, taskId: string, at: number, n: number): EndHead | undefined {
  const { own: ownerKey, ctx: contextId, state, ran } = head;
  if (typeof ownerKey !== "string" || typeof contextId !== "string") return undefined;
  if (state !== undefined && !isTaskState(state)) return undefined;
  return { kind: "end", taskId, at, n, contextId, ownerKey, state, ranAt: isMoment(ran) ? ran : undefined };
}

/** What the line in `bytes` holds; undefined when it cannot be read. */
export function decodeBody(bytes: Uint8Array): unknown {
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mark = line.indexOf(BODY_MARK);
  if (mark === -1) return undefined;
  const end = line.at(-1) === NEWLINE ? line.length - 2 : line.length - 1;
  return parse(line.toString("utf8", mark + BODY_MARK.length, end));
}

function isWhole(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: damaged, which the callers tell.
    return undefined;
  }
}
