// Owns conversations that go on at another session of the agent folder than the one where they were: a new message is told which task
// of its context ran last elsewhere.

import type { Engine } from "../../engine/engine-types.ts";
import type { Siblings } from "../../engine/siblings/siblings.ts";

/** The same engine, with that told. */
export function withSharedContexts(engine: Engine, siblings: Pick<Siblings, "lastOf">): Engine {
  return {
    ...engine,
    async submit(request) {
      const { taskId, contextId } = request.message;
      if (taskId !== undefined || contextId === undefined || request.refused !== undefined)
        return engine.submit(request);
      const previous = await siblings.lastOf(request.caller, contextId);
      return engine.submit(previous === undefined ? request : { ...request, previous });
    },
  };
}
