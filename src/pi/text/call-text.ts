// Owns the text that a2a_call and a2a_status hand to the model. The first line is an anchor that prompts and other tools match;
// everything below it is another agent's words.

import { stateLabel } from "../../core/protocol/task-state.ts";
import { partsToText } from "../../core/protocol/text.ts";
import type { Artifact } from "../../core/protocol/types.ts";
import { oneLine, plainText } from "../../core/security/sanitize.ts";
import type { CallResult } from "../../outbound/client-types.ts";
import { limitOutput } from "./limit-output.ts";

const MAX_NAME = 80;

/** `[A2A → researcher · context ctx-… · completed]` */
function callAnchor(agent: string, result: Pick<CallResult, "contextId" | "state" | "detached">): string {
  const fields = [`A2A → ${oneLine(agent, MAX_NAME)}`, `context ${safeId(result.contextId)}`, stateLabel(result.state)];
  if (result.detached) fields.push("detached");
  return `[${fields.join(" · ")}]`;
}

/** The whole result of a call; `fullTextPath` names the file that keeps a reply too long to show. */
export function callText(agent: string, result: CallResult, fullTextPath?: string): string {
  const anchor = callAnchor(agent, result);
  if (result.detached) return `${anchor}\n${detachedText(agent, result)}`;
  const body = [anchor, ...bodyLines(result, fullTextPath)];
  if (result.state === "TASK_STATE_INPUT_REQUIRED" || result.state === "TASK_STATE_AUTH_REQUIRED") {
    body.push("", answerHint(agent, result));
  }
  return body.join("\n");
}

/** `[task task-… · context ctx-… · working · 2026-…Z]`, then the text or a note that there is none yet. */
export function statusText(agent: string, result: CallResult, waitEnded: boolean, fullTextPath?: string): string {
  const fields = [`task ${safeId(result.taskId)}`, `context ${safeId(result.contextId)}`, stateLabel(result.state)];
  if (result.timestamp !== undefined) fields.push(oneLine(result.timestamp, 40));
  const lines = [`[${fields.join(" · ")}]`];
  lines.push(
    ...(result.text === "" && result.attachments.length === 0 ? ["(no text yet)"] : bodyLines(result, fullTextPath)),
  );
  if (waitEnded)
    lines.push("", `The wait is over and the task still runs. Ask again: a2a_status(${callArguments(agent, result)}).`);
  return lines.join("\n");
}

function bodyLines(result: CallResult, fullTextPath: string | undefined): string[] {
  const limited = limitOutput(plainText(result.text));
  const lines = limited.text === "" ? [] : [limited.text];
  if (limited.cut) {
    const place = fullTextPath === undefined ? "" : ` The whole text is in ${fullTextPath}.`;
    lines.push(`[The reply is longer than a tool result may be and was cut here.${place}]`);
  }
  lines.push(...result.attachments.map(attachmentLine));
  return lines.length === 0 ? ["(the peer sent no text)"] : lines;
}

function attachmentLine(artifact: Artifact): string {
  const name = oneLine(artifact.name ?? artifact.artifactId, MAX_NAME);
  return `[attachment ${name}] ${limitOutput(plainText(partsToText(artifact.parts)), 4096, 40).text}`;
}

function detachedText(agent: string, result: CallResult): string {
  return [
    `Dispatch accepted — task ${safeId(result.taskId)} is running on the peer (non-blocking).`,
    `Poll the result with a2a_status(${callArguments(agent, result)}).`,
  ].join("\n");
}

function answerHint(agent: string, result: CallResult): string {
  const context = safeId(result.contextId);
  return `The peer waits for an answer. Send it with a2a_call(agent: "${oneLine(agent, 200)}", context_id: "${context}", message: …).`;
}

function callArguments(agent: string, result: CallResult): string {
  return `agent: "${oneLine(agent, 200)}", task_id: "${safeId(result.taskId)}"`;
}

function safeId(id: string | undefined): string {
  return id === undefined ? "-" : oneLine(id, 200);
}
