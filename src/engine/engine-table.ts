// Owns several engines of one process as one: after a reload new work goes to the newest, while the tasks of the ones before it
// stay readable, cancelable and answerable where they are, and run to their end.

import type { Principal } from "../core/ports.ts";
import { positionOf } from "../core/protocol/page-token.ts";
import type { Engine, EngineStats, TaskPage } from "./engine-types.ts";
import { compare } from "./ordered-tasks.ts";

/** `older` in any order; each may be a table itself. `observe` hears the newest only: the others have their own listeners. */
export function createEngineTable(newest: Engine, older: readonly Engine[]): Engine {
  const all = [newest, ...older];
  const having = (owner: Principal, taskId: string): Engine =>
    older.find((engine) => engine.has(owner, taskId)) ?? newest;
  return {
    async submit(request) {
      const { taskId } = request.message;
      return (taskId === undefined ? newest : having(request.caller, taskId)).submit(request);
    },
    resend(request) {
      for (const engine of all) {
        const submission = engine.resend(request);
        if (submission !== undefined) return submission;
      }
      return undefined;
    },
    json: (owner, taskId) => having(owner, taskId).json(owner, taskId),
    has: (owner, taskId) => all.some((engine) => engine.has(owner, taskId)),
    get: async (owner, taskId) => having(owner, taskId).get(owner, taskId),
    async list(owner, query) {
      const pages = await Promise.all(all.map((engine) => engine.list(owner, query)));
      return mergePages(pages, query.limit);
    },
    cancel: async (owner, taskId) => having(owner, taskId).cancel(owner, taskId),
    subscribe: async (owner, taskId) => having(owner, taskId).subscribe(owner, taskId),
    settled: async (owner, taskId, signal) => having(owner, taskId).settled(owner, taskId, signal),
    recover: (tasks, trace) => newest.recover(tasks, trace),
    push: {
      set: async (owner, taskId, target) => having(owner, taskId).push.set(owner, taskId, target),
      get: async (owner, taskId, id) => having(owner, taskId).push.get(owner, taskId, id),
      list: async (owner, taskId) => having(owner, taskId).push.list(owner, taskId),
      delete: async (owner, taskId, id) => having(owner, taskId).push.delete(owner, taskId, id),
      told: (config, at) =>
        (all.find((engine) => engine.push.of(config.taskId) !== undefined) ?? newest).push.told(config, at),
      untold: async () => (await Promise.all(all.map((engine) => engine.push.untold()))).flat(),
      of: (taskId) => all.map((engine) => engine.push.of(taskId)).find((configs) => configs !== undefined),
    },
    observe: (listener) => newest.observe(listener),
    running: () => all.flatMap((engine) => engine.running()),
    stats: () => all.map((engine) => engine.stats()).reduce(add),
    async stop(reason) {
      await Promise.all(all.map((engine) => engine.stop(reason)));
    },
  };
}

/** Each page holds as many as asked for, so the first of them all together are the first of all engines. */
export function mergePages(pages: readonly TaskPage[], limit: number): TaskPage {
  const tasks = pages.flatMap((page) => page.tasks).sort((a, b) => compare(positionOf(b), positionOf(a)));
  return {
    tasks: tasks.slice(0, limit),
    total: pages.reduce((sum, page) => sum + page.total, 0),
    more: tasks.length > limit || pages.some((page) => page.more),
  };
}

/** Slots are those of the newest engine; the ones before it take nothing new. */
function add(newest: EngineStats, older: EngineStats): EngineStats {
  return {
    maxConcurrent: newest.maxConcurrent,
    running: newest.running + older.running,
    waiting: newest.waiting + older.waiting,
    tasks: newest.tasks + older.tasks,
    completed: newest.completed + older.completed,
    failed: newest.failed + older.failed,
  };
}
