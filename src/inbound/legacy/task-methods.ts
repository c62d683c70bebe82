// tasks/get, list, cancel, subscribe and resubscribe in both older dialects.

import { isA2aError } from "../../core/platform/errors.ts";
import { modernListParams, modernTaskParams } from "../../core/protocol/decode-legacy-params.ts";
import { decodeListTasksParams } from "../../core/protocol/decode-list-params.ts";
import { decodeCancelTaskParams, decodeGetTaskParams, decodeTaskIdParams } from "../../core/protocol/decode-params.ts";
import { encodeTask, type TaskOptions } from "../../core/protocol/encode.ts";
import { encodeV03Task } from "../../core/protocol/encode-v03-task.ts";
import { isTerminal, stateLabel } from "../../core/protocol/task-state.ts";
import type { JsonObject, LegacyDialect, Task, TaskIdParams, TaskList } from "../../core/protocol/types.ts";
import { type CallContext, type Method, streamingOffered } from "../rpc-method.ts";
import type { TaskStream } from "../task-stream.ts";
import type { WireVersion } from "../version.ts";
import { dialectOfTask } from "./dialect.ts";
import { streamIn } from "./legacy-stream.ts";

/** Ids and states alone, and as many as there may be: older callers expect to see all. */
const LIST_SIZE = 100;

export const TASK_METHODS: Readonly<Record<string, Method>> = {
  "tasks/get": {
    kind: "reply",
    async run({ operations, caller }, params, spoken) {
      const decoded = decodeGetTaskParams(modernTaskParams(params));
      return encodeIn(spoken, await operations.getTask(caller, decoded), decoded);
    },
  },
  "tasks/list": {
    kind: "reply",
    async run({ operations, caller }, params, spoken) {
      const decoded = { pageSize: LIST_SIZE, ...decodeListTasksParams(modernListParams(params)) };
      return encodeStubs(await operations.listTasks(caller, decoded), spoken);
    },
  },
  "tasks/cancel": {
    kind: "reply",
    async run({ operations, caller }, params, spoken) {
      const decoded = decodeCancelTaskParams(modernTaskParams(params));
      return encodeIn(spoken, await operations.cancelTask(caller, decoded));
    },
  },
  "tasks/subscribe": follower("pi"),
  "tasks/resubscribe": follower("0.3"),
};

function encodeIn(spoken: WireVersion | undefined, task: Task, options?: TaskOptions): JsonObject {
  return dialectOfTask(task, spoken) === "0.3" ? encodeV03Task(task, options) : encodeTask(task, options);
}

/** The token stands there only when there is more, for callers that know of it. */
function encodeStubs({ tasks, nextPageToken }: TaskList, spoken: WireVersion | undefined): JsonObject {
  const stubs = tasks.map(({ id, status: { state } }) => ({ id, state: spoken === "0.3" ? stateLabel(state) : state }));
  return nextPageToken === "" ? { tasks: stubs } : { tasks: stubs, nextPageToken };
}

function follower(named: LegacyDialect): Method {
  return {
    kind: "stream",
    requires: [streamingOffered],
    // Before the task is found, the name alone tells the dialect.
    errorsAsEvents: (_params, spoken) => spoken === "0.3" || named === "0.3",
    async open(context, params, spoken) {
      const decoded = decodeTaskIdParams(modernTaskParams(params));
      const task = await context.operations.getTask(context.caller, decoded);
      return streamIn(dialectOfTask(task, spoken, named), await follow(context, decoded, task), context);
    },
  };
}

/** An ended task is told in one frame, where 1.0 refuses to subscribe. */
async function follow({ operations, caller }: CallContext, params: TaskIdParams, task: Task): Promise<TaskStream> {
  if (isTerminal(task.status.state)) return snapshotOf(task);
  try {
    return await operations.subscribeToTask(caller, params);
  } catch (error) {
    // It has ended in this moment.
    if (!isA2aError(error, "UNSUPPORTED_OPERATION")) throw error;
    return snapshotOf(await operations.getTask(caller, params));
  }
}

function snapshotOf(task: Task): TaskStream {
  let left: Task | undefined = task;
  return {
    async next() {
      const frame = left === undefined ? undefined : { task: left };
      left = undefined;
      return frame;
    },
    close: () => undefined,
  };
}
