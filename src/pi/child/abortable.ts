// Waiting that ends with a signal. The work itself is not stopped, only the waiting for it.

import { A2aError } from "../../core/platform/errors.ts";
import type { StopSignal } from "../../core/platform/stop-signal.ts";

/** The result of `work`, or CANCELLED as soon as `signal` aborts. */
export function abortable<T>(work: Promise<T>, signal: StopSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new A2aError("CANCELLED", "the run was stopped"));
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
