// Owns how many requests a caller may make in a minute (DESIGN §10): for each principal that has a name of its own, else for each
// address. Polls have a limit of their own, ten times as large. Credentials that are refused count by address and apart from
// everything else, so that they never lock out the right ones.

import type { Clock } from "../../core/platform/clock.ts";
import { A2aError } from "../../core/platform/errors.ts";
import { isObject } from "../../core/platform/json.ts";
import type { Admitted } from "../admission/admission-types.ts";
import { callerKey, networkOf } from "./caller-key.ts";
import { createFadingTable } from "./fading-table.ts";
import { createRollingMinute, type RollingMinute } from "./rolling-minute.ts";

const POLLS_PER_CALL = 10;
/** A longer body is no poll: those name a task and little else. */
const MAX_POLL_BYTES = 64 * 1024;
const POLLS: ReadonlySet<unknown> = new Set([
  ...["GetTask", "SubscribeToTask"],
  ...["tasks/get", "tasks/subscribe", "tasks/resubscribe"],
]);
/** What is older counts for no limit. */
const IDLE_MS = 61_000;
const MAX_KEYS = 4096;

export interface RateLimits {
  /** Before the body of a caller that was let in is read. Throws RATE_LIMITED when it can only be refused afterwards. */
  enter(caller: Admitted, contentLength: number | undefined): RatePass;
  /** After a credential was refused: RATE_LIMITED when too many from this address were, to be answered instead. */
  refused(address: string): A2aError | undefined;
}

export interface RatePass {
  /** Counts the request once it is known. Throws RATE_LIMITED. */
  count(body: unknown): void;
  /** Counts a request whose body never became known. */
  countUnread(): void;
}

interface Usage {
  readonly calls: RollingMinute;
  polls: RollingMinute | undefined;
}

/** `perMin` is asked for each request; 0 = no limit. */
export function createRateLimits(clock: Clock, perMin: () => number): RateLimits {
  const callers = createFadingTable<Usage>(
    () => ({ calls: createRollingMinute(), polls: undefined }),
    IDLE_MS,
    MAX_KEYS,
  );
  const strangers = createFadingTable(createRollingMinute, IDLE_MS, MAX_KEYS);

  const usageOf = (caller: Admitted): Usage => callers.get(callerKey(caller), clock.monotonic());
  const pollsOf = (usage: Usage): RollingMinute => (usage.polls ??= createRollingMinute());
  const count = (caller: Admitted, poll: boolean): void => {
    const limit = perMin();
    if (limit === 0) return;
    const usage = usageOf(caller);
    const now = clock.monotonic();
    const wait = poll ? pollsOf(usage).take(POLLS_PER_CALL * limit, now) : usage.calls.take(limit, now);
    if (wait !== undefined)
      throw poll ? tooMany("polls", POLLS_PER_CALL * limit, wait) : tooMany("requests", limit, wait);
  };
  return {
    enter(caller, contentLength = 0) {
      const limit = perMin();
      const usage = limit === 0 ? undefined : usageOf(caller);
      const wait = usage?.calls.wait(limit, clock.monotonic());
      if (usage !== undefined && wait !== undefined) {
        const mayBePoll = contentLength <= MAX_POLL_BYTES;
        const full = pollsOf(usage).wait(POLLS_PER_CALL * limit, clock.monotonic()) !== undefined;
        if (!mayBePoll || full) throw tooMany("requests", limit, wait);
      }
      return {
        count: (body) => count(caller, isObject(body) && POLLS.has(body.method)),
        countUnread() {
          if (perMin() !== 0) usageOf(caller).calls.take(perMin(), clock.monotonic());
        },
      };
    },
    refused(address) {
      const limit = perMin();
      if (limit === 0) return undefined;
      const now = clock.monotonic();
      const wait = strangers.get(networkOf(address), now).take(limit, now);
      return wait === undefined ? undefined : tooMany("refused credentials", limit, wait);
    },
  };
}

function tooMany(what: string, limit: number, retryAfterSec: number): A2aError {
  return new A2aError("RATE_LIMITED", `more than ${limit} ${what} within a minute`, {
    hint: `Wait ${retryAfterSec} s, or ask the operator of this agent to raise a2a.server.rateLimitPerMin.`,
    metadata: { limitPerMin: String(limit) },
    retryAfterSec,
  });
}
