// Owns how often a caller hears of its call: at once, then at most four times a second, always with the newest stand.

import type { Clock, Timer } from "../core/platform/clock.ts";
import type { Log } from "../core/platform/log.ts";
import type { CallProgress } from "./client-types.ts";
import type { ReplyStand } from "./reply.ts";

const GAP_MS = 250;

export interface ProgressReport {
  update(stand: ReplyStand): void;
  stop(): void;
}

export function startProgress(
  deps: { readonly clock: Clock; readonly log: Log },
  onProgress: ((progress: CallProgress) => void) | undefined,
): ProgressReport {
  const began = deps.clock.monotonic();
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting: Timer | undefined;
  let newest: ReplyStand = {};

  const emit = (): void => {
    waiting = undefined;
    lastAt = deps.clock.monotonic();
    const { taskId, contextId, state, line } = newest;
    const progress: CallProgress = {
      elapsedMs: lastAt - began,
      ...(taskId === undefined ? {} : { taskId }),
      ...(contextId === undefined ? {} : { contextId }),
      ...(state === undefined ? {} : { state }),
      ...(line === undefined ? {} : { line }),
    };
    try {
      onProgress?.(progress);
    } catch (error) {
      // A display that fails must not end the call.
      deps.log.fault("progress of a call", error);
    }
  };

  return {
    update(stand) {
      newest = stand;
      if (onProgress === undefined || waiting !== undefined) return;
      const wait = lastAt + GAP_MS - deps.clock.monotonic();
      if (wait <= 0) emit();
      else waiting = deps.clock.after(wait, emit);
    },
    stop: () => waiting?.stop(),
  };
}
