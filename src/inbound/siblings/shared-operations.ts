// Owns the operations of a server that answers for the other servers of its agent folder as well: what is not its own is looked for
// there, for the same owner only. A task that nobody has, or somebody else's, is told of exactly as before.

import { isA2aError } from "../../core/platform/errors.ts";
import type { Principal } from "../../core/ports.ts";
import type { Task } from "../../core/protocol/types.ts";
import { mergePages } from "../../engine/engine-table.ts";
import type { Engine, TaskPage } from "../../engine/engine-types.ts";
import type { Siblings } from "../../engine/siblings/siblings.ts";
import type { ListQuery } from "../../engine/task-index.ts";
import { listTasks } from "../list-tasks.ts";
import type { Operations } from "../operations.ts";

export interface SharedDeps {
  readonly engine: Engine;
  readonly local: Operations;
  readonly siblings: Siblings;
}

export function createSharedOperations(deps: SharedDeps): Operations {
  const { local } = deps;
  return {
    ...local,
    getTask: (caller, { id }) => getTask(deps, caller, id),
    listTasks: (caller, params) => listTasks({ list: (owner, query) => listAll(deps, owner, query) }, caller, params),
  };
}

async function getTask({ engine, siblings }: SharedDeps, caller: Principal, id: string): Promise<Task> {
  try {
    return await engine.get(caller, id);
  } catch (error) {
    if (!isA2aError(error, "TASK_NOT_FOUND")) throw error;
    const found = await siblings.find(caller, id);
    // It may have been taken over meanwhile.
    return found === undefined ? engine.get(caller, id) : found.task;
  }
}

/** A task that is being taken over stands on both sides for a moment, so that a list made then is made again. */
async function listAll({ engine, siblings }: SharedDeps, owner: Principal, query: ListQuery): Promise<TaskPage> {
  for (;;) {
    const before = siblings.takeOvers;
    const theirs = await siblings.page(owner, query);
    const page = mergePages([await engine.list(owner, query), theirs], query.limit);
    if (siblings.takeOvers === before) return page;
  }
}
