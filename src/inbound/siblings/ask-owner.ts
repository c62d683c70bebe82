// Owns getting something done about a task by whoever has it: here, or by the session of the agent folder that does. When that one is
// lost on the way, the task is looked for once more: it may have died, and then its tasks are here.

import type { Principal } from "../../core/ports.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import type { Task } from "../../core/protocol/types.ts";
import type { SharedDeps } from "./shared-deps.ts";
import { isLost } from "./sibling-client.ts";
import type { Elsewhere } from "./task-places.ts";

export interface OwnersWork<T> {
  /** Of A2A 1.0. May be asked for twice. */
  readonly method: string;
  readonly params: object;
  readonly here: () => Promise<T>;
  /** For a task that has ended elsewhere; absent: its session is asked all the same. */
  readonly ended?: (task: Task) => T;
  readonly read: (result: unknown) => T | Promise<T>;
}

export async function askOwner<T>(
  deps: Pick<SharedDeps, "places" | "client">,
  caller: Principal,
  taskId: string,
  work: OwnersWork<T>,
): Promise<T> {
  const place = await deps.places.find(caller, taskId);
  if (place === "here") return work.here();
  const answer = await askAt(deps, place, caller, work);
  if (answer !== undefined) return answer.value;
  const next = await deps.places.find(caller, taskId);
  if (next === "here") return work.here();
  const second = await askAt(deps, next, caller, work);
  if (second !== undefined) return second.value;
  throw next.unreached();
}

/** undefined when the session that has the task could not be asked. */
async function askAt<T>(
  { client }: Pick<SharedDeps, "client">,
  { task, door, unreached }: Elsewhere,
  caller: Principal,
  work: OwnersWork<T>,
): Promise<{ readonly value: T } | undefined> {
  if (work.ended !== undefined && isTerminal(task.status.state)) return { value: work.ended(task) };
  if (door === undefined) throw unreached();
  const { method, params } = work;
  try {
    const result = await client.call({ door, caller, method, params, signal: new AbortController().signal });
    return { value: await work.read(result) };
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}
