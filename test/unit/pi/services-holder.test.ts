import assert from "node:assert/strict";
import { createLog } from "../../../src/core/platform/log.ts";
import { createLiveHost } from "../../../src/pi/host/live-host.ts";
import type { ProcessState } from "../../../src/pi/host/process-state.ts";
import type { Services } from "../../../src/pi/services.ts";
import { createServicesHolder } from "../../../src/pi/services-holder.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

function bench(services?: Partial<Services>) {
  const clock = createFakeClock();
  const stopped: string[] = [];
  const paused: string[] = [];
  const dispatched = { pause: () => void paused.push("paused") };
  const held = { stop: async (reason: string) => void stopped.push(reason), dispatched, ...services } as Services;
  const state: ProcessState = {
    host: createLiveHost(),
    services: services === undefined ? undefined : Promise.resolve(held),
    absence: undefined,
  };
  return {
    clock,
    stopped,
    paused,
    state,
    holder: createServicesHolder(state, { clock, log: createLog(clock, () => "log-1") }),
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("services holder", () => {
  it("ends everything when the host does not come back with a session", async () => {
    const { clock, holder, stopped, state } = bench({});
    holder.awaitSession();
    clock.tick(10_000);
    await turn();
    assert.deepEqual(stopped, ["the Pi session that ran this task went away"]);
    assert.equal(state.services, undefined);
  });

  it("stops watching dispatched tasks as soon as their session goes", async () => {
    const { holder, paused } = bench({});
    holder.awaitSession();
    await turn();
    assert.deepEqual(paused, ["paused"]);
  });

  it("goes on when a session comes back in time, and leaves no timer", async () => {
    const { clock, holder, stopped } = bench({});
    holder.awaitSession();
    holder.awaitSession();
    holder.sessionIsBack();
    clock.tick(60_000);
    await turn();
    assert.deepEqual(stopped, []);
    assert.equal(clock.pending(), 0);
  });

  it("says that there is no session when asked before the first one, and can be asked again", async () => {
    const { holder, state } = bench();
    await assert.rejects(holder.get(), /no Pi session has started yet/);
    await turn();
    assert.equal(state.services, undefined);
  });

  it("has nothing to take over when nothing was ever used", async () => {
    const { holder, state } = bench();
    await holder.succeed();
    assert.equal(state.services, undefined);
  });

  it("ends once", async () => {
    const { holder, stopped } = bench({});
    await holder.end("quit");
    await holder.end("quit");
    assert.deepEqual(stopped, ["quit"]);
  });
});
