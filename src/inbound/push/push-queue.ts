// Owns what waits for delivery: one lane for each webhook of a task, in order, bounded per lane and for all lanes together. When
// there is too much, the oldest updates are given up, and never the newest of a lane: it tells most.

import type { Timer } from "../../core/platform/clock.ts";
import type { PushConfig } from "../../core/protocol/types.ts";

/** What may wait in a lane. The newest update may wait whatever its size. */
export const MAX_LANE_UPDATES = 256;
export const MAX_LANE_BYTES = 16 * 1024 * 1024;
/** The same for all lanes together, in which an update for several webhooks counts once. */
export const MAX_ALL_BYTES = 64 * 1024 * 1024;

export interface Update {
  readonly body: string;
  /** When the end or the question came that this is the last update of; absent for every other update. */
  readonly tells?: number;
  /** In how many lanes it stands. */
  lanes: number;
}

export interface Lane {
  readonly key: string;
  config: PushConfig;
  /** Oldest first. The first one is tried, or is to be tried again. */
  readonly updates: Update[];
  bytes: number;
  /** Of the first update. */
  failures: number;
  sending: boolean;
  pause: Timer | undefined;
  /** Updates were given up because there were too many. */
  behind: boolean;
}

export interface PushQueue {
  /** Puts the body into the lanes of these webhooks, and gives those back that are new. */
  put(configs: readonly PushConfig[], body: string, tells?: number): readonly Lane[];
  /** Whether the update that tells of this waits, or is being sent. */
  holds(config: PushConfig, tells: number): boolean;
  /** Takes the first update out of its lane. */
  takeFirst(lane: Lane): void;
  remove(lane: Lane): void;
  lanes(): readonly Lane[];
  readonly size: number;
}

/** `onBehind` hears once of each lane in which there was too much. */
export function createPushQueue(onBehind: (lane: Lane) => void): PushQueue {
  const all = new Map<string, Lane>();
  let bytes = 0;

  const takeOut = (lane: Lane, at: number): void => {
    for (const update of lane.updates.splice(at, 1)) {
      lane.bytes -= update.body.length;
      update.lanes -= 1;
      if (update.lanes === 0) bytes -= update.body.length;
    }
  };
  const putIn = (lane: Lane, update: Update): void => {
    lane.updates.push(update);
    lane.bytes += update.body.length;
    if (update.lanes === 0) bytes += update.body.length;
    update.lanes += 1;
  };
  const dropOldest = (lane: Lane): void => {
    if (!lane.behind) onBehind(lane);
    lane.behind = true;
    takeOut(lane, firstUntried(lane));
  };
  const makeRoom = (): void => {
    while (bytes > MAX_ALL_BYTES) {
      const lane = fullestOf(all.values());
      if (lane === undefined) return;
      dropOldest(lane);
    }
  };
  return {
    put(configs, body, tells) {
      const update: Update = tells === undefined ? { body, lanes: 0 } : { body, lanes: 0, tells };
      const fresh: Lane[] = [];
      for (const config of configs) {
        const key = keyOf(config);
        const lane = all.get(key) ?? createLane(key, config);
        if (!all.has(key)) fresh.push(lane);
        all.set(key, lane);
        putIn(lane, update);
        while (isTooLong(lane) && canDrop(lane)) dropOldest(lane);
      }
      makeRoom();
      return fresh;
    },
    holds: (config, tells) => all.get(keyOf(config))?.updates.some((update) => update.tells === tells) ?? false,
    takeFirst: (lane) => takeOut(lane, 0),
    remove(lane) {
      all.delete(lane.key);
      while (lane.updates.length > 0) takeOut(lane, 0);
    },
    lanes: () => [...all.values()],
    get size() {
      return all.size;
    },
  };
}

function createLane(key: string, config: PushConfig): Lane {
  return { key, config, updates: [], bytes: 0, failures: 0, sending: false, pause: undefined, behind: false };
}

/** Ids are callers' texts; written as JSON no two pairs of them read the same. */
function keyOf({ taskId, id }: PushConfig): string {
  return JSON.stringify([taskId, id]);
}

function isTooLong(lane: Lane): boolean {
  const first = firstUntried(lane) === 0 ? 0 : (lane.updates[0]?.body.length ?? 0);
  return lane.updates.length > MAX_LANE_UPDATES || lane.bytes - first > MAX_LANE_BYTES;
}

function canDrop(lane: Lane): boolean {
  return firstUntried(lane) < lane.updates.length - 1;
}

/** An update that was tried may be on its way. */
function firstUntried(lane: Lane): number {
  return lane.sending || lane.failures > 0 ? 1 : 0;
}

function fullestOf(lanes: Iterable<Lane>): Lane | undefined {
  let fullest: Lane | undefined;
  for (const lane of lanes) if (canDrop(lane) && lane.bytes > (fullest?.bytes ?? -1)) fullest = lane;
  return fullest;
}
