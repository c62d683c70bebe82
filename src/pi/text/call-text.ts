// Owns the text that a2a_call and a2a_status hand to the model. The first line is an anchor that prompts and other tools match;
// everything below it is another agent's words.

import { isInterrupted, isTerminal, stateLabel } from "../../core/protocol/task-state.ts";
import { oneLine, plainText } from "../../core/security/sanitize.ts";
import type { CallResult } from "../../outbound/client-types.ts";
import type { KeptReply } from "../files/reply-store.ts";
import { attachmentLines } from "./attachment-text.ts";
import { limitOutput } from "./limit-output.ts";

const MAX_NAME = 80;

/** How a question is answered: by a call of the tool, or by a command of the person. */
export type AnswerWay = "tool" | "command";

/** `[A2A → researcher · context ctx-… · completed]` */
function callAnchor(agent: string, result: Pick<CallResult, "contextId" | "state" | "detached">): string {
  const fields = [`A2A → ${oneLine(agent, MAX_NAME)}`, `context ${safeId(result.contextId)}`, stateLabel(result.state)];
  if (result.detached) fields.push("detached");
  return `[${fields.join(" · ")}]`;
}

/** The whole result of a call. */
export function callText(agent: string, result: CallResult, kept: KeptReply, way: AnswerWay = "tool"): string {
  const anchor = callAnchor(agent, result);
  const body = result.detached
    ? [detachedText(agent, result)]
    : [...bodyLines(result, kept), ...questionLines(agent, result, way)];
  return [anchor, ...body, ...redactedLines(result)].join("\n");
}

/** Else the sender would wonder why the peer does not know what was in the message. */
function redactedLines({ redacted = [] }: CallResult): string[] {
  return redacted.length === 0 ? [] : ["", `[Taken out of the message before it was sent: ${redacted.join(", ")}.]`];
}

/** `[task task-… · context ctx-… · working · 2026-…Z]`, then the text or a note that there is none yet. */
export function statusText(
  agent: string,
  result: CallResult,
  waitEnded: boolean,
  kept: KeptReply,
  way: AnswerWay = "tool",
): string {
  const state = result.unanswered?.stateKnown === false ? "state unknown" : stateLabel(result.state);
  const fields = [`task ${safeId(result.taskId)}`, `context ${safeId(result.contextId)}`, state];
  if (result.timestamp !== undefined) fields.push(oneLine(result.timestamp, 40));
  const nothing = result.text === "" && result.attachments.length === 0;
  const lines = [
    `[${fields.join(" · ")}]`,
    ...(nothing ? [isTerminal(result.state) ? "(no text)" : "(no text yet)"] : bodyLines(result, kept)),
  ];
  lines.push(...questionLines(agent, result, way));
  if (waitEnded) lines.push("", `${waitText(agent, result)} Ask again: a2a_status(${callArguments(agent, result)}).`);
  return lines.join("\n");
}

/** A peer that does not answer may have lost its task; only an answer shows that it runs. */
function waitText(agent: string, { unanswered, state }: CallResult): string {
  if (unanswered === undefined) return "The wait is over and the task still runs.";
  const away = `The wait is over. ${oneLine(agent, MAX_NAME)} has not answered for ${Math.round(unanswered.forMs / 1000)} s`;
  return unanswered.stateKnown
    ? `${away}; the task was ${stateLabel(state)} when it last did, and whether it still runs is unknown.`
    : `${away}; whether the task runs is unknown.`;
}

function bodyLines(result: CallResult, kept: KeptReply): string[] {
  const limited = limitOutput(plainText(result.text));
  const lines = limited.text === "" ? [] : [limited.text];
  if (limited.cut) {
    const place = kept.textPath === undefined ? "" : ` The whole text is in ${kept.textPath}.`;
    lines.push(`[The reply is longer than a tool result may be and was cut here.${place}]`);
  }
  lines.push(...attachmentLines(kept.received));
  return lines.length === 0 ? ["(the peer sent no text)"] : lines;
}

function detachedText(agent: string, result: CallResult): string {
  return [
    `Dispatch accepted — task ${safeId(result.taskId)} is running on the peer (non-blocking).`,
    `Poll the result with a2a_status(${callArguments(agent, result)}).`,
  ].join("\n");
}

/** What the peer waits for, with both ids, and how to go on. */
function questionLines(agent: string, result: CallResult, way: AnswerWay): string[] {
  if (!isInterrupted(result.state)) return [];
  const ids = `task ${safeId(result.taskId)}, context ${safeId(result.contextId)}`;
  const login = result.state === "TASK_STATE_AUTH_REQUIRED";
  const waits = login ? "The peer waits for a login, or for a permission" : "The peer waits for an answer";
  const first = login ? " When that is done, go on" : " Answer";
  return [
    "",
    `${waits} (${ids}).${first} with ${way === "tool" ? toolAnswer(agent, result) : commandAnswer(agent, result)}.`,
  ];
}

function toolAnswer(agent: string, result: CallResult): string {
  const target =
    result.contextId === undefined
      ? `task_id: "${safeId(result.taskId)}"`
      : `context_id: "${safeId(result.contextId)}"`;
  return `a2a_call(agent: "${oneLine(agent, 200)}", ${target}, message: …)`;
}

function commandAnswer(agent: string, result: CallResult): string {
  const target =
    result.contextId === undefined ? `--task ${safeId(result.taskId)}` : `--context ${safeId(result.contextId)}`;
  return `/a2a-send ${oneLine(agent, 200)} ${target} <answer>`;
}

function callArguments(agent: string, result: CallResult): string {
  return `agent: "${oneLine(agent, 200)}", task_id: "${safeId(result.taskId)}"`;
}

function safeId(id: string | undefined): string {
  return id === undefined ? "-" : oneLine(id, 200);
}
