// Deliveries over a restart: what a server did not get across, the next one sends.

import assert from "node:assert/strict";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import type { HttpPort } from "../../../../src/core/platform/http-types.ts";
import { type PushDelivery, startPushDelivery } from "../../../../src/inbound/push/push-delivery.ts";
import { ALICE } from "../../../support/engine-rig.ts";
import { createJournalHouse, type JournalHouse, type KeptServer, turn } from "../../../support/journal-rig.ts";

const HOOK = { id: "a", url: "https://hooks.example.com/" };

async function* noChunks(): AsyncGenerator<Uint8Array, void> {
  // The answers here have no body.
}

describe("push delivery after a restart", () => {
  let house: JournalHouse;
  let bodies: string[];
  let reachable: boolean;
  beforeEach(async () => {
    house = await createJournalHouse();
    bodies = [];
    reachable = true;
  });
  afterEach(() => house.remove());

  const http: HttpPort = {
    async request({ body }) {
      if (!reachable) throw new A2aError("PEER_UNREACHABLE", "nobody listens");
      bodies.push(body ?? "");
      return { status: 200, headers: new Map(), text: async () => "", chunks: noChunks, close: () => undefined };
    },
    close: () => undefined,
  };
  const settings = () => ({ timeoutMs: 15_000, allowInsecure: false, secret: "" });
  const deliver = ({ engine, log }: KeptServer): PushDelivery =>
    startPushDelivery({ engine, http, clock: house.clock, log, settings });
  const quiet = async (): Promise<void> => {
    for (let n = 0; n < 30; n++) await turn();
  };
  const restart = async (): Promise<{ readonly server: KeptServer; readonly delivery: PushDelivery }> => {
    const server = await house.open();
    const delivery = deliver(server);
    await delivery.resume();
    await quiet();
    return { server, delivery };
  };
  const states = (): string[] => bodies.flatMap((body) => /"state":"TASK_STATE_(\w+)"/.exec(body)?.[1] ?? "artifact");

  it("sends the end and the reply that a receiver did not get, once", async () => {
    const first = await house.open();
    deliver(first);
    house.clock.tick(1);
    const running = await first.start({ push: HOOK });
    running.run.working();
    await quiet();
    reachable = false;
    house.clock.tick(5);
    running.run.text("the reply");
    running.run.complete();
    await first.settled(running);
    await quiet();
    await first.kill();

    reachable = true;
    bodies = [];
    const second = await restart();
    assert.deepEqual(states(), ["artifact", "COMPLETED"]);
    assert.match(bodies[0] ?? "", /the reply/);
    await second.server.kill();

    bodies = [];
    const third = await restart();
    assert.deepEqual(bodies, []);
    await third.server.quit();
  });

  it("sends nothing again that was delivered: neither ends nor questions", async () => {
    const first = await house.open();
    deliver(first);
    const asking = await first.start({ push: HOOK });
    house.clock.tick(5);
    asking.run.ask("which one?");
    await first.settled(asking);
    const done = await first.start({ push: HOOK });
    house.clock.tick(5);
    done.run.complete();
    await first.settled(done);
    await quiet();
    assert.ok(bodies.length >= 2);
    await first.kill();
    bodies = [];
    const second = await restart();
    assert.deepEqual(bodies, []);
    await second.server.quit();
  });

  it("sends the end of what was interrupted", async () => {
    const first = await house.open();
    deliver(first);
    const running = await first.start({ push: HOOK });
    running.run.working();
    await quiet();
    await first.kill();
    bodies = [];
    house.clock.tick(5);
    const server = await house.open();
    // What is published while tasks are taken over is heard: the delivery is there before.
    assert.equal((await server.engine.get(ALICE, running.taskId)).status.state, "TASK_STATE_FAILED");
    const delivery = deliver(server);
    await delivery.resume();
    await quiet();
    assert.deepEqual(states(), ["FAILED"]);
    await server.quit();
  });

  it("tells a webhook that was made after the end nothing of it", async () => {
    const first = await house.open();
    const { taskId } = await first.finish("done");
    house.clock.tick(5);
    await first.engine.push.set(ALICE, taskId, HOOK);
    await first.kill();
    const second = await restart();
    assert.deepEqual(bodies, []);
    await second.server.quit();
  });

  it("sends again what only the end of the server cut short", async () => {
    const first = await house.open();
    const delivery = deliver(first);
    house.clock.tick(1);
    const running = await first.start({ push: HOOK });
    reachable = false;
    house.clock.tick(5);
    running.run.complete();
    await first.settled(running);
    await quiet();
    const stopped = delivery.stop();
    await quiet();
    house.clock.tick(1000);
    await stopped;
    await first.quit();
    reachable = true;
    const second = await restart();
    assert.deepEqual(states(), ["COMPLETED"]);
    await second.server.quit();
  });

  it("sends what a dead server has left to the one that takes over while it works, once", async () => {
    const first = await house.open();
    deliver(first);
    reachable = false;
    house.clock.tick(1);
    const asking = await first.start({ push: HOOK });
    house.clock.tick(5);
    asking.run.ask("which one?");
    await first.settled(asking);
    const running = await first.start({ push: HOOK });
    running.run.working();
    await quiet();
    const second = await house.open();
    const delivery = deliver(second);
    const own = await second.start({ push: HOOK });
    own.run.complete();
    await second.settled(own);
    await first.kill();
    house.clock.tick(5);
    bodies = [];
    reachable = true;
    await second.siblings.takeOver();
    // The end of the interrupted one is on its way already, and that of its own task waits for its next try.
    await delivery.resume();
    await delivery.resume();
    await quiet();
    assert.deepEqual(
      states()
        .filter((state) => state !== "WORKING" && state !== "SUBMITTED")
        .sort(),
      ["FAILED", "INPUT_REQUIRED"],
    );
    bodies = [];
    await delivery.resume();
    await quiet();
    assert.deepEqual(bodies, []);
    await second.quit();
  });
});
