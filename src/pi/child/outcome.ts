// The assistant messages of one run -> its outcome, after everything has settled (DESIGN §5). Pure. Only messages of this run
// are looked at, so a caller never gets an older answer for a newer question.

import type { AssistantMessage } from "@mariozechner/pi-ai";
import type { RunOutcome, RunOutput } from "../../core/ports.ts";
import type { JsonObject } from "../../core/protocol/types.ts";

/** Longer provider messages are pages of HTML or JSON. */
const MAX_REASON = 300;

export interface Settlement {
  /** What is said before the end: the reply as a whole artifact, and marks on it. */
  readonly outputs: readonly RunOutput[];
  readonly outcome: RunOutcome;
}

/** A reply that begins with this asks the caller, as the tool for it does. */
export const ASKS = "[INPUT_REQUIRED]";

/**
 * `messages` are the assistant messages of this run, oldest first; `questions` what the child asked its caller by its tool;
 * `redact` takes secrets from a text that is cut afterwards, when half a secret would no longer look like one.
 */
export function settle(
  messages: readonly AssistantMessage[],
  questions: readonly string[] = [],
  redact = (text: string): string => text,
): Settlement {
  if (questions.length > 0) return asking(questions.join("\n\n"));
  const last = messages.at(-1);
  if (last === undefined) return failed("the session ended without an answer of the model", "");
  const lastText = textOf(last);
  const anyText = lastText || messages.map(textOf).findLast((text) => text !== "") || "";
  return spokenQuestion(last, lastText, anyText) ?? settleBy(last, lastText, anyText, redact);
}

/** A question that the output limit has cut is one all the same. */
function spokenQuestion(last: AssistantMessage, lastText: string, anyText: string): Settlement | undefined {
  const said = last.stopReason === "stop" ? anyText : last.stopReason === "length" ? lastText : "";
  return said.startsWith(ASKS) ? asking(said.slice(ASKS.length).trim()) : undefined;
}

function settleBy(
  last: AssistantMessage,
  lastText: string,
  anyText: string,
  redact: (text: string) => string,
): Settlement {
  switch (last.stopReason) {
    case "stop":
      return anyText === "" ? withoutText() : { outputs: [reply(anyText)], outcome: { kind: "completed" } };
    case "error":
      return failed(
        `the model call failed: ${oneLine(redact(last.errorMessage ?? "")) || "the provider gave no reason"}`,
        anyText,
      );
    case "aborted":
      return failed("the run was stopped inside the session", anyText);
    case "length":
      if (lastText === "") return failed("no usable reply was produced: the model reached its output limit", anyText);
      return truncated(lastText);
    default:
      // toolUse: a tool ended the run; newer hosts have more reasons. What there is to say was said before.
      if (anyText === "") return failed(`no usable reply was produced: the run ended on "${last.stopReason}"`, "");
      return truncated(anyText);
  }
}

/** The text of a message as the caller gets it. */
function textOf(message: AssistantMessage): string {
  const texts = message.content.map((block) => (block.type === "text" ? block.text : ""));
  return texts.join("").trim();
}

/** The first line that says something, short enough for a status message. */
export function oneLine(text: string): string {
  const line = text.split("\n").find((part) => part.trim() !== "") ?? "";
  const clean = line.replaceAll(/\s+/g, " ").trim();
  return clean.length <= MAX_REASON ? clean : `${clean.slice(0, MAX_REASON)}...`;
}

/**
 * Always whole, never a tail: it replaces what was streamed, so a reader that applies append and replace holds the exact text
 * once, and what is stored needs no piece before it.
 */
function reply(text: string, metadata?: JsonObject): RunOutput {
  const artifact = { artifactId: "reply", name: "reply", parts: [{ text }] };
  return {
    kind: "artifact",
    artifact: metadata === undefined ? artifact : { ...artifact, metadata },
    append: false,
    lastChunk: true,
  };
}

/** What was said before the question has been streamed, and stays as it is. */
function asking(question: string): Settlement {
  const text = question === "" ? "The agent needs an answer, but did not say to what." : question;
  return { outputs: [], outcome: { kind: "input-required", question: [{ text }] } };
}

function failed(reason: string, textSoFar: string): Settlement {
  const outputs = textSoFar === "" ? [] : [reply(textSoFar, { partial: true })];
  return { outputs, outcome: { kind: "failed", reason } };
}

function truncated(text: string): Settlement {
  const outputs: RunOutput[] = [reply(text, { truncated: true }), { kind: "metadata", metadata: { truncated: true } }];
  return { outputs, outcome: { kind: "completed" } };
}

/** Work without a word is done all the same; the note keeps the task from looking empty. */
function withoutText(): Settlement {
  return { outputs: [], outcome: { kind: "completed", note: "The agent finished without a text reply." } };
}
