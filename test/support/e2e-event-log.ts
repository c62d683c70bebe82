// A growing list that tests can wait on: every wait has a deadline, and a wait that fails says what was seen last.

/** A list of things that happened. */
export interface EventLog<T> {
  readonly all: readonly T[];
  push(event: T): void;
  /**
   * The first event at or after `from` (default: from the start) that matches. Rejects at the deadline (milliseconds), and at once when
   * the log is closed; the message names `what` and the last events.
   */
  next(what: string, match: (event: T) => boolean, options?: WaitOptions): Promise<T>;
  /** Nothing more will come: pending and later waits fail with this reason. */
  close(reason: string): void;
}

export interface WaitOptions {
  readonly from?: number;
  readonly deadlineMs?: number;
}

export const DEADLINE_MS = 20_000;

export function createEventLog<T>(describeMore: () => string = () => ""): EventLog<T> {
  const all: T[] = [];
  const waiters = new Set<{ match: (event: T) => boolean; settle: (found: T | undefined, why: string) => void }>();
  let closed: string | undefined;

  function problem(what: string, why: string): Error {
    const last = all.slice(-6).map((event) => `  ${JSON.stringify(event).slice(0, 400)}`);
    return new Error(
      `${why} while waiting for ${what}; last events:\n${last.join("\n") || "  none"}\n${describeMore()}`,
    );
  }

  return {
    all,
    push(event) {
      all.push(event);
      for (const waiter of [...waiters]) if (waiter.match(event)) waiter.settle(event, "");
    },
    next(what, match, { from = 0, deadlineMs = DEADLINE_MS } = {}) {
      const past = all.slice(from).find(match);
      if (past !== undefined) return Promise.resolve(past);
      if (closed !== undefined) return Promise.reject(problem(what, closed));
      return new Promise((resolve, reject) => {
        const waiter = {
          match,
          settle(found: T | undefined, why: string) {
            clearTimeout(timer);
            waiters.delete(waiter);
            if (found === undefined) reject(problem(what, why));
            else resolve(found);
          },
        };
        const timer = setTimeout(() => waiter.settle(undefined, `nothing within ${deadlineMs} ms`), deadlineMs);
        waiters.add(waiter);
      });
    },
    close(reason) {
      closed ??= reason;
      for (const waiter of [...waiters]) waiter.settle(undefined, reason);
    },
  };
}
