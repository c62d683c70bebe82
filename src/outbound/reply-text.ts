// Owns which of the received texts is the reply, and in which order they stand (DESIGN: Outbound): artifacts, the message of
// the final status, notes while it worked, the agent's last words in the history. Nothing is lost, nothing stands twice. Pure.

import type { Artifact, Message, Part, TaskState } from "../core/protocol/types.ts";

export interface Received {
  readonly state: TaskState | undefined;
  /** Merged by id, in the order in which they first came. */
  readonly artifacts: readonly Artifact[];
  /** The message of a status that ends the task or asks its caller. */
  readonly closing?: Message;
  /** A Message in place of a task. */
  readonly direct?: Message;
  /** Messages of the agent while the task was at work, oldest first. */
  readonly working: readonly Message[];
  readonly history: readonly Message[];
}

export function replyText(received: Received): string {
  if (received.direct !== undefined) return messageText(received.direct);
  const made = distinct(received.artifacts.map((artifact) => textsOf(artifact.parts).join("")));
  const said = received.closing === undefined ? "" : messageText(received.closing);
  const found = inOrder(received.state, made.join("\n\n"), said);
  if (found !== "") return found;
  if (received.state === undefined || isAtWork(received.state)) return lastNote(received.working);
  return workingText(received.working) || distinct(lastWords(received.history).map(messageText)).join("\n");
}

/** Everything that is not text, grouped as it came. */
export function replyAttachments(received: Received): readonly Artifact[] {
  const messages = [received.direct, received.closing].filter((message) => message !== undefined);
  const nothingElse = received.artifacts.length === 0 && messages.length === 0;
  const spoken = nothingElse ? lastWords(received.history) : messages;
  const holders: readonly Artifact[] = [
    ...received.artifacts,
    ...spoken.map((message) => ({ artifactId: message.messageId || "message", parts: message.parts })),
  ];
  return holders
    .map((holder) => ({ ...holder, parts: holder.parts.filter((part) => !("text" in part)) }))
    .filter((holder) => holder.parts.length > 0);
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

function lastNote(working: readonly Message[]): string {
  const last = working.at(-1);
  return last === undefined ? "" : messageText(last);
}

/** Notes joined as their peers mean them: pieces of one message, one text that grows, or a message each. */
function workingText(working: readonly Message[]): string {
  const texts: string[] = [];
  let id: string | undefined;
  for (const message of working) {
    const text = messageText(message);
    const last = texts.at(-1);
    if (last !== undefined && last !== "" && grewFrom(text, last)) texts.splice(-1, 1, text);
    else if (last !== undefined && id === message.messageId && id !== "") texts.splice(-1, 1, last + text);
    else texts.push(text);
    id = message.messageId;
  }
  return distinct(texts).join("\n");
}

function grewFrom(text: string, last: string): boolean {
  // The lengths first: comparing a long text once for each of its pieces would be quadratic.
  return text.length >= last.length && text.startsWith(last);
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
  return parts.flatMap((part) => ("text" in part && !isThought(part) ? [part.text] : []));
}

/** Some agents send their reasoning as parts marked as such. */
function isThought(part: Part): boolean {
  return part.metadata?.thought === true || part.metadata?.adk_thought === true;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text.trim() !== ""))];
}
