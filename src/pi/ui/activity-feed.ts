// Owns the person's view of inbound work: transcript lines, toasts and the footer, drawn from the engine's events on whatever
// session is live at that moment.

import type { UiSettings } from "../../core/config/settings.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import { callerLabel } from "../../core/security/identity.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { Engine, RunningTask } from "../../engine/engine-types.ts";
import type { TaskEvent } from "../../engine/task-event.ts";
import { activityOf, type TaskTrail } from "./activity-lines.ts";
import type { Level } from "./show-text.ts";
import type { Note } from "./transcript-notes.ts";

/** The live session's display; every call is safe when none is live. */
export interface Display {
  note(note: Note): void;
  toast(text: string, level: Level): void;
  status(text: string | undefined): void;
}

export interface ActivityFeed {
  /** Draws the footer anew, for a session that has just become live. */
  refresh(): void;
  stop(): void;
}

/** Follows `engine`; `wanted` says what is wanted besides toasts and footer: activity lines, also for the model. */
export function startActivityFeed(
  engine: Engine,
  display: Display,
  wanted: () => Pick<UiSettings, "transcript" | "transcriptInContext">,
): ActivityFeed {
  const trails = new Map<string, TaskTrail>();
  const hear = (event: TaskEvent): void => {
    const { activity, trail } = activityOf(event, trails.get(event.taskId));
    if (trail === undefined) trails.delete(event.taskId);
    else trails.set(event.taskId, trail);
    const { transcript, transcriptInContext } = wanted();
    if (transcript) for (const note of activity.notes) display.note({ ...note, inContext: transcriptInContext });
    if (activity.toast !== undefined) display.toast(activity.toast.text, activity.toast.level);
    if (event.kind === "submitted" || event.kind === "status") display.status(footer(engine.running(), event));
  };
  const stop = engine.observe(hear);
  return {
    refresh: () => display.status(footer(engine.running())),
    stop() {
      stop();
      display.status(undefined);
    },
  };
}

/** `A2A 2 running: alice, ip:127.0.0.1`, or nothing while no task runs. */
function footer(running: readonly RunningTask[], event?: TaskEvent): string | undefined {
  const ended = event?.kind === "status" && isTerminal(event.status.state) ? event.taskId : undefined;
  const shown = running.filter((task) => task.taskId !== ended);
  if (shown.length === 0) return undefined;
  const peers = [...new Set(shown.map((task) => oneLine(callerLabel(task.owner), 40)))];
  return oneLine(`A2A ${shown.length} running: ${peers.join(", ")}`, 120);
}
