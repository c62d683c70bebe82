// Owns "the child has settled": no run, no retry, no compaction, and none announced. The current Pi line says so itself. On
// 0.73.1 prompt() returns before compaction and the recovery run after it, and never when a stream function throws a text
// that looks retryable; so there the run is followed by its events.

import type { AgentSession, AgentSessionEvent } from "@mariozechner/pi-coding-agent";
import { type Clock, nextTurn, within } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import { eventQueueOf } from "../host/private-fields.ts";

/** A continuation that was announced starts after its delay plus this, or not at all. */
const CONTINUATION_SLACK_MS = 5_000;
/** 0.73.1 continues this long after a compaction. */
const AFTER_COMPACTION_MS = 100;
/** Handlers of other extensions may work this long after a run; then the reply does not wait for them any more. */
const HANDLERS_MS = 30_000;

/** Plain text, whatever it begins with; and into the queue should the session be at work. */
export const PROMPT_OPTIONS = { expandPromptTemplates: false, source: "rpc", streamingBehavior: "steer" } as const;

interface SettleDeps {
  readonly clock: Clock;
  readonly log: Log;
}

/** Sends `text` as plain text and resolves when the session has settled. Rejects with Pi's reason when no run could start. */
export async function promptAndSettle(session: AgentSession, text: string, deps: SettleDeps): Promise<void> {
  const prompt = (): Promise<void> => session.prompt(text, PROMPT_OPTIONS);
  if ("waitForIdle" in session && typeof session.waitForIdle === "function") {
    await prompt();
    await session.waitForIdle();
    return;
  }
  const watch = watchEvents(session, deps);
  try {
    await Promise.race([prompt(), watch.runEnded]);
    await watch.settled();
  } finally {
    watch.stop();
  }
}

/** 0.73.1 only. */
function watchEvents(session: AgentSession, { clock, log }: SettleDeps) {
  const runEnded = createBell();
  const anything = createBell();
  let continuation: { stop(): void } | undefined;

  const expect = (delayMs: number): void => {
    continuation?.stop();
    continuation = clock.after(delayMs + CONTINUATION_SLACK_MS, forget);
  };
  const forget = (): void => {
    continuation?.stop();
    continuation = undefined;
    anything.ring();
  };
  const offSession = session.subscribe((event) => {
    const delayMs = announcedDelay(event, () => session.agent.hasQueuedMessages());
    if (delayMs !== undefined) expect(delayMs);
    else if (event.type === "auto_retry_end" && !event.success) forget();
    anything.ring();
  });
  const offAgent = session.agent.subscribe((event) => {
    if (event.type === "agent_start") forget();
    if (event.type === "agent_end") runEnded.ring();
  });

  const settled = async (): Promise<void> => {
    for (;;) {
      if (!(await within(clock, HANDLERS_MS, drain(session)))) {
        log.warn("extensions of a child session were still busy after its run; the reply did not wait for them");
      }
      await nextTurn(clock);
      if (session.isStreaming) await session.agent.waitForIdle();
      else if (session.isCompacting || continuation !== undefined) await anything.next();
      else return;
    }
  };
  return {
    /** Resolves when a run has ended: from then on events tell more than the promise of prompt(). */
    runEnded: runEnded.next(),
    settled,
    stop(): void {
      continuation?.stop();
      offSession();
      offAgent();
    },
  };
}

/** Milliseconds until a run that 0.73.1 has just announced. */
function announcedDelay(event: AgentSessionEvent, hasQueued: () => boolean): number | undefined {
  if (event.type === "auto_retry_start") return event.delayMs;
  if (event.type === "compaction_end" && (event.willRetry || hasQueued())) return AFTER_COMPACTION_MS;
  return undefined;
}

/** Extensions' handlers add to the queue while it is worked off. */
async function drain(session: AgentSession): Promise<void> {
  for (;;) {
    const queue = eventQueueOf(session);
    // A handler's failure was reported to the session's error listener.
    await queue?.catch(() => undefined);
    if (queue === eventQueueOf(session)) return;
  }
}

/** Wakes everyone who waits for the next time something happens. */
function createBell() {
  const waiting = new Set<() => void>();
  return {
    next: () => new Promise<void>((resolve) => void waiting.add(resolve)),
    ring(): void {
      for (const wake of waiting) wake();
      waiting.clear();
    },
  };
}
