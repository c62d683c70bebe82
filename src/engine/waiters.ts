// Owns those who wait for a task: until it has ended, or until it has ended or asks its caller.

import { A2aError } from "../core/platform/errors.ts";
import { isInterrupted, isTerminal } from "../core/protocol/task-state.ts";
import type { Task, TaskState } from "../core/protocol/types.ts";

export type WaitFor = "ended" | "settled";

export interface Waiters {
  /** Resolves with the task once its state is what is waited for; the signal ends the wait with CANCELLED. */
  wait(what: WaitFor, signal?: AbortSignal): Promise<Task>;
  /** Tells those whose wait is over by `task`. */
  tell(task: Task): void;
  readonly size: number;
}

export function isOver(what: WaitFor, state: TaskState): boolean {
  return isTerminal(state) || (what === "settled" && isInterrupted(state));
}

export function createWaiters(taskId: string): Waiters {
  const waiting = new Set<{ readonly what: WaitFor; readonly resolve: (task: Task) => void }>();
  return {
    wait(what, signal) {
      return new Promise((resolve, reject) => {
        const stopped = (): void => {
          waiting.delete(waiter);
          reject(new A2aError("CANCELLED", `the wait for task ${taskId} was ended`));
        };
        const waiter = {
          what,
          resolve(task: Task) {
            signal?.removeEventListener("abort", stopped);
            resolve(task);
          },
        };
        if (signal?.aborted === true) return stopped();
        signal?.addEventListener("abort", stopped, { once: true });
        waiting.add(waiter);
      });
    },
    tell(task) {
      for (const waiter of waiting) {
        if (!isOver(waiter.what, task.status.state)) continue;
        waiting.delete(waiter);
        waiter.resolve(task);
      }
    },
    get size() {
      return waiting.size;
    },
  };
}
