// Owns a message to a task that works or waits for its turn (DESIGN §5): it is stored, stands in the history, and goes to the run; the
// sender waits for the same task. No turn, no slot and no window of its own: the time of the message that began the run goes on.

import { A2aError } from "../core/platform/errors.ts";
import { stateLabel } from "../core/protocol/task-state.ts";
import type { EngineParts } from "./engine-parts.ts";
import type { Submission, SubmitRequest } from "./engine-types.ts";
import { nextTime, placeOf } from "./event-stamp.ts";
import { advance, commit, lose } from "./ledger.ts";
import { openSubscription, publish } from "./publish.ts";
import { attachWebhook, checkWebhook } from "./push-configs.ts";
import type { MessageEvent } from "./task-event.ts";
import type { TaskRecord } from "./task-record.ts";

export const MAX_WAITING_PER_TASK = 8;
const RETRY_AFTER_SEC = 5;

/** Resolves when the message is stored; from then on the run ends by itself only after it has taken it. */
export function steerTask(parts: EngineParts, request: SubmitRequest, record: TaskRecord): Promise<Submission> {
  assertSteerable(parts, record);
  checkWebhook(parts, record.id, request);
  const place = placeOf(record);
  const { mailbox } = record.turn;
  const message = { ...request.message, ...place };
  const event: MessageEvent = { kind: "message", ...place, at: nextTime(parts.clock, record), message };
  const handOut = mailbox.expect();
  const task = advance(record, event);
  attachWebhook(parts, record, request);
  return new Promise((acknowledge, refuse) => {
    const lost = (): void =>
      refuse(new A2aError("NOT_STORED", "the message could not be stored; the task goes without it"));
    commit(parts, record, event, {
      done() {
        publish(parts, record, event, task);
        handOut(message);
        const first = Promise.resolve({ kind: "task" } as const);
        acknowledge({ ...place, first, subscription: openSubscription(record, task) });
      },
      failed() {
        // As with everything else of a task at work that cannot be stored; the message is not told to be taken.
        lose(parts, record);
        lost();
      },
      dropped: lost,
    });
  });
}

function assertSteerable({ runner }: EngineParts, record: TaskRecord): void {
  const { mailbox } = record.turn;
  const { contextId } = record.conversation;
  const refuse = (what: string, hint: string): never => {
    throw new A2aError("UNSUPPORTED_OPERATION", `task ${record.id} ${what}`, { hint });
  };
  if (runner.steerable !== true) {
    const label = stateLabel(record.decided.status.state);
    refuse(
      `is ${label} and takes a message only when it asks`,
      `Wait until it ends or asks, or send a new message with contextId ${contextId}.`,
    );
  }
  // Two answers came together: the second was meant for the question, too, and not for what the first has begun.
  if (record.accepting) refuse("has its answer already", "Read it with GetTask before you send more.");
  if (record.ending !== undefined || !mailbox.isOpen()) {
    refuse(
      "is about to end or to ask, and takes no more messages now",
      `Read it with GetTask: answer when it asks, else send a new message with contextId ${contextId}.`,
    );
  }
  if (mailbox.waiting() < MAX_WAITING_PER_TASK) return;
  throw new A2aError("BUSY", `${mailbox.waiting()} messages already wait for the next step of task ${record.id}`, {
    hint: "Wait until the task has taken them, or cancel it.",
    metadata: { waiting: String(mailbox.waiting()) },
    retryAfterSec: RETRY_AFTER_SEC,
  });
}
