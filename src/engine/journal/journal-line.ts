// Owns the form of one line of a journal. Its head alone says which task it is about, when, and where the line ends, so that a
// million lines are sorted without reading what they hold. A line counts only with its newline, and only when its size is right:
// halves that were glued together count for nothing.

import { isObject } from "../../core/platform/json.ts";
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

/** The line with its newline. */
export function encodeLine({ event, end }: StoredEntry, n: number): Buffer {
  const body = JSON.stringify(bodyOf(event, end));
  const head = JSON.stringify(headOf(event, end, n, Buffer.byteLength(body)));
  return Buffer.from(`${head.slice(0, -1)},"b":${body}}\n`);
}

function headOf(event: StoredEvent, end: EndOfTask | undefined, n: number, size: number): Record<string, unknown> {
  const { taskId: id, at } = event;
  if (end === undefined) return { k: event.kind.startsWith("push-") ? "push" : "event", id, at, n, size };
  const state = event.kind === "status" ? event.status.state : undefined;
  return { k: "end", id, at, own: end.owner.key, ctx: event.contextId, state, ran: end.ranAt, n, size };
}

/** Of a direct reply nobody sees the task, but what was sent may come again. */
function bodyOf(event: StoredEvent, end: EndOfTask | undefined): unknown {
  if (end === undefined) return event;
  return event.kind === "direct-reply" ? { task: end.task, reply: event.message } : end.task;
}

/** Reads the head of the line in `bytes`, without its newline; undefined when it is no whole line of ours. */
export function decodeHead(bytes: Buffer): LineHead | undefined {
  const mark = bytes.indexOf(BODY_MARK);
  if (mark === -1 || bytes.at(-1) !== CLOSING_BRACE) return undefined;
  const head = parse(`${bytes.toString("utf8", 0, mark)}}`);
  if (!isObject(head) || mark + BODY_MARK.length + Number(head.size) + 1 !== bytes.length) return undefined;
  const { k, id: taskId, at, n } = head;
  if (typeof taskId !== "string" || !isWhole(at) || !isWhole(n)) return undefined;
  if (k === "event" || k === "push" || k === "told") return { kind: k, taskId, at, n };
  return k === "end" ? endHead(head, taskId, at, n) : undefined;
}

/** Spelled out: there is one for each task that is kept, and copies by spreading take longer than all the rest. */
function endHead(head: Record<string, unknown>, taskId: string, at: number, n: number): EndHead | undefined {
  const { own: ownerKey, ctx: contextId, state, ran } = head;
  if (typeof ownerKey !== "string" || typeof contextId !== "string") return undefined;
  if (state !== undefined && !isTaskState(state)) return undefined;
  return { kind: "end", taskId, at, n, contextId, ownerKey, state, ranAt: isWhole(ran) ? ran : undefined };
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
