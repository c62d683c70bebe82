// Owns the little of an AbortSignal that a wait needs. Making a real one, and listening to it, costs more than all else that a short
// request does in memory, so one is only made where somebody else's code asks for it.

/** What every AbortSignal is, too. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface Stopper {
  readonly signal: StopSignal;
  /** Tells every listener, once. */
  stop(): void;
}

export function createStopper(): Stopper {
  let listeners: (() => void)[] = [];
  let aborted = false;
  return {
    signal: {
      get aborted() {
        return aborted;
      },
      addEventListener(_type, listener) {
        if (!aborted) listeners.push(listener);
      },
      removeEventListener(_type, listener) {
        listeners = listeners.filter((other) => other !== listener);
      },
    },
    stop() {
      if (aborted) return;
      aborted = true;
      const told = listeners;
      listeners = [];
      for (const listener of told) listener();
    },
  };
}

/** A real one that aborts with `stop`. */
export function abortSignalOf(stop: StopSignal): AbortSignal {
  if (stop instanceof AbortSignal) return stop;
  const controller = new AbortController();
  if (stop.aborted) controller.abort();
  else stop.addEventListener("abort", () => controller.abort(), { once: true });
  return controller.signal;
}
