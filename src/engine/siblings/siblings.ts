// Owns the tasks of the other servers of the same agent folder, as this one sees them: read on demand, shown to their owner only, and
// taken over when their server is found dead. No watcher, no timer: without a question nothing happens.

import type { Principal } from "../../core/ports.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import type { Task } from "../../core/protocol/types.ts";
import { createBodyReader } from "../body-reader.ts";
import type { LastRun } from "../context-queue.ts";
import type { TaskPage } from "../engine-types.ts";
import type { TaskStore } from "../event-sink.ts";
import type { Journal } from "../journal/journal.ts";
import type { JournalName } from "../journal/journal-names.ts";
import type { RecoveredTasks } from "../recovered-tasks.ts";
import type { ListQuery } from "../task-index.ts";
import { createSiblingBook, type Entry, type SiblingBook } from "./sibling-book.ts";
import { createSiblingFiles, type SiblingFiles, type SiblingFilesDeps } from "./sibling-files.ts";
import { type Home, type HomesDeps, homeOf } from "./sibling-homes.ts";

export interface SiblingTask {
  readonly task: Task;
  /** "dead" for a task that has ended with its server, and where nothing can be taken over. */
  readonly home: Home | "dead";
}

export interface Siblings {
  /**
   * The task of this owner at another server; undefined when no other has it, also because it has been taken over just now. Never
   * rejects for what cannot be read.
   */
  find(owner: Principal, taskId: string): Promise<SiblingTask | undefined>;
  /** The tasks of this owner at other servers, newest status first. */
  page(owner: Principal, query: ListQuery): Promise<TaskPage>;
  /** The task of this context whose run began last, of those that have ended at other servers. */
  lastOf(owner: Principal, contextId: string): Promise<LastRun | undefined>;
  /** Takes over what dead servers have left, also what has ended. */
  takeOver(): Promise<void>;
  /** Resolves when nothing is being read or taken over. */
  idle(): Promise<void>;
  /** Grows with the beginning and the end of each take-over, which moves tasks from here to the engine of this server. */
  readonly takeOvers: number;
  /** Looks at nothing any more; resolves when nothing is under way. */
  close(): Promise<void>;
}

export interface SiblingsDeps extends SiblingFilesDeps, HomesDeps {
  readonly journal: Pick<Journal, "read" | "keys" | "adopt">;
  /** Keys of further journals of this process. */
  readonly others: () => ReadonlySet<string>;
  /** Gives the engine what was taken over. */
  readonly take: (tasks: RecoveredTasks) => Promise<void>;
  /** Milliseconds for which ended tasks are shown; 0 = no limit. */
  readonly retentionMs: () => number;
}

const MOST_LOOKS = 3;
/** Tasks of a context that are looked at for the one that ran last. */
const MOST_OF_CONTEXT = 50;

interface State extends SiblingsDeps {
  readonly book: SiblingBook;
  readonly reader: SiblingFiles;
  names: readonly JournalName[];
  takeOvers: number;
  closed: boolean;
}

