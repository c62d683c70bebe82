// Waiting that ends: with a signal, or after a time. The work itself is not stopped, only the waiting for it.

import type { Clock } from "../../core/platform/clock.ts";
import { A2aError } from "../../core/platform/errors.ts";

/** The result of `work`, or CANCELLED as soon as `signal` aborts. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new A2aError("CANCELLED", "the run was stopped"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** True when `work` ended within `ms`; a failure of `work` is thrown on. */
export function within(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(false));
    work.then(() => resolve(true), reject).finally(() => timer.stop());
  });
}
