// Owns the detached tasks of the live session: keeps them on disk, watches them while their session is open in front of a person,
// and tells of each once. What somebody has read with a2a_status or a2a_cancel counts as told. No watch outlives its session.

import type { UiSettings } from "../../core/config/settings.ts";
import type { Clock } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import type { A2aClient, CallResult } from "../../outbound/client-types.ts";
import type { ReplyStore } from "../files/reply-store.ts";
import type { LiveHost } from "../host/live-host.ts";
import { endingLine, endingNote, wakeText } from "../text/dispatched-text.ts";
import type { DispatchFiles } from "./dispatch-files.ts";
import { type DispatchedTask, dispatchKey, mayHaveMoved, type OpenTask } from "./dispatched-task.ts";
import { createIdleWake, type IdleWake } from "./idle-wake.ts";
import { type Ending, isSettled, watchTask } from "./watch-task.ts";

export interface Dispatched {
  /** A session has started: its open tasks are watched. Coming twice changes nothing. */
  resume(): Promise<void>;
  /** The session goes: no task is watched any more. */
  pause(): void;
  /** Takes the result of a call: keeps a detached task, and takes the end of a watched one for told. Never throws. */
  called(agent: string, result: CallResult): Promise<void>;
  /** Asks for a task on behalf of the model or the person, who then know how it ended; nobody else tells meanwhile. */
  asked(agent: string, taskId: string, ask: () => Promise<CallResult>): Promise<CallResult>;
  /** Tasks of all sessions of this agent folder that nobody was told of, oldest first. */
  open(): Promise<readonly OpenTask[]>;
}

/** For sessions without a person, such as children: what they dispatch they ask for themselves. */
export const UNWATCHED: Pick<Dispatched, "called" | "asked" | "open"> = {
  called: async () => undefined,
  asked: (_agent, _taskId, ask) => ask(),
  open: async () => [],
};

export interface DispatchedDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly files: DispatchFiles;
  readonly client: Pick<A2aClient, "status">;
  readonly replies: ReplyStore;
  readonly host: Pick<LiveHost, "sessionKey" | "hasUi" | "isIdle" | "wake" | "note" | "toast">;
  readonly wake: () => UiSettings["wake"];
  readonly longestPauseMs: () => number;
  /** Takes secrets out of a text that goes to disk. */
  readonly redact: (text: string) => string;
}

interface Watch {
  readonly task: DispatchedTask;
  /** As it is on disk; absent when it could not be written, and then nobody else can tell either. */
  readonly stored: DispatchedTask | undefined;
  readonly stop: AbortController;
}

interface State {
  readonly deps: DispatchedDeps;
  /** Of the live session, also those that have ended: a list of the folder read before their end must not start them again. */
  readonly watches: Map<string, Watch>;
  readonly asking: Set<{ readonly taskId: string; readonly done: Promise<void> }>;
  readonly waker: IdleWake;
}

export function createDispatched(deps: DispatchedDeps): Dispatched {
  const waker = createIdleWake(deps.clock, deps.host);
  const state: State = { deps, watches: new Map(), asking: new Set(), waker };
  return {
    async resume() {
      const session = deps.host.sessionKey();
      if (session === undefined || !mayTell(deps)) return;
      const tasks = await deps.files.list();
      // The session may have gone meanwhile.
      if (deps.host.sessionKey() !== session) return;
      for (const task of tasks) if (task.session === session) startWatch(state, task, task);
    },
    pause() {
      for (const { stop } of state.watches.values()) stop.abort();
      state.watches.clear();
      waker.stop();
    },
    async called(agent, result) {
      if (result.detached) await keep(state, agent, result);
      else if (isSettled(result)) await heard(state, agent, result.taskId, result, "watched");
    },
    asked: (agent, taskId, ask) => asked(state, agent, taskId, ask),
    async open() {
      const session = deps.host.sessionKey();
      return (await deps.files.list()).map((task) => ({ ...task, here: task.session === session }));
    },
  };
}

/** In print and JSON mode nobody would see it. */
function mayTell({ host, wake }: DispatchedDeps): boolean {
  return host.hasUi() && wake() !== "off";
}

