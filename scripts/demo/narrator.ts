// What a session shows to its person -> one printed line each, as it comes.

import { isUi, type PiEvent } from "../../test/support/e2e-pi-events.ts";

const WIDTH = 160;

/** A listener for the events of one session; a line that repeats the one before is left out. */
export function createNarrator(name: string): (event: PiEvent) => void {
  let last = "";
  return (event) => {
    const line = describe(event);
    if (line === undefined || line === last) return;
    last = line;
    console.log(`  [${name}] ${line}`);
  };
}

function describe(event: PiEvent): string | undefined {
  if (isUi(event, "notify")) return oneLine(event.message);
  if (isUi(event, "setStatus")) return typeof event.statusText === "string" ? oneLine(event.statusText) : undefined;
  if (event.type === "extension_error") return `extension error: ${oneLine(event.error)}`;
  if (event.type === "tool_execution_start") return `calls ${oneLine(event.toolName)}`;
  if (event.type === "tool_execution_update") return lastLine(event.partialResult);
  if (event.type === "tool_execution_end")
    return `${oneLine(event.toolName)} ${event.isError === true ? "failed" : "is done"}`;
  return undefined;
}

function lastLine(partial: unknown): string | undefined {
  const { content = [] } = partial as { content?: readonly { text?: string }[] };
  const text = content.map((part) => part.text ?? "").join("");
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  return line === "" ? undefined : oneLine(line);
}

/** Text that came from elsewhere must not steer the terminal. */
function oneLine(value: unknown): string {
  const text = stripControls(String(value)).replace(/\s+/g, " ").trim();
  return text.length > WIDTH ? `${text.slice(0, WIDTH - 1)}…` : text;
}

function stripControls(text: string): string {
  return text.replace(/\p{Cc}/gu, " ");
}
