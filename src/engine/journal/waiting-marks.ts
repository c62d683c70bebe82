// Owns marks that are to be written: they wait for the next write and cost none of their own, unless none comes.

import type { Clock, Timer } from "../../core/platform/clock.ts";
import type { DeliveryMark } from "../delivery-mark.ts";

/** More are not held back while nothing can be written. */
const MOST_WAITING = 10_000;
/** Nothing else is written for so long. */
const PATIENCE_MS = 1_000;

export interface WaitingMarks {
  add(mark: DeliveryMark): void;
  /** Those that wait, which do not wait any more. */
  take(): readonly DeliveryMark[];
  /** They could not be written. */
  giveBack(marks: readonly DeliveryMark[]): void;
  /** No timer is left; true when some wait. */
  stop(): boolean;
}

/** `write` is to write what waits; should it fail, they go with what is written next. */
export function createWaitingMarks(clock: Clock, write: () => Promise<unknown>): WaitingMarks {
  let waiting: DeliveryMark[] = [];
  let due: Timer | undefined;
  return {
    add(mark) {
      if (waiting.length < MOST_WAITING) waiting.push(mark);
      due ??= clock.after(PATIENCE_MS, () => {
        due = undefined;
        if (waiting.length > 0) write().catch(() => undefined);
      });
    },
    take() {
      const taken = waiting;
      waiting = [];
      return taken;
    },
    giveBack(marks) {
      waiting = [...marks, ...waiting].slice(0, MOST_WAITING);
    },
    stop() {
      due?.stop();
      return waiting.length > 0;
    },
  };
}
