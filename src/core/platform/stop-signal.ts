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
  return new OwnStopper();
}

/** A class, because there are two for each message that comes in. */
class OwnStopper implements Stopper, StopSignal {
  #aborted = false;
  #listeners: readonly (() => void)[] = [];

  get signal(): StopSignal {
    return this;
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.#aborted) this.#listeners = [...this.#listeners, listener];
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners = this.#listeners.filter((other) => other !== listener);
  }

  stop(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    const told = this.#listeners;
    this.#listeners = [];
    for (const listener of told) listener();
  }
}

/** A real one that aborts with `stop`. */
export function abortSignalOf(stop: StopSignal): AbortSignal {
  if (stop instanceof AbortSignal) return stop;
  const controller = new AbortController();
  if (stop.aborted) controller.abort();
  else stop.addEventListener("abort", () => controller.abort(), { once: true });
  return controller.signal;
}
