import assert from "node:assert/strict";
import { A2aError } from "../../../../src/core/platform/errors.ts";
import type { HttpPort, HttpRequest } from "../../../../src/core/platform/http-types.ts";
import { LAST_TRY_MS, startPushDelivery } from "../../../../src/inbound/push/push-delivery.ts";
import { ALICE, createEngineRig } from "../../../support/engine-rig.ts";

const HOOK = { id: "a", url: "https://hooks.example.com/" };

/** Deliveries of an engine rig whose receiver answers as the test says. */
function createDelivery(limits: { maxTasks?: number } = {}) {
  const rig = createEngineRig({ limits });
  const requests: HttpRequest[] = [];
  const receiver = { status: 200, silent: false };
  const http: HttpPort = {
    async request(request) {
      requests.push(request);
      if (receiver.silent) {
        await new Promise((resolve) => request.signal.addEventListener("abort", resolve, { once: true }));
        // The end of a connection may take a turn.
        await new Promise((resolve) => setImmediate(resolve));
        throw new A2aError("CANCELLED", "stopped");
      }
      const { status } = receiver;
      return {
        status,
        headers: new Map(),
        text: async () => "",
        chunks: noChunks,
        close: () => undefined,
      };
    },
    close: () => undefined,
  };
  /** The rig looks at the engine's own deferrals only. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) await rig.settle();
  };
  const settings = () => ({ timeoutMs: 15_000, allowInsecure: false, secret: "" });
  const delivery = startPushDelivery({ ...rig, http, settings });
  const bodies = (): string[] => requests.map(({ body }) => body ?? "");
  const said = (): string[] => rig.log.lines().map(({ text }) => text);
  return { ...rig, settle, delivery, requests, receiver, bodies, said };
}

async function* noChunks(): AsyncGenerator<Uint8Array, void> {
  // The answers here have no body.
}

describe("push delivery", () => {
  it("does not touch tasks without webhooks", async () => {
    const { start, settle, requests, delivery, clock } = createDelivery();
    const { run } = await start();
    run.complete();
    await settle();
    assert.deepEqual(requests, []);
    await delivery.stop();
    assert.equal(clock.pending(), 0);
  });

  it("sends the same bytes to each webhook of a task", async () => {
    const { start, settle, engine, bodies, requests, delivery } = createDelivery();
    const { run, taskId } = await start({ push: HOOK });
    run.working();
    await settle();
    const second = engine.push.set(ALICE, taskId, { id: "b", url: "https://other.example.com/" });
    await settle();
    await second;
    run.complete();
    await settle();
    const [one, other] = bodies().slice(-2);
    assert.equal(one, other);
    assert.deepEqual(
      requests.slice(-2).map(({ url }) => url),
      [HOOK.url, "https://other.example.com/"],
    );
    await delivery.stop();
  });

  it("makes Node warn of nothing when many webhooks are tried at once", async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", note);
    const { start, settle, engine, requests, receiver, delivery, clock } = createDelivery();
    receiver.silent = true;
    for (let n = 0; n < 2; n++) {
      const { run, taskId } = await start({ push: HOOK });
      run.working();
      await settle();
      for (let hook = 0; hook < 8; hook++) {
        const set = engine.push.set(ALICE, taskId, { id: `${hook}`, url: `https://hooks-${n}-${hook}.example.com/` });
        await settle();
        await set;
      }
      run.complete();
      await settle();
    }
    assert.ok(requests.length > 10);
    const stopped = delivery.stop();
    for (let passed = 0; passed < 2; passed++) {
      await settle();
      clock.tick(LAST_TRY_MS);
    }
    await stopped;
    process.off("warning", note);
    assert.deepEqual(warnings, []);
  });

  it("goes on when the task is no longer kept", async () => {
    const { start, settle, clock, receiver, bodies, engine, delivery } = createDelivery({ maxTasks: 1 });
    receiver.status = 500;
    const { run, taskId } = await start({ push: HOOK });
    run.complete();
    await settle();
    const next = await start();
    next.run.complete();
    await settle();
    assert.equal(engine.push.of(taskId), undefined);
    receiver.status = 200;
    clock.tick(1000);
    await settle();
    assert.match(bodies().at(-1) ?? "", /TASK_STATE_COMPLETED/);
    await delivery.stop();
  });

  it("stops at once when nothing is left, and hears nothing more", async () => {
    const { start, settle, requests, delivery, clock } = createDelivery();
    const { run } = await start({ push: HOOK });
    run.working();
    await settle();
    const before = requests.length;
    await delivery.stop();
    run.complete();
    await settle();
    assert.equal(requests.length, before);
    assert.equal(clock.pending(), 0);
  });

  it("leaves the engine when it stops", async () => {
    const { engine, delivery, ...rig } = createDelivery();
    let listeners = 0;
    const counted: typeof engine = {
      ...engine,
      observe(listener) {
        listeners += 1;
        const stop = engine.observe(listener);
        return () => {
          listeners -= 1;
          stop();
        };
      },
    };
    const http: HttpPort = { request: () => Promise.reject(new Error("not called")), close: () => undefined };
    const settings = () => ({ timeoutMs: 1, allowInsecure: false, secret: "" });
    const second = startPushDelivery({ ...rig, engine: counted, http, settings });
    assert.equal(listeners, 1);
    await second.stop();
    assert.equal(listeners, 0);
    await delivery.stop();
  });

  it("gives what waits for its next try a last one when it stops", async () => {
    const { start, settle, requests, receiver, delivery, clock, said } = createDelivery();
    receiver.status = 503;
    const { run } = await start({ push: HOOK });
    run.complete();
    await settle();
    assert.equal(requests.length, 1);
    receiver.status = 200;
    const stopped = delivery.stop();
    await settle();
    await stopped;
    assert.equal(requests.length, 3);
    assert.equal(clock.pending(), 0);
    assert.deepEqual(said(), []);
  });

  it("waits for a receiver that hangs for a moment only, and says what it gave up", async () => {
    const { start, settle, requests, receiver, delivery, clock, said } = createDelivery();
    receiver.silent = true;
    const { run } = await start({ push: HOOK });
    run.complete();
    await settle();
    let over = false;
    const stopped = delivery.stop().then(() => (over = true));
    await settle();
    clock.tick(LAST_TRY_MS - 1);
    await settle();
    assert.equal(over, false);
    clock.tick(1);
    await stopped;
    assert.equal(requests.length, 1);
    assert.equal(requests[0]?.signal.aborted, true);
    assert.deepEqual(said(), ["the server stops: 2 updates for webhooks are given up"]);
    assert.equal(clock.pending(), 0);
    await delivery.stop();
  });
});
