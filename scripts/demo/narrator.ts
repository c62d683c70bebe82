// What a session shows to its person -> one printed line each, as it comes.

import { isUi, type PiEvent } from "../../test/support/e2e-pi-events.ts";

const WIDTH = 160;

/** A listener for the events of one session; a line that repeats the one before is left out. */
export function createNarrator(name: string): (event: PiEvent) => void {
  let last = "";
  return (event) => {
    for (const line of describe(event).map(oneLine)) {
      if (line !== "" && line !== last) console.log(`  [${name}] ${line}`);
      last = line;
    }
  };
}

function describe(event: PiEvent): readonly unknown[] {
  if (isUi(event, "notify")) return String(event.message).split("\n");
  if (isUi(event, "setStatus")) return [event.statusText ?? ""];
  if (event.type === "extension_error") return [`extension error: ${event.error}`];
  if (event.type === "message_end") return noteLines(event.message);
  if (event.type === "tool_execution_start") return [`calls ${event.toolName}`];
  if (event.type === "tool_execution_update") return lastLine(event.partialResult);
  if (event.type === "tool_execution_end")
    return [`${event.toolName} ${event.isError === true ? "failed" : "is done"}`];
  return [];
}

/** A transcript line that an extension shows beside the conversation. */
function noteLines(message: unknown): readonly unknown[] {
  const { role, details } = message as { role?: string; details?: { lines?: unknown } };
  return role === "custom" && Array.isArray(details?.lines) ? details.lines : [];
}

function lastLine(partial: unknown): readonly unknown[] {
  const { content = [] } = partial as { content?: readonly { text?: string }[] };
  const text = content.map((part) => part.text ?? "").join("");
  return text.trimEnd().split("\n").slice(-1);
}

/** Text that came from elsewhere must not steer the terminal. */
function oneLine(value: unknown): string {
  const text = stripControls(String(value)).replace(/\s+/g, " ").trim();
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}

function stripControls(text: string): string {
  return text.replace(/\p{Cc}/gu, " ");
}
