// Owns the running row of a call: state, elapsed time and the last line, redrawn each second also while the peer is silent,
// so that a slow peer can be told from a dead one.

import type { Clock } from "../../core/platform/clock.ts";
import { stateLabel } from "../../core/protocol/task-state.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { CallProgress } from "../../outbound/client-types.ts";
import { duration } from "../text/duration.ts";

const REDRAW_MS = 1000;

export interface ProgressRow {
  /** Give this to the client. */
  readonly onProgress: (progress: CallProgress) => void;
  stop(): void;
}

/** Draws through `draw` until stopped. */
export function startProgressRow(clock: Clock, draw: (line: string, progress: CallProgress) => void): ProgressRow {
  const began = clock.monotonic();
  let latest: CallProgress = { elapsedMs: 0 };
  const redraw = (): void => {
    latest = { ...latest, elapsedMs: clock.monotonic() - began };
    draw(progressLine(latest), latest);
  };
  const timer = clock.every(REDRAW_MS, redraw);
  redraw();
  return {
    onProgress(progress) {
      latest = progress;
      redraw();
    },
    stop: () => timer.stop(),
  };
}

/** `working · 12.3s · task-… · last line` */
export function progressLine(progress: CallProgress): string {
  const fields = [progress.state === undefined ? "calling" : stateLabel(progress.state), duration(progress.elapsedMs)];
  if (progress.taskId !== undefined) fields.push(oneLine(progress.taskId, 40));
  const line = oneLine(progress.line ?? "", 160);
  return line === "" ? fields.join(" · ") : `${fields.join(" · ")} · ${line}`;
}
