// Owns where a task is that somebody asks for: in this process, at another session of the agent folder that can be asked, or at one
// that cannot. Takes over what a dead one has left.

import { A2aError } from "../../core/platform/errors.ts";
import type { Principal } from "../../core/ports.ts";
import type { Task } from "../../core/protocol/types.ts";
import type { Engine } from "../../engine/engine-types.ts";
import type { Home } from "../../engine/siblings/sibling-homes.ts";
import type { Siblings } from "../../engine/siblings/siblings.ts";
import type { Door } from "./sibling-client.ts";

/** A task of another session, as it is in its files. */
export interface Elsewhere {
  readonly task: Task;
  /** Of the session that has it. */
  readonly key: string;
  /** Where it can be asked; undefined while it cannot. */
  readonly door: Door | undefined;
  /** What callers are told who want something that only that session can do. */
  readonly unreached: () => A2aError;
}

export type TaskPlace = "here" | Elsewhere;

export interface TaskPlaces {
  /** "here" also for a task that nobody has, or somebody else: the engine tells of it as ever. */
  find(caller: Principal, taskId: string): Promise<TaskPlace>;
}

const RETRY_AFTER_SEC = 5;

export function createTaskPlaces(engine: Pick<Engine, "has">, siblings: Siblings): TaskPlaces {
  const find = async (caller: Principal, taskId: string, mayTakeOver: boolean): Promise<TaskPlace> => {
    if (engine.has(caller, taskId)) return "here";
    const found = await siblings.find(caller, taskId);
    if (found === undefined) return "here";
    if (found.home !== "dead") return elsewhere(taskId, found.task, found.home);
    if (!mayTakeOver) return elsewhere(taskId, found.task, { key: "", pid: undefined, door: undefined });
    await siblings.takeOver();
    return await find(caller, taskId, false);
  };
  return { find: (caller, taskId) => find(caller, taskId, true) };
}

function elsewhere(taskId: string, task: Task, { key, pid, door }: Home): Elsewhere {
  const who = pid === undefined ? "another session" : `another session (process ${pid})`;
  const message = `task ${taskId} is held by ${who} of the same agent folder, which cannot be reached from here at the moment; send the request to that session, or try again in a few seconds`;
  return {
    task,
    key,
    door,
    unreached: () =>
      new A2aError("BUSY", message, { hint: "Ask that session itself.", retryAfterSec: RETRY_AFTER_SEC }),
  };
}
