// Owns the memory of a child that has no transcript of its conversation: what the engine still knows of it, as text, bounded, the
// newest kept. All of it goes inside the frame of what the caller writes: nothing in it speaks for this session.

import type { RunRequest } from "../../core/ports.ts";
import { isInterrupted, stateLabel } from "../../core/protocol/task-state.ts";
import type { Artifact, Message, Part, Task } from "../../core/protocol/types.ts";
import { partsToPrompt } from "./prompt-text.ts";

/** Characters in all; some 6,000 tokens, which a small model's window has room for. */
export const MAX_RECALLED = 24_000;
/** Characters of one message or reply; of longer ones the beginning is kept. */
export const MAX_RECALLED_ENTRY = 8_000;
const LEFT_OUT = " [the rest is left out]";

export interface Recalled {
  /** Who said what, oldest first, one entry each. */
  readonly said: readonly string[];
  /** More was said before that. */
  readonly cut: boolean;
}

/** What was said in this task and in the tasks before it. */
export async function recall({ history, earlier }: Pick<RunRequest, "history" | "earlier">): Promise<Recalled> {
  const said: string[] = [];
  let left = MAX_RECALLED;
  /** False when there is no room for all of it. */
  const take = (entries: readonly string[]): boolean => {
    for (const entry of entries.toReversed()) {
      if (entry.length > left) return false;
      left -= entry.length;
      said.unshift(entry);
    }
    return true;
  };
  if (!take(history.map(messageEntry))) return { said, cut: true };
  for await (const task of earlier?.() ?? []) if (!take(taskEntries(task))) return { said, cut: true };
  return { said, cut: false };
}

/** What was said before above what is said now. */
export function recallToPrompt({ said, cut }: Recalled, now: string): string {
  if (said.length === 0) return now;
  const title = "What was said in this conversation before, as this session has kept it";
  return [
    cut ? `${title} (its oldest part is left out):` : `${title}:`,
    ...said,
    "",
    "What the caller says now:",
    now,
  ].join("\n");
}

function taskEntries({ history = [], artifacts = [], status }: Task): string[] {
  const { state, message } = status;
  const note = message === undefined ? "" : textOf(message.parts);
  const entries = [...history.map(messageEntry), ...artifacts.map(artifactEntry)];
  if (isInterrupted(state)) return [...entries, entry("You", note)];
  if (state === "TASK_STATE_COMPLETED") return note === "" ? entries : [...entries, entry("You", note)];
  return [...entries, entry("You", `[this task ended as ${stateLabel(state)}${note === "" ? "" : `: ${note}`}]`)];
}

function messageEntry({ role, parts }: Message): string {
  return entry(role === "ROLE_USER" ? "Caller" : "You", textOf(parts));
}

function artifactEntry({ parts, metadata }: Artifact): string {
  return entry("You", metadata?.partial === true ? `${textOf(parts)} [unfinished]` : textOf(parts));
}

/** Further lines are set in: at the beginning of a line only we say who speaks. */
function entry(who: "Caller" | "You", text: string): string {
  const short = text.length > MAX_RECALLED_ENTRY ? text.slice(0, MAX_RECALLED_ENTRY) + LEFT_OUT : text;
  return `${who}: ${short.replaceAll(/\r\n|[\n\v\f\r\x85\u2028\u2029]/g, "\n  ")}`;
}

/** Files of earlier messages are only named. */
function textOf(parts: readonly Part[]): string {
  return partsToPrompt(parts, new Map());
}
