// Owns what is decided about a message before the engine takes it: the chain that it came by. A message that is refused here
// still becomes a task, a REJECTED one that says why, so that the agent which sent it can read it.

import { arrivedChain } from "../core/protocol/chain.ts";
import type { Engine, Submission, SubmitRequest } from "../engine/engine-types.ts";
import type { Arrival, AuditTrail } from "./audit-trail.ts";
import type { CallerLimits } from "./server-types.ts";

export interface NewWork {
  /** Hands the message to the engine, as work to do or as refused. Throws what the engine throws. */
  submit(request: SubmitRequest, arrival: Arrival): Promise<Submission>;
}

/** `accepted` hears of each message that the engine has taken. */
export function createNewWork(
  engine: Engine,
  limits: () => CallerLimits,
  accepted: AuditTrail["accepted"] = () => undefined,
): NewWork {
  return {
    async submit(request, arrival) {
      const { method: _method, bytes: _bytes, ...trace } = arrival;
      const submission = await engine.submit({ ...request, ...arrivedChain(request.message, trace, limits().chain) });
      accepted(request, arrival, submission);
      return submission;
    },
  };
}
