// Owns the order and the pace of deliveries: one lane for each webhook of a task, in which one update after the other is delivered,
// tried again, or given up. A lane that is slow or full holds up no other one, and no task.

import type { Clock, Timer } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import type { PushConfig } from "../../core/protocol/types.ts";
import type { AttemptOutcome } from "./push-attempt.ts";

export const MAX_AT_ONCE = 32;
/** A host that hangs leaves room for the others. */
export const MAX_PER_HOST = 24;
export const RETRY_AFTER_MS: readonly number[] = [1000, 2000, 4000];
/** What a lane may hold; then its oldest updates are given up. One update is taken whatever its size. */
export const MAX_LANE_UPDATES = 256;
export const MAX_LANE_BYTES = 4 * 1024 * 1024;
/** The same for all lanes together. */
export const MAX_ALL_BYTES = 64 * 1024 * 1024;

export interface PushLanesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Never rejects. */
  readonly attempt: (config: PushConfig, body: string) => Promise<AttemptOutcome>;
  /** The webhook as it is now; undefined when it was deleted. */
  readonly current: (config: PushConfig) => PushConfig | undefined;
}

export interface PushLanes {
  add(config: PushConfig, body: string): void;
  /** From now on every update is tried at most once more, and those that wait for their next try are tried at once. */
  hurry(): void;
  /** Resolves when nothing is left to deliver. */
  idle(): Promise<void>;
  /** Gives up everything that is left and returns how many updates that was. */
  close(): number;
  /** Resolves when no attempt is running. */
  quiet(): Promise<void>;
}

interface Lane {
  readonly key: string;
  config: PushConfig;
  /** Oldest first. The first one is tried, or is to be tried again. */
  readonly bodies: string[];
  bytes: number;
  /** Of the first one. */
  failures: number;
  sending: boolean;
  pause: Timer | undefined;
  /** Updates were given up because there were too many. */
  behind: boolean;
}

interface Lanes {
  readonly deps: PushLanesDeps;
  readonly all: Map<string, Lane>;
  /** Those with something to send now, in the order in which they came. */
  readonly ready: Set<Lane>;
  readonly perHost: Map<string, number>;
  readonly attempts: Set<Promise<void>>;
  bytes: number;
  turn: Timer | undefined;
  state: "open" | "hurrying" | "closed";
  idlers: (() => void)[];
}

export function createPushLanes(deps: PushLanesDeps): PushLanes {
  const lanes: Lanes = {
    deps,
    all: new Map(),
    ready: new Set(),
    perHost: new Map(),
    attempts: new Set(),
    bytes: 0,
    turn: undefined,
    state: "open",
    idlers: [],
  };
  return {
    add(config, body) {
      if (lanes.state !== "closed") add(lanes, config, body);
    },
    hurry() {
      lanes.state = "hurrying";
      for (const lane of lanes.all.values()) if (lane.pause !== undefined) resume(lanes, lane);
    },
    idle: () => (lanes.all.size === 0 ? Promise.resolve() : new Promise((resolve) => lanes.idlers.push(resolve))),
    close: () => close(lanes),
    async quiet() {
      await Promise.all(lanes.attempts);
    },
  };
}

function add(lanes: Lanes, config: PushConfig, body: string): void {
  // Ids are callers' texts; written as JSON no two pairs of them read the same.
  const key = JSON.stringify([config.taskId, config.id]);
  let lane = lanes.all.get(key);
  if (lane === undefined) {
    lane = { key, config, bodies: [], bytes: 0, failures: 0, sending: false, pause: undefined, behind: false };
    lanes.all.set(key, lane);
    lanes.ready.add(lane);
  }
  lane.bodies.push(body);
  lane.bytes += body.length;
  lanes.bytes += body.length;
  makeRoom(lanes, lane);
  schedule(lanes);
}

/** Sending begins on a later turn: what is published waits for nothing here. */
function schedule(lanes: Lanes): void {
  lanes.turn ??= lanes.deps.clock.defer(() => {
    lanes.turn = undefined;
    pump(lanes);
  });
}

function pump(lanes: Lanes): void {
  for (const lane of lanes.ready) {
    if (lanes.state === "closed" || lanes.attempts.size >= MAX_AT_ONCE) return;
    const config = lanes.deps.current(lane.config);
    if (config === undefined) {
      remove(lanes, lane);
      continue;
    }
    lane.config = config;
    const host = hostOf(config);
    if ((lanes.perHost.get(host) ?? 0) >= MAX_PER_HOST) continue;
    begin(lanes, lane, host);
  }
}

