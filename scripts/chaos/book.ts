// Owns what the clients of the chaos run know: which tasks they were told of, and what was said of each. Judges whether an answer can be
// true beside that.

import type { Body, WireArtifact, WireTask } from "../../test/support/a2a-calls.ts";
import { type Kind, replyTo } from "./agent.ts";

/** A task that a server has acknowledged. */
export interface Known {
  readonly id: string;
  readonly token: string;
  readonly contextId: string;
  readonly kind: Kind;
  readonly text: string;
  /** The server that has it now. */
  life: number;
  /** Something was heard of it since it was last looked at after a restart. */
  fresh: boolean;
  /** The end that was heard, and from which server first; `artifacts` once they were read with it. */
  end: { readonly state: string; readonly life: number; artifacts: string | undefined } | undefined;
  asked: boolean;
  /** Artifacts that were heard as whole, by id. */
  readonly whole: Map<string, string>;
  cancelTried: boolean;
  readonly answers: string[];
  /** Ids of webhooks: those that are there for sure, and those that may be. */
  readonly hooks: Map<string, "set" | "gone" | "unsure">;
}

export interface Message {
  readonly token: string;
  readonly messageId: string;
  readonly text: string;
  /** The conversation that it goes on; absent for a new one. */
  readonly contextId: string | undefined;
  /** The server that has its task, if it has one. */
  life?: number;
  /** Its task, when the reply was cut after that was told. */
  taskId?: string;
}

export interface Book {
  readonly known: Map<string, Known>;
  /** Tasks that may be let go, the newest. */
  readonly mortal: Known[];
  /** New tasks that were asked for, by owner; those that nobody acknowledged among them. */
  readonly asked: Map<string, number>;
  /** Messages that were not answered, or not to the end. */
  unanswered: Message[];
  /** Of those that were sent again where their task must be: they run once in all lives. */
  readonly once: Set<string>;
  readonly findings: string[];
  readonly counts: Map<string, number>;
}

const MORTALS = 60;
const TERMINAL = new Set(["COMPLETED", "FAILED", "CANCELED", "REJECTED"]);
const INTERRUPTED = /interrupted by the end of the session|the session ended/;

export function createBook(): Book {
  return {
    known: new Map(),
    mortal: [],
    asked: new Map(),
    unanswered: [],
    once: new Set(),
    findings: [],
    counts: new Map(),
  };
}

export function count({ counts }: Book, what: string, n = 1): void {
  counts.set(what, (counts.get(what) ?? 0) + n);
}

/** The state without its prefix. */
export function stateOf({ status }: Pick<WireTask, "status">): string {
  return status.state.replace("TASK_STATE_", "");
}

/** A new task, from the first that is heard of it. */
export function acknowledge(
  book: Book,
  { id, contextId }: WireTask,
  message: Message,
  life: number,
  mortal: boolean,
): Known {
  const { token, text } = message;
  const before = message.taskId === undefined ? undefined : book.known.get(message.taskId);
  if (before?.id === id) return before;
  if (before !== undefined) book.findings.push(`${before.id} (${text}) was sent again and became ${id}`);
  const kind = text.split(" ")[0] as Kind;
  const known: Known = {
    ...{
      id,
      token,
      contextId,
      kind,
      text,
      life,
      fresh: true,
      end: undefined,
      asked: false,
      cancelTried: false,
      answers: [],
    },
    ...{ whole: new Map(), hooks: new Map() },
  };
  if (book.known.has(id)) book.findings.push(`${id} was given to two messages`);
  count(book, "acknowledged");
  if (mortal) {
    book.mortal.push(known);
    if (book.mortal.length > MORTALS) book.mortal.shift();
  } else book.known.set(id, known);
  return known;
}

/**
 * Takes in a whole task that a server has sent. `restarted`: nothing has been sent to the task in the life of that server. `asOf` is what
 * was known when it was asked for: what came since on other connections may have overtaken it.
 */
