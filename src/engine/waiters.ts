// Owns those who wait for a task: until it has ended, or until it has ended or asks its caller.

import { A2aError } from "../core/platform/errors.ts";
import type { StopSignal } from "../core/platform/stop-signal.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Task, TaskState } from "../core/protocol/types.ts";

export type WaitFor = "ended" | "settled";

export interface Waiters {
  /** Resolves with the task once its state is what is waited for; the signal ends the wait with CANCELLED. */
  wait(what: WaitFor, signal?: StopSignal): Promise<Task>;
  /** Tells those whose wait is over by `task`. */
  tell(task: Task): void;
  readonly size: number;
}

export function isOver(what: WaitFor, state: TaskState): boolean {
  return isTerminal(state) || (what === "settled" && isInterrupted(state));
}

interface Waiter {
  readonly what: WaitFor;
  readonly resolve: (task: Task) => void;
}

export function createWaiters(taskId: string): Waiters {
  /** Mostly there is one, or none. */
  let waiting: readonly Waiter[] = [];
  return {
    wait(what, signal) {
      return new Promise((resolve, reject) => {
        const stopped = (): void => {
          waiting = waiting.filter((other) => other !== waiter);
          reject(new A2aError("CANCELLED", `the wait for task ${taskId} was ended`));
        };
        const waiter: Waiter = {
          what,
          resolve(task) {
            signal?.removeEventListener("abort", stopped);
            resolve(task);
          },
        };
        if (signal?.aborted === true) return stopped();
        signal?.addEventListener("abort", stopped, { once: true });
        waiting = [...waiting, waiter];
      });
    },
    tell(task) {
      if (waiting.length === 0) return;
      const { state } = task.status;
      const told = waiting;
      waiting = told.filter(({ what }) => !isOver(what, state));
      for (const { what, resolve } of told) if (isOver(what, state)) resolve(task);
    },
    get size() {
      return waiting.length;
    },
  };
}
