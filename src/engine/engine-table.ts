// Owns several engines of one process as one: after a reload new work goes to the newest, while the tasks of the ones before it
// stay readable, cancelable and answerable where they are, and run to their end. Then the newest takes them over.

import type { Principal } from "../core/ports.ts";
import { positionOf } from "../core/protocol/page-token.ts";
import type { Engine, EngineStats, Submission, SubmitRequest, TaskPage } from "./engine-types.ts";
import { compare } from "./ordered-tasks.ts";

export interface EngineTable extends Engine {
  /**
   * Lets go of an older engine: `move` brings its tasks to the newest. Until then they are read where they were, and what would change
   * them, or sees some on both sides, waits. When `move` rejects, so does this, and the engine stays.
   */
  retire(older: Engine, move: () => Promise<void>): Promise<void>;
}

interface Table {
  readonly newest: Engine;
  older: readonly Engine[];
  moving: { readonly from: Engine; readonly done: Promise<void> } | undefined;
  /** What those did that were let go. */
  past: Pick<EngineStats, "completed" | "failed">;
}

/** `older` in any order; each may be a table itself. `observe` hears the newest only: the others have their own listeners. */
export function createEngineTable(newest: Engine, older: readonly Engine[]): EngineTable {
  const table: Table = { newest, older, moving: undefined, past: { completed: 0, failed: 0 } };
  const all = (): readonly Engine[] => [newest, ...table.older];
  const having = (owner: Principal, taskId: string): Engine =>
    table.older.find((engine) => engine.has(owner, taskId)) ?? newest;
  /** The one that has the task when nothing moves. */
  const resting = async (owner: Principal, taskId: string): Promise<Engine> => {
    await table.moving?.done;
    return having(owner, taskId);
  };
  return {
    async submit(request) {
      const { taskId, contextId } = request.message;
      if (taskId !== undefined) return (await resting(request.caller, taskId)).submit(request);
      // Its context may be on its way.
      if (contextId !== undefined) await table.moving?.done;
      return newest.submit(request);
    },
    resend: (request) => resend(table, request),
    json: (owner, taskId) => having(owner, taskId).json(owner, taskId),
    has: (owner, taskId) => all().some((engine) => engine.has(owner, taskId)),
    get: async (owner, taskId) => having(owner, taskId).get(owner, taskId),
    async list(owner, query) {
      await table.moving?.done;
      const pages = await Promise.all(all().map((engine) => engine.list(owner, query)));
      return mergePages(pages, query.limit);
    },
    cancel: async (owner, taskId) => (await resting(owner, taskId)).cancel(owner, taskId),
    subscribe: async (owner, taskId) => (await resting(owner, taskId)).subscribe(owner, taskId),
    settled: async (owner, taskId, signal) => (await resting(owner, taskId)).settled(owner, taskId, signal),
    recover: (tasks, trace) => newest.recover(tasks, trace),
    push: {
      set: async (owner, taskId, target) => (await resting(owner, taskId)).push.set(owner, taskId, target),
      get: async (owner, taskId, id) => (await resting(owner, taskId)).push.get(owner, taskId, id),
      list: async (owner, taskId) => (await resting(owner, taskId)).push.list(owner, taskId),
      delete: async (owner, taskId, id) => (await resting(owner, taskId)).push.delete(owner, taskId, id),
      told: (config, at) =>
        (all().find((engine) => engine.push.of(config.taskId) !== undefined) ?? newest).push.told(config, at),
      untold: async () => (await Promise.all(all().map((engine) => engine.push.untold()))).flat(),
      of: (taskId) =>
        all()
          .map((engine) => engine.push.of(taskId))
          .find((configs) => configs !== undefined),
    },
    observe: (listener) => newest.observe(listener),
    running: () => all().flatMap((engine) => engine.running()),
    stats: () =>
      withPast(
        all()
          .map((engine) => engine.stats())
          .reduce(add),
        table.past,
      ),
    isQuiet: () => table.moving === undefined && all().every((engine) => engine.isQuiet()),
    retire: (engine, move) => retire(table, engine, move),
    async stop(reason) {
      await table.moving?.done;
      await Promise.all(all().map((engine) => engine.stop(reason)));
    },
  };
}

async function retire(table: Table, from: Engine, move: () => Promise<void>): Promise<void> {
  const { completed, failed } = from.stats();
  const moved = move().then(() => {
    table.older = table.older.filter((engine) => engine !== from);
    table.past = { completed: table.past.completed + completed, failed: table.past.failed + failed };
  });
  const moving = { from, done: moved.catch(() => undefined) };
  table.moving = moving;
  await moving.done;
  if (table.moving === moving) table.moving = undefined;
  await moved;
}

function resend({ newest, older, moving }: Table, request: SubmitRequest): Promise<Submission> | undefined {
  for (const engine of [newest, ...older]) {
    const submission = engine.resend(request);
    if (submission === undefined) continue;
    return moving === undefined || engine !== moving.from ? submission : afterMove(submission, newest, request, moving);
  }
  return undefined;
}

/** Whoever has the task in the end has to hear how the response ended. */
async function afterMove(
  known: Promise<Submission>,
  newest: Engine,
  request: SubmitRequest,
  { done }: NonNullable<Table["moving"]>,
): Promise<Submission> {
  const before = await known;
  await done;
  const submission = newest.resend(request);
  if (submission === undefined) return before;
  before.subscription.close();
  return submission;
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

function withPast(stats: EngineStats, { completed, failed }: Table["past"]): EngineStats {
  return { ...stats, completed: stats.completed + completed, failed: stats.failed + failed };
}
