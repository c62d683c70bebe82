// Owns which of the received texts is the reply, and in which order they stand (DESIGN: Outbound): artifacts, the message of
// the final status, notes while it worked, the agent's last words in the history. Nothing is lost, nothing stands twice. Pure.

import { isInterrupted } from "../core/protocol/task-state.ts";
import type { Artifact, Message, Part, TaskState } from "../core/protocol/types.ts";
import { isAside } from "./asides.ts";
import { distinct, joinTexts } from "./join-texts.ts";

/** Words of the agent while the task was at work. */
export interface WorkingNote {
  readonly message: Message;
  /** The peer marks it as a piece of its reply. */
  readonly piece: boolean;
}

export interface Received {
  readonly state: TaskState | undefined;
  /** Merged by id, in the order in which they first came. */
  readonly artifacts: readonly Artifact[];
  /** The message of a status that ends the task or asks its caller. */
  readonly closing?: Message;
  /** A Message in place of a task. */
  readonly direct?: Message;
  /** Messages of the agent while the task was at work, oldest first. */
  readonly working: readonly WorkingNote[];
  readonly history: readonly Message[];
}

export function replyText(received: Received): string {
  if (received.direct !== undefined) return messageText(received.direct);
  const made = distinct(received.artifacts.map((artifact) => textsOf(artifact.parts).join("")));
  const said = received.closing === undefined ? "" : messageText(received.closing);
  const found = inOrder(received.state, made.join("\n\n"), said);
  if (found !== "" && !isFormula(found)) return found;
  if (received.state === undefined || isAtWork(received.state)) return notesSoFar(received.working);
  return workingText(received.working) || spokenText(lastWords(received.history)) || found;
}

/** Everything that is not text, grouped as it came. */
export function replyAttachments(received: Received): readonly Artifact[] {
  const messages = [received.direct, received.closing].filter((message) => message !== undefined);
  const nothingElse = received.artifacts.length === 0 && messages.length === 0;
  const spoken = nothingElse ? withoutTools(lastWords(received.history)) : messages;
  const asks = received.state !== undefined && isInterrupted(received.state);
  const made = asks ? received.artifacts : received.artifacts.map(withoutAsides);
  const holders: readonly Artifact[] = [
    ...made,
    ...spoken.map((message) => ({ artifactId: message.messageId || "message", parts: message.parts })),
  ];
  return holders
    .map((holder) => ({ ...holder, parts: holder.parts.filter((part) => !("text" in part)) }))
    .filter((holder) => holder.parts.length > 0);
}

function withoutAsides(artifact: Artifact): Artifact {
  return { ...artifact, parts: artifact.parts.filter((part) => !isAside(part)) };
}

/** Beside text, data in the history tells of thoughts and tools. */
function withoutTools(messages: readonly Message[]): readonly Message[] {
  if (spokenText(messages) === "") return messages;
  return messages.map((message) => ({ ...message, parts: message.parts.filter((part) => !("data" in part)) }));
}

/** Some agents end every task with the same remark, and have said what matters before. */
function isFormula(text: string): boolean {
  return (
    text.length < 60 &&
    /^\s*(the )?task (is |was |has been )?(completed|finished|done)( successfully)?[.!]?\s*$/i.test(text)
  );
}

/** A failure's reason and a question come before what was made so far; a finished task's work before the remark on it. */
function inOrder(state: TaskState | undefined, made: string, said: string): string {
  if (made.includes(said.trim())) return made;
  if (said.includes(made.trim())) return said;
  return state === "TASK_STATE_COMPLETED" ? `${made}\n\n${said}` : `${said}\n\n${made}`;
}

function isAtWork(state: TaskState): boolean {
  return state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";
}

/** The newest note; a reply that comes in pieces as far as it came. */
function notesSoFar(working: readonly WorkingNote[]): string {
  const last = working.at(-1);
  if (last === undefined) return "";
  return last.piece ? workingText(working.filter(({ piece }) => piece)) : messageText(last.message);
}

function workingText(working: readonly WorkingNote[]): string {
  return joinTexts(
    working.map(({ message, piece }) => ({ messageId: message.messageId, text: messageText(message), piece })),
  );
}

/** Messages of a history are whole, so that their ids say nothing about pieces. */
function spokenText(messages: readonly Message[]): string {
  return joinTexts(messages.map((message) => ({ messageId: "", text: messageText(message) })));
}

/** What the agent said after the user's last message. */
function lastWords(history: readonly Message[]): readonly Message[] {
  const asked = history.findLastIndex((message) => message.role === "ROLE_USER");
  return history.slice(asked + 1);
}

function messageText(message: Message): string {
  return textsOf(message.parts).join("\n");
}

function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => ("text" in part && !isAside(part) ? [part.text] : []));
}
