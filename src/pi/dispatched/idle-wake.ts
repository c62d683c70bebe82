// Owns telling the model of what happened once it is idle: never into a run, and not at all when the model has learned it by itself
// meanwhile.

import type { Clock, Timer } from "../../core/platform/clock.ts";

const CHECK_MS = 250;
/** Between two steps of one run the host may look idle for a moment. */
const IDLE_CHECKS = 4;

export interface IdleWake {
  /** `text` starts a turn as soon as the model is idle. */
  add(taskId: string, text: string): void;
  /** The model knows already. */
  drop(taskId: string): void;
  /** Forgets what still waits. */
  stop(): void;
}

export interface WakeHost {
  isIdle(): boolean;
  /** Starts a turn with this text. */
  wake(text: string): void;
}

export function createIdleWake(clock: Clock, host: WakeHost): IdleWake {
  const waiting = new Map<string, string>();
  let timer: Timer | undefined;
  let idle = 0;
  const stop = (): void => {
    timer?.stop();
    timer = undefined;
    idle = 0;
    waiting.clear();
  };
  const check = (): void => {
    idle = host.isIdle() ? idle + 1 : 0;
    if (idle < IDLE_CHECKS) return;
    const text = [...waiting.values()].join("\n\n");
    stop();
    host.wake(text);
  };
  return {
    add(taskId, text) {
      waiting.set(taskId, text);
      timer ??= clock.every(CHECK_MS, check);
    },
    drop(taskId) {
      if (waiting.delete(taskId) && waiting.size === 0) stop();
    },
    stop,
  };
}
