// The server under attack as its attackers' test sees it: what it holds, and whether it is as well as before.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { call, textParams } from "../../support/a2a-calls.ts";
import type { ServerSettings, ServerState } from "../fixtures/server-child.ts";
import type { ProcessState } from "./measured-child.ts";
import { type MeasuredProcess, startMeasured } from "./measured-process.ts";

export type TargetState = ProcessState & ServerState;

export interface Target {
  readonly port: number;
  state(): Promise<TargetState>;
  /** From here on the longest pause of its event loop counts. */
  calm(): Promise<void>;
  /** A plain SendMessage that must be answered; busy slots are waited for. */
  assertServes(): Promise<void>;
  /** Waits until nothing is at work, and gives the state of that moment. */
  quiet(): Promise<TargetState>;
  /** Waits until all is as it was `before`; throws what is not. */
  assertRecovered(before: TargetState): Promise<TargetState>;
  end(): Promise<void>;
}

/** How much more the heap may hold afterwards: compiled code and the server's bounded stores move by about this. */
export const HEAP_MARGIN = 6 * 1024 * 1024;
const MAX_HEAP_MB = 256;
const DEADLINE_MS = 15_000;

export async function startTarget(settings: ServerSettings): Promise<Target> {
  const child: MeasuredProcess = await startMeasured("server-child", settings, MAX_HEAP_MB);
  const port = await child.ask<number>("port");
  const state = (): Promise<TargetState> => child.ask<TargetState>("measure");
  return {
    port,
    state,
    calm: () => child.ask("calm"),
    async assertServes() {
      await within(async () => {
        const { status, json } = await call(port, "SendMessage", textParams("say 5"));
        if (status === 503 || status === 429) return `HTTP ${status}: ${json.error?.message}`;
        assert.equal(json.result?.task?.status.state, "TASK_STATE_COMPLETED");
        assert.equal(json.result?.task?.artifacts?.[0]?.parts[0]?.text, "xxxxx");
        return undefined;
      });
    },
    async quiet() {
      let now = await state();
      await within(async () => {
        now = await state();
        return now.running + now.connections + now.timers === 0 ? undefined : `at work: ${JSON.stringify(now)}`;
      });
      return now;
    },
    async assertRecovered(before) {
      let now = await state();
      await within(async () => {
        now = await state();
        return differences(before, now);
      });
      return now;
    },
    async end() {
      await child.ask("stop");
      await child.end();
    },
  };
}

/** Asks again until nothing is wrong; throws the last complaint at the deadline. */
async function within(complaint: () => Promise<string | undefined>): Promise<void> {
  const end = performance.now() + DEADLINE_MS;
  for (;;) {
    const wrong = await complaint();
    if (wrong === undefined) return;
    if (performance.now() > end) throw new Error(`after ${DEADLINE_MS} ms still ${wrong}`);
    await pause(100);
  }
}

function differences(before: TargetState, now: TargetState): string | undefined {
  const growth = now.heapBytes - before.heapBytes;
  const complaints = [
    now.connections === 0 ? "" : `${now.connections} connections`,
    now.running === 0 ? "" : `${now.running} slots taken`,
    now.waiting === 0 ? "" : `${now.waiting} tasks waiting`,
    now.timers <= before.timers ? "" : `${now.timers} timers, before ${before.timers}`,
    now.descriptors <= before.descriptors ? "" : `${now.descriptors} descriptors, before ${before.descriptors}`,
    growth <= HEAP_MARGIN ? "" : `${growth} bytes more heap`,
    ...Object.entries(now.resources).map(([kind, count]) =>
      count <= (before.resources[kind] ?? 0) ? "" : `${count} x ${kind}, before ${before.resources[kind] ?? 0}`,
    ),
    ...now.faults,
    ...now.warnings,
  ].filter((text) => text !== "");
  return complaints.length === 0 ? undefined : complaints.join("; ");
}
