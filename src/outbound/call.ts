// One call in flight: what it needs and what it has received. Made by ./send.ts and ./status.ts, used by everything they use.

import type { CallLimit } from "./call-limit.ts";
import type { CallResult } from "./client-types.ts";
import type { Endpoint, OutboundDeps } from "./outbound-deps.ts";
import type { ProgressReport } from "./progress.ts";
import type { ReplyFold } from "./reply.ts";

export interface Call {
  readonly deps: OutboundDeps;
  readonly endpoint: Endpoint;
  readonly limit: CallLimit;
  readonly reply: ReplyFold;
  readonly progress: ProgressReport;
}

/** Folds what came into the reply and tells the caller. */
export function receive(call: Call, response: Parameters<ReplyFold["add"]>[0]): void {
  call.reply.add(response);
  call.progress.update(call.reply.stand());
}

/** The result as of now; a call that has heard nothing of its task counts as at work. */
export function resultOfCall(call: Call, detached: boolean): CallResult {
  const { taskId, contextId, state = "TASK_STATE_WORKING", timestamp } = call.reply.stand();
  return {
    peer: call.endpoint.peer,
    state,
    text: call.reply.text(),
    attachments: call.reply.attachments(),
    detached: detached && !call.reply.settled(),
    ...(taskId === undefined ? {} : { taskId }),
    ...(contextId === undefined ? {} : { contextId }),
    ...(timestamp === undefined ? {} : { timestamp }),
  };
}
