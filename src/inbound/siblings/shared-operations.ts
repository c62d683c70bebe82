// Owns the operations of a server that answers for the other servers of its agent folder as well: what is not its own is looked for
// there, for the same owner only. A task that nobody has, or somebody else's, is told of exactly as before.

import { isA2aError } from "../../core/platform/errors.ts";
import type { Principal } from "../../core/ports.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import type { Task } from "../../core/protocol/types.ts";
import { notCancelable, notFollowed } from "../../engine/ended-task.ts";
import { mergePages } from "../../engine/engine-table.ts";
import type { TaskPage } from "../../engine/engine-types.ts";
import type { ListQuery } from "../../engine/task-index.ts";
import { listTasks } from "../list-tasks.ts";
import type { Operations } from "../operations.ts";
import type { StreamSlots } from "../stream-slots.ts";
import type { TaskStream } from "../task-stream.ts";
import { askOwner } from "./ask-owner.ts";
import { followTask } from "./followed-task.ts";
import { sendMessage, sendStreamingMessage } from "./passed-on-message.ts";
import type { SharedDeps } from "./shared-deps.ts";
import { createSharedPush } from "./shared-push.ts";

/** `streams` counts those that are followed elsewhere together with the server's own. */
export function createSharedOperations(deps: SharedDeps, local: Operations, streams: StreamSlots): Operations {
  return {
    sendMessage: (caller, params, arrival, signal) => {
      const { taskId } = params.message;
      if (taskId === undefined) return local.sendMessage(caller, params, arrival, signal);
      return sendMessage(deps, local, { caller, params, arrival, taskId, signal });
    },
    async sendStreamingMessage(caller, params, arrival) {
      const { taskId } = params.message;
      if (taskId === undefined) return local.sendStreamingMessage(caller, params, arrival);
      return sendStreamingMessage(deps, local, { caller, params, arrival, taskId }, streams);
    },
    getTask: (caller, { id }) => getTask(deps, caller, id),
    taskJson: local.taskJson,
    listTasks: (caller, params) => listTasks({ list: (owner, query) => listAll(deps, owner, query) }, caller, params),
    cancelTask: (caller, params) => cancelTask(deps, local, caller, params.id),
    async subscribeToTask(caller, params) {
      const place = await deps.places.find(caller, params.id);
      if (place === "here") return local.subscribeToTask(caller, params);
      const { state } = place.task.status;
      if (isTerminal(state)) throw notFollowed(params.id, state);
      return subscribe(deps, caller, params.id, streams.take(caller.key));
    },
    push: createSharedPush(deps, local.push),
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

function cancelTask(deps: SharedDeps, local: Operations, caller: Principal, id: string): Promise<Task> {
  return askOwner(deps, caller, id, {
    method: "CancelTask",
    params: { id },
    here: () => local.cancelTask(caller, { id }),
    ended(task) {
      if (task.status.state === "TASK_STATE_CANCELED") return task;
      throw notCancelable(id, task.status.state);
    },
    // What its session has stored tells more than what it wrote.
    read: () => getTask(deps, caller, id),
  });
}

async function subscribe(deps: SharedDeps, caller: Principal, id: string, onClose: () => void): Promise<TaskStream> {
  const abort = new AbortController();
  const stream = followTask(deps, { caller, taskId: id, endsAtQuestion: false, onClose, abort });
  // What is wrong is told before the stream begins.
  let first = await stream.next().then((frame) => ({ frame }) as const);
  return {
    async next() {
      const { frame } = first;
      first = { frame: undefined };
      return frame ?? stream.next();
    },
    close: stream.close,
  };
}
