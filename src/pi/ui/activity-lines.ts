// Owns what the person reads about inbound tasks: pure, from the engine's events to lines. Peer text is one safe line here,
// and nothing of it ever goes into the model's context.

import { changed as copied } from "../../core/platform/changed.ts";
import { isInterrupted, isTerminal, stateLabel } from "../../core/protocol/task-state.ts";
import { partsToText } from "../../core/protocol/text.ts";
import { callerLabel } from "../../core/security/identity.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { ArtifactEvent, MessageEvent, StatusEvent, SubmittedEvent, TaskEvent } from "../../engine/task-event.ts";
import { duration } from "../text/duration.ts";
import type { Level } from "./show-text.ts";
import type { Note } from "./transcript-notes.ts";

const PREFIX = "[A2A inbound]";
const PREVIEW = 120;

export interface Activity {
  readonly notes: readonly Note[];
  readonly toast?: { readonly text: string; readonly level: Level };
}

/** What is remembered of a running task between its events. */
export interface TaskTrail {
  readonly startedAt: number;
  readonly peer: string;
  /** The live text of the assistant message that streams now, and whether it was shown already. */
  readonly text: string;
  readonly shown: boolean;
}

interface Step {
  readonly activity: Activity;
  readonly trail: TaskTrail | undefined;
}

const SILENT: Activity = { notes: [] };

/** The lines for one event, and the trail to keep; no trail once the task has ended. */
export function activityOf(event: TaskEvent, trail: TaskTrail | undefined): Step {
  switch (event.kind) {
    case "submitted":
      return arrived(event);
    case "status":
      return changed(event, trail);
    case "artifact":
      return spoke(event, trail);
    case "message":
      return { activity: saidMore(event, trail), trail };
    case "metadata":
      return { activity: SILENT, trail };
    default: {
      const unknown: never = event;
      return unknown;
    }
  }
}

/** `task-1b4f8d1c30d54819` -> `a2a-1b4`: a delegated run reads as one dispatch. */
export function dispatchLabel(taskId: string): string {
  return `a2a-${taskId.replace(/^task-/, "").slice(0, 3)}`;
}

function arrived(event: SubmittedEvent): Step {
  const peer = oneLine(callerLabel(event.owner), 80);
  const preview = oneLine(partsToText(event.message.parts), PREVIEW);
  const text = `${PREFIX} dispatch from ${peer}: ${preview}`;
  return {
    activity: { notes: [{ lines: [text], tone: "warning" }], toast: { text, level: "info" } },
    trail: { startedAt: event.at, peer, text: "", shown: true },
  };
}

/** An answer, or what steers a task at work: somebody acts on it here, so the person sees it. */
function saidMore({ taskId, message }: MessageEvent, trail: TaskTrail | undefined): Activity {
  const peer = trail === undefined ? "its caller" : oneLine(trail.peer, 80);
  const preview = oneLine(partsToText(message.parts), PREVIEW);
  const text = `${PREFIX} more for A2A dispatch ${dispatchLabel(taskId)} from ${peer}: ${preview}`;
  return { notes: [{ lines: [text], tone: "warning" }] };
}

function changed(event: StatusEvent, trail: TaskTrail | undefined): Step {
  const { state, message } = event.status;
  const said = message === undefined ? "" : oneLine(partsToText(message.parts), PREVIEW);
  if (isTerminal(state)) return { activity: ended(event, trail, said), trail: undefined };
  if (isInterrupted(state)) {
    const text = `${PREFIX} A2A dispatch ${dispatchLabel(event.taskId)} asks its caller: ${said}`;
    return { activity: { notes: [{ lines: [text], tone: "warning" }], toast: { text, level: "info" } }, trail };
  }
  if (said === "") return { activity: SILENT, trail };
  const tool: Note = { lines: [`${PREFIX} ⚙ ${said}`], tone: "dim" };
  return { activity: { notes: [...spoken(trail), tool] }, trail: trail && { ...trail, shown: true } };
}

function ended(event: StatusEvent, trail: TaskTrail | undefined, said: string): Activity {
  const good = event.status.state === "TASK_STATE_COMPLETED";
  const took = trail === undefined ? "" : ` (${duration(event.at - trail.startedAt)})`;
  const preview = good ? oneLine(trail?.text ?? "", PREVIEW) : said;
  const tail = preview === "" ? "" : `${good ? " — " : ": "}${preview}`;
  const text = `${PREFIX} A2A dispatch ${dispatchLabel(event.taskId)} ${stateLabel(event.status.state)}${took}${tail}`;
  return {
    notes: [{ lines: [text], tone: good ? "success" : "error" }],
    toast: { text, level: good ? "info" : "warning" },
  };
}

/** The text of a message shows once it is whole: when a tool starts, or the next message begins. */
function spoke(event: ArtifactEvent, trail: TaskTrail | undefined): Step {
  if (trail === undefined) return { activity: SILENT, trail };
  const piece = partsToText(event.artifact.parts);
  if (event.append) return { activity: SILENT, trail: copied(trail, { text: beginningOf(trail.text + piece) }) };
  const repeated = oneLine(trail.text, PREVIEW) === oneLine(piece, PREVIEW);
  const notes = repeated ? [] : spoken(trail);
  const shown = repeated && trail.shown;
  return { activity: { notes }, trail: copied(trail, { text: beginningOf(piece), shown }) };
}

function spoken(trail: TaskTrail | undefined): Note[] {
  const text = trail === undefined || trail.shown ? "" : oneLine(trail.text, PREVIEW);
  return text === "" ? [] : [{ lines: [`${PREFIX} ✎ ${text}`], tone: "dim" }];
}

/** Enough for a preview; live text of any length must not be kept. */
function beginningOf(text: string): string {
  return text.length > 4 * PREVIEW ? text.slice(0, 4 * PREVIEW) : text;
}
