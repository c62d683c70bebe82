// Owns a stream of a task that another session of the agent folder runs: its own stream as long as it can be had, else what its files
// say at every look, and what this session makes of the task when the other one has died. The frames are those of one stream.

import { type Clock, sleep } from "../../core/platform/clock.ts";
import { isA2aError } from "../../core/platform/errors.ts";
import type { Principal } from "../../core/ports.ts";
import { isTerminal } from "../../core/protocol/task-state.ts";
import type { StreamResponse, Task } from "../../core/protocol/types.ts";
import { notFollowed } from "../../engine/ended-task.ts";
import type { Engine, Subscription } from "../../engine/engine-types.ts";
import { createTaskStream, isLast, type TaskStream } from "../task-stream.ts";
import { foldFrame, framesBetween } from "./frames-between.ts";
import { type Door, isLost, type SiblingClient } from "./sibling-client.ts";
import type { Elsewhere, TaskPlaces } from "./task-places.ts";

export interface FollowDeps {
  readonly engine: Engine;
  readonly places: TaskPlaces;
  readonly client: SiblingClient;
  readonly clock: Clock;
  /** Milliseconds between two looks. */
  readonly pollMs: () => number;
}

export interface FollowOptions {
  readonly caller: Principal;
  readonly taskId: string;
  /** True ends the stream when the task asks its caller for input. */
  readonly endsAtQuestion: boolean;
  /** A stream of the other session that stands already: the answer to a message. */
  readonly opened?: AsyncIterable<StreamResponse>;
  /** True for a task that may have ended: it is shown, and that is all. */
  readonly mayHaveEnded?: boolean;
  readonly onClose: () => void;
  /** Ends everything that waits; aborted when the stream is closed. */
  readonly abort: AbortController;
}

type Frames = AsyncGenerator<StreamResponse, void>;

export function followTask(deps: FollowDeps, options: FollowOptions): TaskStream {
  const frames = framesOf(deps, options);
  const close = (): void => {
    options.abort.abort();
    options.onClose();
  };
  return {
    async next() {
      try {
        const { value } = await frames.next();
        if (value !== undefined) return value;
      } catch (error) {
        // What it waited for was ended by its own end.
        if (!options.abort.signal.aborted) {
          close();
          throw error;
        }
      }
      close();
      return undefined;
    },
    close,
  };
}

/** What was shown so far, as one task. */
interface Trail {
  seen: Task | undefined;
  over: boolean;
  /** Of the session whose stream broke off last. */
  brokeOff: string | undefined;
}

async function* framesOf(deps: FollowDeps, options: FollowOptions): Frames {
  const { caller, taskId, opened, abort } = options;
  const trail: Trail = { seen: undefined, over: false, brokeOff: undefined };
  if (opened !== undefined) yield* show(options, trail, whole(opened));
  while (!trail.over && !abort.signal.aborted) {
    const place = await deps.places.find(caller, taskId);
    if (place === "here") yield* fromHere(deps, options, trail);
    else if (isTerminal(place.task.status.state)) yield* ended(options, trail, place.task);
    else yield* fromElsewhere(deps, options, trail, place);
  }
}

async function* fromHere(deps: FollowDeps, options: FollowOptions, trail: Trail): Frames {
  const task = await deps.engine.get(options.caller, options.taskId);
  if (isTerminal(task.status.state)) yield* ended(options, trail, task);
  else yield* show(options, trail, ownFrames(deps, options));
}

async function* fromElsewhere(deps: FollowDeps, options: FollowOptions, trail: Trail, place: Elsewhere): Frames {
  const { door, key, task } = place;
  const { signal } = options.abort;
  if (door !== undefined && trail.brokeOff !== key) {
    trail.brokeOff = key;
    return yield* show(options, trail, whole(theirFrames(deps, options, door)));
  }
  // Until its stream can be had again, its files tell.
  trail.brokeOff = undefined;
  yield* show(options, trail, asFrames(task));
  if (!trail.over) await sleep(deps.clock, deps.pollMs(), signal);
}

/** Notes each frame, turns the whole task in the middle of the stream into what is new in it, and ends where streams end. */
async function* show(options: FollowOptions, trail: Trail, frames: AsyncIterable<StreamResponse>): Frames {
  for await (const frame of frames) {
    const news = "task" in frame && trail.seen !== undefined ? framesBetween(trail.seen, frame.task) : [frame];
    for (const one of news) {
      trail.seen = foldFrame(trail.seen, one);
      trail.over = "message" in one || isLast(one, options.endsAtQuestion);
      yield one;
      if (trail.over) return;
    }
  }
}

async function* asFrames(task: Task): Frames {
  yield { task };
}

async function* ended(options: FollowOptions, trail: Trail, task: Task): Frames {
  if (trail.seen === undefined && options.mayHaveEnded !== true) throw notFollowed(task.id, task.status.state);
  yield* show(options, trail, asFrames(task));
  trail.over = true;
}

/** Ends where the other session is lost; what it refuses on purpose is thrown. */
async function* whole(frames: AsyncIterable<StreamResponse>): Frames {
  try {
    yield* frames;
  } catch (error) {
    if (!isLost(error)) throw error;
  }
}

async function* theirFrames({ client }: FollowDeps, { caller, taskId, abort }: FollowOptions, door: Door): Frames {
  const call = { door, caller, method: "SubscribeToTask", params: { id: taskId }, signal: abort.signal };
  try {
    yield* await client.open(call);
  } catch (error) {
    // It has ended in this moment, or is just being taken over: the files tell.
    if (!isA2aError(error, "UNSUPPORTED_OPERATION") && !isA2aError(error, "TASK_NOT_FOUND")) throw error;
  }
}

async function* ownFrames({ engine }: FollowDeps, options: FollowOptions): Frames {
  const { caller, taskId, endsAtQuestion, abort } = options;
  const subscription = await subscribed(engine, caller, taskId);
  if (subscription === undefined) return;
  const stream = createTaskStream({ subscription, endsAtQuestion, onClose: () => undefined });
  const stop = (): void => stream.close();
  abort.signal.addEventListener("abort", stop, { once: true });
  try {
    for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) yield frame;
  } finally {
    abort.signal.removeEventListener("abort", stop);
    stream.close();
  }
}

/** undefined when it has ended in this moment. */
async function subscribed(engine: Engine, caller: Principal, taskId: string): Promise<Subscription | undefined> {
  try {
    return await engine.subscribe(caller, taskId);
  } catch (error) {
    if (isA2aError(error, "UNSUPPORTED_OPERATION")) return undefined;
    throw error;
  }
}
