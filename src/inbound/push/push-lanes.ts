// Owns the pace of deliveries: in each lane one update after the other is delivered, tried again, or given up. A lane that is slow
// holds up no other one, and no task.

import type { Clock, Timer } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import type { PushConfig } from "../../core/protocol/types.ts";
import type { AttemptOutcome } from "./push-attempt.ts";
import { createPushQueue, type Lane, type PushQueue } from "./push-queue.ts";

export const MAX_AT_ONCE = 32;
/** A host that hangs leaves room for the others. */
export const MAX_PER_HOST = 24;
const RETRY_AFTER_MS: readonly number[] = [1000, 2000, 4000];

export interface PushLanesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Never rejects. */
  readonly attempt: (config: PushConfig, body: string) => Promise<AttemptOutcome>;
  /** The webhook as it is now; undefined when it was deleted. */
  readonly current: (config: PushConfig) => PushConfig | undefined;
  /** Hears when nothing is left to send of an end or a question: it was delivered, or is given up for good. */
  readonly onTold: (config: PushConfig, at: number) => void;
}

export interface PushLanes {
  /** `tells` is when the end or the question came that this is the last update of. */
  add(configs: readonly PushConfig[], body: string, tells?: number): void;
  /** Whether the update that tells of this waits, or is being sent. */
  holds(config: PushConfig, tells: number): boolean;
  /** From now on every update is tried at most once more, and those that wait for their next try are tried at once. */
  hurry(): void;
  /** Resolves when nothing is left to deliver. */
  idle(): Promise<void>;
  isIdle(): boolean;
  /** Gives up everything that is left and returns how many updates that was. */
  close(): number;
  /** Resolves when no attempt is running. */
  quiet(): Promise<void>;
}

interface Lanes extends PushLanesDeps {
  readonly queue: PushQueue;
  /** Those with something to send now, in the order in which they came. */
  readonly ready: Set<Lane>;
  readonly attempts: Set<Promise<void>>;
  readonly perHost: Map<string, number>;
  turn: Timer | undefined;
  state: "open" | "hurrying" | "closed";
  idlers: (() => void)[];
}

export function createPushLanes(deps: PushLanesDeps): PushLanes {
  const behind = "it is too far behind, and so may be others after it";
  const lanes: Lanes = {
    ...deps,
    queue: createPushQueue((lane) => sayGivenUp(deps.log, lane, behind)),
    ready: new Set(),
    attempts: new Set(),
    perHost: new Map(),
    turn: undefined,
    state: "open",
    idlers: [],
  };
  return {
    add(configs, body, tells) {
      if (lanes.state === "closed") return;
      for (const lane of lanes.queue.put(configs, body, tells)) lanes.ready.add(lane);
      schedule(lanes);
    },
    holds: lanes.queue.holds,
    hurry() {
      lanes.state = "hurrying";
      for (const lane of lanes.queue.lanes()) if (lane.pause !== undefined) resume(lanes, lane);
    },
    idle: () => (lanes.queue.size === 0 ? Promise.resolve() : new Promise((resolve) => lanes.idlers.push(resolve))),
    isIdle: () => lanes.queue.size === 0,
    close: () => close(lanes),
    async quiet() {
      await Promise.all(lanes.attempts);
    },
  };
}

/** Sending begins on a later turn: what is published waits for nothing here. */
function schedule(lanes: Lanes): void {
  lanes.turn ??= lanes.clock.defer(() => {
    lanes.turn = undefined;
    pump(lanes);
  });
}

function pump(lanes: Lanes): void {
  for (const lane of lanes.ready) {
    if (lanes.state === "closed" || lanes.attempts.size >= MAX_AT_ONCE) return;
    const config = lanes.current(lane.config);
    if (config === undefined) {
      remove(lanes, lane);
      continue;
    }
    lane.config = config;
    const host = hostOf(config);
    if ((lanes.perHost.get(host) ?? 0) < MAX_PER_HOST) begin(lanes, lane, host);
  }
}

function begin(lanes: Lanes, lane: Lane, host: string): void {
  lanes.ready.delete(lane);
  lane.sending = true;
  lanes.perHost.set(host, (lanes.perHost.get(host) ?? 0) + 1);
  const attempt = tryFirst(lanes, lane)
    .catch((error: unknown) => void lanes.log.fault("push delivery", error))
    .then(() => {
      lanes.attempts.delete(attempt);
      leaveHost(lanes, host);
      pump(lanes);
    });
  lanes.attempts.add(attempt);
}

async function tryFirst(lanes: Lanes, lane: Lane): Promise<void> {
  const outcome = await lanes.attempt(lane.config, lane.updates[0]?.body ?? "");
  lane.sending = false;
  if (lanes.state !== "closed") goOn(lanes, lane, outcome);
}

function goOn(lanes: Lanes, lane: Lane, outcome: AttemptOutcome): void {
  const wait = RETRY_AFTER_MS[lane.failures];
  if (outcome.kind === "failed" && wait !== undefined && lanes.state === "open") {
    lane.failures += 1;
    lane.pause = lanes.clock.after(wait, () => resume(lanes, lane));
    return;
  }
  if (outcome.kind !== "delivered") sayGivenUp(lanes.log, lane, outcome.reason);
  lane.failures = 0;
  tellTold(lanes, lane, outcome);
  lanes.queue.takeFirst(lane);
  if (lane.updates.length === 0) remove(lanes, lane);
  else lanes.ready.add(lane);
}

/** What only the end of the server has cut short is tried again by the next one. */
function tellTold({ onTold, state }: Lanes, { config, updates }: Lane, outcome: AttemptOutcome): void {
  const tells = updates[0]?.tells;
  if (tells !== undefined && (outcome.kind !== "failed" || state === "open")) onTold(config, tells);
}

function resume(lanes: Lanes, lane: Lane): void {
  lane.pause?.stop();
  lane.pause = undefined;
  lanes.ready.add(lane);
  schedule(lanes);
}

function remove(lanes: Lanes, lane: Lane): void {
  lane.pause?.stop();
  lanes.ready.delete(lane);
  lanes.queue.remove(lane);
  if (lanes.queue.size > 0) return;
  const { idlers } = lanes;
  lanes.idlers = [];
  for (const wake of idlers) wake();
}

function close(lanes: Lanes): number {
  let left = 0;
  lanes.state = "closed";
  lanes.turn?.stop();
  for (const lane of lanes.queue.lanes()) {
    left += lane.updates.length;
    remove(lanes, lane);
  }
  return left;
}

function leaveHost({ perHost }: Lanes, host: string): void {
  const left = (perHost.get(host) ?? 1) - 1;
  if (left > 0) perHost.set(host, left);
  else perHost.delete(host);
}

function sayGivenUp(log: Log, { config }: Lane, reason: string): void {
  log.warn(`${config.taskId}: an update for the webhook at ${hostOf(config)} is given up: ${reason}`);
}

function hostOf({ url }: PushConfig): string {
  return URL.canParse(url) ? new URL(url).host : "";
}