export function hear(
  book: Book,
  known: Known,
  task: WireTask,
  from: { readonly life: number; readonly restarted?: boolean },
  asOf: Known = known,
): void {
  for (const wrong of wrongWith(asOf, task, from.restarted === true)) {
    book.findings.push(`${known.id} (${known.text}, life ${known.life}): ${wrong}\n    ${shown(task)}`);
  }
  known.fresh = true;
  const state = stateOf(task);
  if (state === "INPUT_REQUIRED") known.asked = true;
  if (isTerminalState(state)) hearEnd(book, known, from.life, state, artifactsOf(task));
}

function hearEnd(book: Book, known: Known, life: number, state: string, artifacts?: string): void {
  if (known.end !== undefined && known.end.state !== state) {
    book.findings.push(`${known.id} ended twice: ${known.end.state}, ${state}`);
  }
  if (known.end === undefined) {
    known.end = { state, life, artifacts };
    count(book, `ended ${state}`);
  }
  known.end.artifacts ??= artifacts;
}

export function isTerminalState(state: string): boolean {
  return TERMINAL.has(state);
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 1_500 ? `${text.slice(0, 1_500)}… ${text.length} in all` : text;
}

function wrongWith(known: Known, task: WireTask, restarted: boolean): readonly string[] {
  const wrong: string[] = [];
  const state = stateOf(task);
  if (task.id !== known.id || task.contextId !== known.contextId) wrong.push("another task");
  for (const [id, artifact] of known.whole) {
    const now = task.artifacts?.find(({ artifactId }) => artifactId === id);
    if (now === undefined || artifactText(now) !== artifact)
      wrong.push(`artifact ${id} was heard whole and is another`);
  }
  const { end } = known;
  if (end === undefined) return [...wrong, ...wrongState(known, task, state, restarted)];
  if (end.state !== state) wrong.push(`was ${end.state} and is ${state}`);
  if (end.artifacts !== undefined && end.artifacts !== artifactsOf(task))
    wrong.push(`had ${end.artifacts.slice(0, 300)}`);
  return wrong;
}

function wrongState(known: Known, task: WireTask, state: string, restarted: boolean): readonly string[] {
  switch (state) {
    case "COMPLETED":
      return wrongReply(known, task);
    case "CANCELED":
      return known.cancelTried ? [] : ["nobody has canceled it"];
    case "INPUT_REQUIRED":
      return known.kind === "ask" ? [] : ["it asks nothing"];
    case "FAILED":
      return wrongFailure(known, JSON.stringify(task.status.message ?? ""));
    case "SUBMITTED":
    case "WORKING":
      return restarted ? [`${state} after a restart`] : [];
    default:
      return [`${state} cannot be`];
  }
}

function wrongReply(known: Known, task: WireTask): readonly string[] {
  const reply = task.artifacts?.find(({ artifactId }) => artifactId === "reply");
  const possible = known.kind === "ask" || known.kind === "hold" ? known.answers : [replyTo(known.text)];
  return reply !== undefined && possible.includes(artifactText(reply)) ? [] : ["the reply is another"];
}

function wrongFailure(known: Known, text: string): readonly string[] {
  if (known.kind === "fail" && text.includes(known.text)) return [];
  if (!INTERRUPTED.test(text)) return ["failed for no reason"];
  return known.asked && known.answers.length === 0 ? ["it was waiting for an answer"] : [];
}

function artifactText({ parts }: WireArtifact): string {
  return parts.map(({ text = "" }) => text).join("");
}

/** A task without artifacts has no list of them. */
function artifactsOf({ artifacts = [] }: WireTask): string {
  return JSON.stringify(artifacts);
}

/** An event of a stream of the task. */
export function hearEvent(book: Book, known: Known, life: number, { result }: Body): void {
  known.fresh = true;
  const { artifactUpdate, statusUpdate } = result ?? {};
  if (artifactUpdate !== undefined && artifactUpdate.append !== true && artifactUpdate.lastChunk === true) {
    known.whole.set(artifactUpdate.artifact.artifactId, artifactText(artifactUpdate.artifact));
  }
  if (statusUpdate === undefined) return;
  const state = stateOf(statusUpdate);
  if (state === "INPUT_REQUIRED") known.asked = true;
  if (isTerminalState(state)) hearEnd(book, known, life, state);
}