export function createSiblings(deps: SiblingsDeps): Siblings {
  const book = createSiblingBook();
  const state: State = {
    ...deps,
    book,
    reader: createSiblingFiles(deps, book),
    names: [],
    takeOvers: 0,
    closed: false,
  };
  const noStore = { forget: () => undefined, mark: () => undefined, locate: () => undefined, tidy: () => undefined };
  const turns = createTurns((all) => look(state, all));
  /** Its file may have been made smaller since: then it stands in another one. */
  const read: TaskStore["read"] = async (taskId, body) => {
    for (let looks = 1; ; looks++) {
      try {
        return await deps.journal.read(taskId, body);
      } catch (error) {
        if (looks === MOST_LOOKS || book.get(taskId) === undefined) throw error;
        await turns.next(false);
      }
    }
  };
  const bodies = createBodyReader(deps.log, { ...noStore, read });
  const whole = (entry: Entry): Task | Promise<Task> => (entry.kind === "open" ? entry.task : bodies.read(entry.task));
  return {
    async find(owner, taskId) {
      for (let looks = 1; ; looks++) {
        await turns.next(false);
        const entry = book.find(owner.key, taskId);
        if (entry === undefined || isOver(state, entry)) return undefined;
        const home = await homeOf(state, state.names, entry.key);
        // Perhaps somebody was taking it over in that moment.
        if (entry.kind === "open" && home === "dead" && looks < MOST_LOOKS) continue;
        const task = await whole(entry);
        // Let go, or taken over, while it was read.
        if (book.get(taskId) === undefined && looks < MOST_LOOKS) continue;
        return { task, home };
      }
    },
    async page(owner, query) {
      await turns.next(false);
      const { entries, total, more } = book.page(owner.key, withinRetention(state, query));
      const found = entries.flatMap(({ id }) => book.get(id) ?? []);
      return { tasks: await Promise.all(found.map(whole)), total, more };
    },
    async lastOf(owner, contextId) {
      await turns.next(false);
      const { entries } = book.page(owner.key, { contextId, limit: MOST_OF_CONTEXT });
      let last: LastRun | undefined;
      for (const { id } of entries) {
        const entry = book.get(id);
        const ranAt = entry?.kind === "ended" ? entry.ranAt : undefined;
        if (ranAt !== undefined && ranAt > (last?.ranAt ?? -1)) last = { taskId: id, ranAt };
      }
      return last;
    },
    takeOver: () => turns.next(true),
    idle: turns.idle,
    get takeOvers() {
      return state.takeOvers;
    },
    async close() {
      state.closed = true;
      await turns.idle();
      await state.reader.close();
    },
  };
}

interface Turns {
  /** Resolves after a look that began after this call; `all` asks for a take-over of ended tasks too. */
  next(all: boolean): Promise<void>;
  /** Resolves when nobody looks. */
  idle(): Promise<void>;
}

interface Waiting {
  all: boolean;
  done: Promise<void>;
}

/** One look at a time; those who ask during one share the one after it. */
function createTurns(look: (all: boolean) => Promise<void>): Turns {
  let running: Promise<void> | undefined;
  let waiting: Waiting | undefined;
  const run = (all: boolean): Promise<void> => {
    running = look(all).finally(() => {
      running = undefined;
    });
    return running;
  };
  const queue = (after: Promise<void>): Waiting => {
    const mine: Waiting = { all: false, done: Promise.resolve() };
    mine.done = after.then(() => {
      waiting = undefined;
      return run(mine.all);
    });
    return mine;
  };
  return {
    next(all) {
      if (running === undefined && waiting === undefined) return run(all);
      waiting ??= queue(running ?? Promise.resolve());
      waiting.all ||= all;
      return waiting.done;
    },
    async idle() {
      while (running !== undefined || waiting !== undefined) await (waiting?.done ?? running);
    },
  };
}

/** Never rejects: what cannot be read now is not there now. */
async function look(state: State, all: boolean): Promise<void> {
  if (state.closed) return;
  try {
    await read(state);
    if (all || (await hasOrphans(state))) await takeOver(state);
  } catch (error) {
    state.log.fault("reading the tasks of other sessions", error);
  }
}

async function read(state: State): Promise<void> {
  state.names = await state.reader.read(new Set([...state.journal.keys(), ...state.others()]));
  state.book.settle();
}

/** Whether there are tasks that have not ended and never will where they are. */
async function hasOrphans(state: State): Promise<boolean> {
  for (const key of state.book.openKeys()) if ((await homeOf(state, state.names, key)) === "dead") return true;
  return false;
}

async function takeOver(state: State): Promise<void> {
  const take = (tasks: RecoveredTasks): Promise<void> => {
    state.takeOvers += 1;
    return state.take(tasks);
  };
  if (!(await state.journal.adopt(take))) return;
  await read(state);
  state.takeOvers += 1;
}

/** Older than what is kept, although its line is still there. */
function isOver({ clock, retentionMs }: State, entry: Entry): boolean {
  const ms = retentionMs();
  return entry.kind === "ended" && ms > 0 && entry.task.at < clock.now() - ms;
}

/** Tasks that run, wait or ask are never let go, so they stay whatever their age. */
function withinRetention({ clock, retentionMs }: State, query: ListQuery): ListQuery {
  const ms = retentionMs();
  const open = query.state !== undefined && !isTerminal(query.state);
  if (ms <= 0 || open) return query;
  return { ...query, since: Math.max(query.since ?? 0, clock.now() - ms) };
}
