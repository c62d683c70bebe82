// Owns what is decided about a message before the engine takes it: the chain that it came by, and whether its context has turns
// left. A message that is refused here still becomes a task, a REJECTED one that says why, so that the agent which sent it can
// read it. One that came before is not decided about again: it leads to the task of the first, and is no turn.

import { changed } from "../core/platform/changed.ts";
import type { Clock } from "../core/platform/clock.ts";
import { arrivedChain } from "../core/protocol/chain.ts";
import type { Engine, Submission, SubmitRequest } from "../engine/engine-types.ts";
import type { Arrival, AuditTrail } from "./audit-trail.ts";
import { createTurnCap, type TurnCap } from "./limits/turn-cap.ts";
import type { CallerLimits } from "./server-types.ts";

const SILENT: Pick<AuditTrail, "accepted" | "cameAgain"> = { accepted: () => undefined, cameAgain: () => undefined };

export interface NewWork {
  /** Hands the message to the engine, as work to do or as refused. Throws what the engine throws. */
  submit(request: SubmitRequest, arrival: Arrival): Promise<Submission>;
}

/** `trail` hears of each message that the engine has taken. */
export function createNewWork(
  engine: Engine,
  clock: Clock,
  limits: () => CallerLimits,
  trail: Pick<AuditTrail, "accepted" | "cameAgain"> = SILENT,
): NewWork {
  const turns = createTurnCap(clock, () => limits().maxTurns);
  return {
    async submit(request, arrival) {
      const known = engine.resend(request);
      if (known !== undefined) {
        const submission = await known;
        trail.cameAgain(request, arrival, submission);
        return reported(submission, arrival);
      }
      const { traceparent, tracestate } = arrival;
      const trace = tracestate === undefined ? { traceparent } : { traceparent, tracestate };
      const { message } = request;
      const arrived = changed(request, arrivedChain(message, trace, limits().chain));
      // An answer goes on with a turn that was counted.
      const isTurn = message.taskId === undefined && arrived.refused === undefined;
      const submission = await (isTurn ? submitTurn(engine, turns, arrived) : engine.submit(arrived));
      trail.accepted(request, arrival, submission);
      return reported(submission, arrival);
    },
  };
}

/** The engine hears what the caller gets of the response. Where nothing can be lost, all of it. */
function reported(submission: Submission, { onReplied }: Arrival): Submission {
  const { replied } = submission;
  if (replied !== undefined) (onReplied ?? ((tell) => tell("reply")))(replied);
  return submission;
}

/** Only a message that the engine takes is a turn. */
async function submitTurn(engine: Engine, turns: TurnCap, request: SubmitRequest): Promise<Submission> {
  const owner = request.caller.key;
  const { contextId } = request.message;
  if (contextId === undefined) {
    const submission = await engine.submit(request);
    turns.take(owner, submission.contextId);
    return submission;
  }
  const turn = turns.take(owner, contextId);
  if ("refused" in turn) return engine.submit(changed(request, turn));
  try {
    return await engine.submit(request);
  } catch (error) {
    turn.undo();
    throw error;
  }
}