async function keep(state: State, agent: string, { taskId, contextId, peer }: CallResult): Promise<void> {
  const { deps } = state;
  const session = deps.host.sessionKey();
  if (taskId === undefined || session === undefined) return;
  const context = contextId === undefined ? {} : { contextId };
  const task = { agent: agent.trim(), url: peer.url, taskId, ...context, at: deps.clock.now(), session };
  const stored = await store(deps, { ...task, agent: deps.redact(task.agent), url: deps.redact(task.url) });
  if (deps.host.sessionKey() === session && mayTell(deps)) startWatch(state, task, stored);
}

async function store({ files, log }: DispatchedDeps, task: DispatchedTask): Promise<DispatchedTask | undefined> {
  try {
    await files.save(task);
    return task;
  } catch (error) {
    log.fault("keeping a dispatched task", error);
    return undefined;
  }
}

function startWatch(state: State, task: DispatchedTask, stored: DispatchedTask | undefined): void {
  const key = dispatchKey(task);
  const before = state.watches.get(key);
  // The same dispatch again, from a second session_start; a newer one goes on in its place.
  if (before?.task.at === task.at) return;
  before?.stop.abort();
  const watch: Watch = { task, stored, stop: new AbortController() };
  state.watches.set(key, watch);
  const { deps } = state;
  follow(state, watch).catch((error: unknown) => {
    deps.log.fault("watching a dispatched task", error);
    if (state.watches.get(key) === watch) state.watches.delete(key);
  });
}

async function follow(state: State, watch: Watch): Promise<void> {
  const { signal } = watch.stop;
  const ending = await watchTask(state.deps, watch.task, signal);
  if (ending === undefined) return;
  // Who asks for it now tells it better.
  await Promise.all([...state.asking].filter((one) => one.taskId === watch.task.taskId).map((one) => one.done));
  if (!signal.aborted) await tell(state, watch, ending);
}

async function tell(state: State, watch: Watch, ending: Ending): Promise<void> {
  const { deps } = state;
  const { task } = watch;
  const { signal } = watch.stop;
  const settled =
    ending.kind === "settled" ? { result: ending.result, kept: await deps.replies.keep(ending.result) } : undefined;
  if (signal.aborted || !(await claim(deps, watch))) return;
  if (signal.aborted) {
    // The session went between the two: it hears of it when it is open again.
    if (watch.stored !== undefined) await deps.files.save(watch.stored);
    return;
  }
  const line = endingLine(task, ending, deps.clock.now());
  const note = endingNote(line, task, settled);
  deps.host.note(note);
  deps.host.toast(line, note.tone === "error" || note.tone === "warning" ? note.tone : "info");
  if (deps.wake() === "model") state.waker.add(task.taskId, wakeText(line, task, ending));
}

/** A claim that fails for other reasons than another claim would leave the person without the news. */
async function claim({ files, log }: DispatchedDeps, { stored }: Watch): Promise<boolean> {
  if (stored === undefined) return true;
  try {
    return await files.claim(stored);
  } catch (error) {
    log.fault("reporting a dispatched task", error);
    return true;
  }
}

async function asked(state: State, agent: string, taskId: string, ask: () => Promise<CallResult>): Promise<CallResult> {
  let release: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  const mark = { taskId, done };
  state.asking.add(mark);
  try {
    const result = await ask();
    if (isSettled(result)) await heard(state, agent, taskId, result, "all");
    return result;
  } finally {
    state.asking.delete(mark);
    release();
  }
}

/** The end is known where it was asked for: nobody tells it again, in this session or another one. */
async function heard(
  { deps, watches, waker }: State,
  agent: string,
  taskId: string | undefined,
  { peer }: CallResult,
  which: "watched" | "all",
): Promise<void> {
  if (taskId === undefined) return;
  waker.drop(taskId);
  const key = dispatchKey({ url: peer.url, taskId });
  const isIt = ({ task }: Watch): boolean =>
    task.taskId === taskId &&
    (dispatchKey(task) === key || task.agent === agent.trim() || mayHaveMoved(task, peer.url));
  const watch = [...watches.values()].find(isIt);
  watch?.stop.abort();
  if (watch === undefined && which === "watched") return;
  try {
    await deps.files.claim(watch?.stored ?? { url: deps.redact(peer.url), taskId });
  } catch (error) {
    deps.log.fault("noting that a dispatched task was read", error);
  }
}
