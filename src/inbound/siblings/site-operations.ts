// Owns which operations a request meets: callers meet those that reach the other servers of the agent folder, and these servers meet
// the ones that end here. So nothing that was handed on is handed on again.

import { createSiblingGate, type SiblingGate } from "../admission/sibling-gate.ts";
import type { NewWork } from "../new-work.ts";
import { createOperations, type Operations } from "../operations.ts";
import type { PushRules } from "../push/push-operations.ts";
import type { HandlerDeps } from "../server-types.ts";
import { createStreamSlots } from "../stream-slots.ts";
import { createSharedOperations } from "./shared-operations.ts";
import { createSiblingClient } from "./sibling-client.ts";
import { createTaskPlaces } from "./task-places.ts";

export interface SiteOperations {
  readonly forCallers: Operations;
  /** For other servers; what is just being taken over is there when it resolves. */
  readonly forSiblings: () => Promise<Operations>;
  readonly gate: SiblingGate;
}

export function createSiteOperations(deps: HandlerDeps, newWork: NewWork, pushRules: PushRules): SiteOperations {
  const { engine, clock, siblings: access } = deps;
  const streams = createStreamSlots();
  const local = createOperations(engine, streams, newWork, pushRules);
  if (access === undefined) return { forCallers: local, forSiblings: async () => local, gate: () => undefined };
  const { siblings, http, pollMs, secrets } = access;
  const places = createTaskPlaces(engine, siblings);
  const shared = { engine, siblings, places, client: createSiblingClient(http), clock, pollMs };
  // Streams were counted where the caller is.
  const own = createOperations(engine, createStreamSlots(Number.POSITIVE_INFINITY), newWork, pushRules);
  return {
    forCallers: createSharedOperations(shared, local, streams),
    async forSiblings() {
      await siblings.idle();
      return own;
    },
    gate: createSiblingGate(secrets),
  };
}
