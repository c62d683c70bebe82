// Owns one page of a caller's tasks (A2A 1.0 §3.1.4): from the params to the engine's query, and from its page to the list that is
// written. A page is cut where it would grow too large to read.

import type { Principal } from "../core/ports.ts";
import { newestMessages } from "../core/protocol/encode.ts";
import { encodePageToken, positionOf } from "../core/protocol/page-token.ts";
import type { ListTasksParams, Task, TaskList } from "../core/protocol/types.ts";
import type { Engine } from "../engine/engine-types.ts";
import { taskBytes } from "../engine/task-size.ts";

const DEFAULT_PAGE_SIZE = 50;
/** Approximate; a caller's reader has its own cap, and one stringify must not hold up the session. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

export async function listTasks(
  engine: Pick<Engine, "list">,
  caller: Principal,
  params: ListTasksParams,
): Promise<TaskList> {
  const { contextId, status, pageToken, statusTimestampAfter, pageSize = DEFAULT_PAGE_SIZE } = params;
  const page = await engine.list(caller, {
    limit: pageSize,
    ...(contextId === undefined ? {} : { contextId }),
    ...(status === undefined ? {} : { state: status }),
    ...(statusTimestampAfter === undefined ? {} : { since: statusTimestampAfter }),
    ...(pageToken === undefined ? {} : { after: pageToken }),
  });
  const tasks = fitting(page.tasks, params);
  const last = tasks.at(-1);
  const more = page.more || tasks.length < page.tasks.length;
  const nextPageToken = more && last !== undefined ? encodePageToken(positionOf(last)) : "";
  return { tasks, nextPageToken, pageSize, totalSize: page.total };
}

/** As many as fit one page, and at least one. */
function fitting(tasks: readonly Task[], params: ListTasksParams): readonly Task[] {
  let bytes = 0;
  const end = tasks.findIndex((task, index) => {
    bytes += writtenBytes(task, params);
    return index > 0 && bytes > MAX_PAGE_BYTES;
  });
  return end === -1 ? tasks : tasks.slice(0, end);
}

function writtenBytes(task: Task, { historyLength, includeArtifacts = false }: ListTasksParams): number {
  const history = newestMessages(task.history ?? [], historyLength);
  return taskBytes({ ...task, history, artifacts: includeArtifacts ? (task.artifacts ?? []) : [] });
}
