// Owns the delivery of one engine's updates to the webhooks of its tasks (A2A 1.0 §4.3.3), from the start of the server to its end.

import { setMaxListeners } from "node:events";
import { type Clock, within } from "../../core/platform/clock.ts";
import type { HttpPort } from "../../core/platform/http-types.ts";
import type { Log } from "../../core/platform/log.ts";
import type { PushConfig } from "../../core/protocol/types.ts";
import type { Engine } from "../../engine/engine-types.ts";
import type { TaskEvent } from "../../engine/task-event.ts";
import { attemptPush, type PushSettings } from "./push-attempt.ts";
import { pushBodies } from "./push-body.ts";
import { createPushLanes } from "./push-lanes.ts";
import { createPushUpdates, endsOrAsks, lastUpdates } from "./push-updates.ts";

export interface PushDeliveryDeps {
  readonly engine: Pick<Engine, "observe" | "push">;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked anew at each attempt. */
  readonly settings: () => PushSettings;
}

export interface PushDelivery {
  /** Sends what a server before had to send and did not; called when the engine has its tasks. */
  resume(): Promise<void>;
  /** Nothing is under way. */
  isIdle(): boolean;
  /** Hears nothing more and gives what is left one last try, for a moment; the rest is given up with a line in the log. */
  stop(): Promise<void>;
}

/** How long the end of the server waits for receivers. */
export const LAST_TRY_MS = 500;

export function startPushDelivery(deps: PushDeliveryDeps): PushDelivery {
  const { engine, clock, log } = deps;
  const end = new AbortController();
  // Each attempt listens. From the eleventh on Node would tell the terminal of a leak.
  setMaxListeners(0, end.signal);
  const attempts = { ...deps, signal: end.signal };
  const attempt = (config: PushConfig, body: string) => attemptPush(attempts, config, body);
  const current = (config: PushConfig): PushConfig | undefined => currentConfig(engine, config);
  const lanes = createPushLanes({ clock, log, attempt, current, onTold: engine.push.told });
  const updates = createPushUpdates();
  const send = (configs: readonly PushConfig[], bodies: readonly string[], tells: number | undefined): void => {
    for (const [at, body] of bodies.entries()) lanes.add(configs, body, at === bodies.length - 1 ? tells : undefined);
  };

  const stopHearing = engine.observe((event, task) => {
    const configs = engine.push.of(event.taskId) ?? [];
    if (configs.length === 0) updates.pass(event);
    else send(configs, pushBodies(updates.of(event, task), task), lastOf(event));
  });
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopHearing();
    lanes.hurry();
    await within(clock, LAST_TRY_MS, lanes.idle());
    const left = lanes.close();
    end.abort();
    if (left > 0) log.warn(`the server stops: ${left} updates for webhooks are given up`);
    await within(clock, LAST_TRY_MS, lanes.quiet());
  };
  return {
    async resume() {
      for (const { task, at, configs } of await engine.push.untold()) {
        const left = configs.filter((config) => !lanes.holds(config, at));
        if (left.length > 0) send(left, pushBodies(lastUpdates(task), task), at);
      }
    },
    isIdle: lanes.isIdle,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** When it came, for what is the last that a webhook hears for now. */
function lastOf(event: TaskEvent): number | undefined {
  return event.kind === "status" && endsOrAsks(event.status) ? event.at : undefined;
}

/** As it is now; a webhook of a task that is no longer kept stays as it was. */
function currentConfig(engine: PushDeliveryDeps["engine"], config: PushConfig): PushConfig | undefined {
  const known = engine.push.of(config.taskId);
  return known === undefined ? config : known.find(({ id }) => id === config.id);
}
