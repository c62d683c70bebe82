// Owns the order in which decided events become facts: one write to the sink per turn of the event loop, then all of that turn's
// events take effect, in the order in which they were decided. Nothing takes effect before it is stored; nothing stays undecided.

import type { Clock, Timer } from "../core/platform/clock.ts";
import type { Log } from "../core/platform/log.ts";
import { type EventSink, type KeptBodies, noBodies, type StoredEntry } from "./event-sink.ts";

export interface Commit {
  /** What the sink must keep before `done`; undefined for what is only published. */
  readonly stored: StoredEntry | undefined;
  /** False once an earlier failure undid what this commit builds on; it is dropped then. */
  wanted(): boolean;
  /** `bodies` says where tasks are kept that ended with this batch. */
  done(bodies: KeptBodies): void;
  failed(error: unknown): void;
  dropped(): void;
}

export interface CommitQueue {
  add(commit: Commit): void;
  /** Resolves when nothing is queued or being written. */
  idle(): Promise<void>;
  isIdle(): boolean;
  /** Fails what is not stored yet, and from now on everything at once. */
  close(): void;
}

interface Queue {
  readonly clock: Clock;
  readonly sink: EventSink;
  readonly log: Log;
  waiting: Commit[];
  /** The batch that is with the sink; empty when none is. */
  writing: readonly Commit[];
  turn: Timer | undefined;
  closed: boolean;
  idlers: (() => void)[];
}

export function createCommitQueue(deps: {
  readonly clock: Clock;
  readonly sink: EventSink;
  readonly log: Log;
}): CommitQueue {
  const queue: Queue = { ...deps, waiting: [], writing: [], turn: undefined, closed: false, idlers: [] };
  return {
    add(commit) {
      if (queue.closed) return settle(queue, commit, STOPPED);
      queue.waiting.push(commit);
      schedule(queue);
    },
    idle() {
      if (isIdle(queue)) return Promise.resolve();
      return new Promise((resolve) => queue.idlers.push(resolve));
    },
    isIdle: () => isIdle(queue),
    close() {
      queue.closed = true;
      queue.turn?.stop();
      const left = [...queue.writing, ...queue.waiting];
      queue.writing = [];
      queue.waiting = [];
      for (const commit of left) settle(queue, commit, STOPPED);
      wakeIdlers(queue);
    },
  };
}

const STOPPED: Outcome = { stored: false, error: new Error("the engine has stopped") };

type Outcome =
  | { readonly stored: true; readonly bodies: KeptBodies }
  | { readonly stored: false; readonly error: unknown };

function isIdle(queue: Queue): boolean {
  return queue.waiting.length === 0 && queue.writing.length === 0;
}

function wakeIdlers(queue: Queue): void {
  const idlers = queue.idlers;
  queue.idlers = [];
  for (const wake of idlers) wake();
}

function schedule(queue: Queue): void {
  if (queue.turn !== undefined || queue.writing.length > 0) return;
  queue.turn = queue.clock.defer(() => {
    queue.turn = undefined;
    flush(queue).catch((error: unknown) => queue.log.fault("engine commit queue", error));
  });
}

async function flush(queue: Queue): Promise<void> {
  const batch = queue.waiting;
  queue.waiting = [];
  const wanted = batch.filter((commit) => commit.wanted() || drop(queue, commit));
  queue.writing = wanted;
  const entries = wanted.flatMap(({ stored }) => (stored === undefined ? [] : [stored]));
  const outcome: Outcome = entries.length === 0 ? { stored: true, bodies: noBodies() } : await write(queue, entries);
  // Closed while the sink was busy: the batch has been settled by close().
  if (queue.closed) return;
  queue.writing = [];
  for (const commit of wanted) settle(queue, commit, outcome);
  if (queue.waiting.length > 0) schedule(queue);
  else wakeIdlers(queue);
}

async function write(queue: Queue, entries: readonly StoredEntry[]): Promise<Outcome> {
  try {
    return { stored: true, bodies: await queue.sink.write(entries) };
  } catch (error) {
    queue.log.fault(`engine could not store ${entries.length} events`, error);
    return { stored: false, error };
  }
}

function settle(queue: Queue, commit: Commit, outcome: Outcome): void {
  guarded(queue, () => {
    if (!commit.wanted()) return commit.dropped();
    if (outcome.stored) return commit.done(outcome.bodies);
    if (commit.stored === undefined) return commit.done(noBodies());
    commit.failed(outcome.error);
  });
}

function drop(queue: Queue, commit: Commit): false {
  guarded(queue, () => commit.dropped());
  return false;
}

/** A fault in what one commit does must not keep the others from taking effect. */
function guarded(queue: Queue, act: () => void): void {
  try {
    act();
  } catch (error) {
    queue.log.fault("engine commit", error);
  }
}
