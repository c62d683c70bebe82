// Owns the person's view of inbound work: transcript lines, toasts and the footer, drawn from the engine's events on whatever
// session is live at that moment.

import type { UiSettings } from "../../core/config/settings.ts";
import { changed } from "../../core/platform/changed.ts";
import type { Clock, Timer } from "../../core/platform/clock.ts";
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
  clock: Pick<Clock, "defer">,
): ActivityFeed {
  const trails = new Map<string, TaskTrail>();
  const footer = createFooter(engine, display, clock);
  const hear = (event: TaskEvent): void => {
    const { activity, trail } = activityOf(event, trails.get(event.taskId));
    if (trail === undefined) trails.delete(event.taskId);
    else trails.set(event.taskId, trail);
    const { transcript, transcriptInContext } = wanted();
    if (transcript) for (const note of activity.notes) display.note(changed(note, { inContext: transcriptInContext }));
    if (activity.toast !== undefined) display.toast(activity.toast.text, activity.toast.level);
    footer.hear(event);
  };
  const stop = engine.observe(hear);
  return {
    refresh: footer.draw,
    stop() {
      stop();
      footer.stop();
    },
  };
}

interface Footer {
  hear(event: TaskEvent): void;
  draw(): void;
  stop(): void;
}

/** Drawn once for all that happens in a turn of the event loop: it tells of all tasks that run, and there may be many of both. */
function createFooter(engine: Engine, display: Display, clock: Pick<Clock, "defer">): Footer {
  /** What ended before its run: that run's end gives no sign of its own. */
  const ended = new Set<string>();
  let due: Timer | undefined;
  const draw = (): void => {
    due = undefined;
    const running = engine.running();
    display.status(footerText(running.filter(({ taskId }) => !ended.has(taskId))));
    const ids = new Set(running.map(({ taskId }) => taskId));
    for (const taskId of ended) if (!ids.has(taskId)) ended.delete(taskId);
  };
  return {
    draw,
    hear(event) {
      if (event.kind !== "submitted" && event.kind !== "status") return;
      if (event.kind === "status" && isTerminal(event.status.state)) ended.add(event.taskId);
      due ??= clock.defer(draw);
    },
    stop() {
      due?.stop();
      display.status(undefined);
    },
  };
}

/** `A2A 2 running: alice, ip:127.0.0.1`, or nothing while no task runs. */
function footerText(running: readonly RunningTask[]): string | undefined {
  if (running.length === 0) return undefined;
  const labels = new Set(running.map(({ owner }) => callerLabel(owner)));
  const peers = new Set([...labels].map((label) => oneLine(label, 40)));
  return oneLine(`A2A ${running.length} running: ${[...peers].join(", ")}`, 120);
}