function begin(lanes: Lanes, lane: Lane, host: string): void {
  lanes.ready.delete(lane);
  lane.sending = true;
  lanes.perHost.set(host, (lanes.perHost.get(host) ?? 0) + 1);
  const attempt = tryFirst(lanes, lane)
    .catch((error: unknown) => void lanes.deps.log.fault("push delivery", error))
    .then(() => {
      lanes.attempts.delete(attempt);
      leaveHost(lanes, host);
      pump(lanes);
    });
  lanes.attempts.add(attempt);
}

async function tryFirst(lanes: Lanes, lane: Lane): Promise<void> {
  const [body = ""] = lane.bodies;
  const outcome = await lanes.deps.attempt(lane.config, body);
  lane.sending = false;
  if (lanes.state !== "closed") goOn(lanes, lane, outcome);
}

function goOn(lanes: Lanes, lane: Lane, outcome: AttemptOutcome): void {
  const wait = RETRY_AFTER_MS[lane.failures];
  if (outcome.kind === "failed" && wait !== undefined && lanes.state === "open") {
    lane.failures += 1;
    lane.pause = lanes.deps.clock.after(wait, () => resume(lanes, lane));
    return;
  }
  if (outcome.kind !== "delivered") giveUp(lanes, lane, outcome.reason);
  lane.failures = 0;
  takeOut(lanes, lane, 0);
  if (lane.bodies.length === 0) remove(lanes, lane);
  else lanes.ready.add(lane);
}

function resume(lanes: Lanes, lane: Lane): void {
  lane.pause?.stop();
  lane.pause = undefined;
  lanes.ready.add(lane);
  schedule(lanes);
}

function makeRoom(lanes: Lanes, lane: Lane): void {
  while (lane.bodies.length > MAX_LANE_UPDATES || lane.bytes > MAX_LANE_BYTES) {
    if (!dropOldest(lanes, lane)) break;
  }
  while (lanes.bytes > MAX_ALL_BYTES) {
    const fullest = fullestOf(lanes);
    if (fullest === undefined || !dropOldest(lanes, fullest)) break;
  }
}

function fullestOf({ all }: Lanes): Lane | undefined {
  let fullest: Lane | undefined;
  for (const lane of all.values()) if (canDrop(lane) && lane.bytes > (fullest?.bytes ?? -1)) fullest = lane;
  return fullest;
}

/** Gives up the oldest update that was not tried yet, and never the newest: it tells most. */
function dropOldest(lanes: Lanes, lane: Lane): boolean {
  if (!canDrop(lane)) return false;
  if (!lane.behind) giveUp(lanes, lane, "it is too far behind, and so may be others after it");
  lane.behind = true;
  takeOut(lanes, lane, firstUntried(lane));
  return true;
}

function canDrop(lane: Lane): boolean {
  return firstUntried(lane) < lane.bodies.length - 1;
}

function firstUntried(lane: Lane): number {
  return lane.sending || lane.failures > 0 ? 1 : 0;
}

function takeOut(lanes: Lanes, lane: Lane, at: number): void {
  const [body = ""] = lane.bodies.splice(at, 1);
  lane.bytes -= body.length;
  lanes.bytes -= body.length;
}

function giveUp({ deps }: Lanes, { config }: Lane, reason: string): void {
  deps.log.warn(`${config.taskId}: an update for the webhook at ${hostOf(config)} is given up: ${reason}`);
}

function remove(lanes: Lanes, lane: Lane): void {
  lane.pause?.stop();
  lanes.ready.delete(lane);
  lanes.all.delete(lane.key);
  lanes.bytes -= lane.bytes;
  lane.bytes = 0;
  if (lanes.all.size > 0) return;
  const { idlers } = lanes;
  lanes.idlers = [];
  for (const wake of idlers) wake();
}

function close(lanes: Lanes): number {
  let left = 0;
  lanes.state = "closed";
  lanes.turn?.stop();
  for (const lane of [...lanes.all.values()]) {
    left += lane.bodies.length;
    remove(lanes, lane);
  }
  return left;
}

function leaveHost(lanes: Lanes, host: string): void {
  const left = (lanes.perHost.get(host) ?? 1) - 1;
  if (left > 0) lanes.perHost.set(host, left);
  else lanes.perHost.delete(host);
}

function hostOf({ url }: PushConfig): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
