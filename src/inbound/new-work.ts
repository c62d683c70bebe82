// Owns what is decided about a message before the engine takes it: the chain that it came by. A message that is refused here
// still becomes a task, a REJECTED one that says why, so that the agent which sent it can read it.

import { arrivedChain } from "../core/protocol/chain.ts";
import type { TraceContext } from "../core/protocol/trace-context.ts";
import type { Engine, Submission, SubmitRequest } from "../engine/engine-types.ts";
import type { CallerLimits } from "./server-types.ts";

export interface NewWork {
  /** Hands the message to the engine, as work to do or as refused. Throws what the engine throws. */
  submit(request: SubmitRequest, trace: TraceContext): Promise<Submission>;
}

export function createNewWork(engine: Engine, limits: () => CallerLimits): NewWork {
  return {
    submit: (request, trace) => engine.submit({ ...request, ...arrivedChain(request.message, trace, limits().chain) }),
  };
}
