// Stopping a call from this side: what the peer is told, what the caller is told, and that it takes less than a second.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { completedTask, TASK_ID, task } from "../support/builders.ts";
import { openStream, sendError, sendResult } from "../support/http-peer.ts";
import { failure, type Method, nextTurn, type Rig, startRig } from "../support/outbound-rig.ts";

const completed: Method = (request, response) => sendResult(request, response, { task: completedTask("42") });
const acknowledged: Method = (request, response) => sendResult(request, response, { task: task() });
const acknowledgedTask: Method = (request, response) => sendResult(request, response, task());
const silent: Method = () => undefined;
const canceled: Method = (request, response) => sendResult(request, response, task("TASK_STATE_CANCELED"));
const streaming: Method = (request, response) => openStream(request, response).frame({ task: task() });

describe("stopping a call (C33)", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  it("waits 700 ms for the task to be named, then closes the connection and says so", async () => {
    for (const streams of [false, true]) {
      const method: Method = streams ? (request, response) => openStream(request, response) : silent;
      rig = await startRig({ streaming: streams, methods: { SendMessage: method, SendStreamingMessage: method } });
      const stop = new AbortController();
      const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
      await rig.peer.arrived(2);
      stop.abort();
      await turns();
      assert.equal(rig.peer.openSockets(), 1);
      rig.clock.tick(700);
      const error = await ended;
      assert.match(error.message, /before 127\.0\.0\.1:\d+ named a task; the connection was closed.*may still work/);
      assert.match(error.hint, /Look there before sending/);
      await rig.peer.allClosed();
      assert.equal(rig.peer.calls("CancelTask").length, 0);
      if (!streams) await rig.end();
    }
  });

  it("cancels a task that a stream names only after the stop [client-cancel]", async () => {
    let name: () => void = () => undefined;
    rig = await startRig({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) => {
          const stream = openStream(request, response);
          name = () => stream.frame({ task: task() });
        },
        CancelTask: canceled,
      },
    });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(2);
    await turns();
    stop.abort();
    rig.clock.tick(400);
    name();
    assert.match((await ended).message, new RegExp(`task ${TASK_ID}.*was told, and the task is canceled`));
    assert.deepEqual(rig.peer.calls("CancelTask")[0]?.rpc.params, { id: TASK_ID });
  });

  it("cancels a task that a plain reply names only after the client was closed", async () => {
    let name: () => void = () => undefined;
    rig = await startRig({
      methods: {
        SendMessage: (request, response, nth) => {
          name = () => acknowledged(request, response, nth);
        },
        CancelTask: canceled,
      },
    });
    const ended = failure(rig.call(), "CANCELLED");
    await rig.peer.arrived(2);
    const closing = rig.client.close();
    rig.clock.tick(400);
    name();
    await closing;
    assert.match((await ended).message, /the session that made the call ends; task .* was told/);
    assert.equal(rig.peer.calls("GetTask").length, 0);
  });

  it("ends within a second when the task is named late and the peer does not answer CancelTask", async () => {
    let name: () => void = () => undefined;
    rig = await startRig({
      streaming: true,
      methods: {
        SendStreamingMessage: (request, response) => {
          const stream = openStream(request, response);
          name = () => stream.frame({ task: task() });
        },
        CancelTask: silent,
      },
    });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(2);
    await turns();
    stop.abort();
    rig.clock.tick(650);
    name();
    await rig.peer.arrived(3);
    rig.clock.tick(300);
    assert.match((await ended).message, /was told to cancel it and has not confirmed yet/);
    rig.clock.tick(2000);
    await rig.peer.allClosed();
  });

  it("does not cancel a task that turns out to have ended", async () => {
    let answer: () => void = () => undefined;
    rig = await startRig({
      methods: {
        SendMessage: (request, response, nth) => {
          answer = () => completed(request, response, nth);
        },
      },
    });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(2);
    stop.abort();
    answer();
    assert.match((await ended).message, new RegExp(`task ${TASK_ID}.*had already ended \\(completed\\)`));
    assert.equal(rig.peer.calls("CancelTask").length, 0);
  });

  it("ends at once while no connection stands, so that nothing is sent after the stop", async () => {
    rig = await startRig({ methods: { SendMessage: completed } });
    await rig.client.discover(rig.peer.origin, { typed: false });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await nextMicrotasks();
    stop.abort();
    await ended;
    assert.equal(rig.peer.calls("SendMessage").length, 0);
  });

  it("does not send again after the stop what the peer refused meanwhile [client-resend]", async () => {
    let refuse: () => void = () => undefined;
    rig = await startRig({
      methods: {
        SendMessage: (_request, response) => {
          refuse = () => response.writeHead(429, { "Retry-After": "1" }).end();
        },
      },
    });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(2);
    stop.abort();
    refuse();
    assert.match((await ended).message, /^the call was stopped from this side/);
    assert.equal(rig.peer.calls("SendMessage").length, 1);
  });

  it("says once that the call was stopped", async () => {
    rig = await startRig({ methods: { SendMessage: silent } });
    const error = await failure(rig.call({ signal: AbortSignal.abort() }), "CANCELLED");
    assert.doesNotMatch(error.hint, /stopped from this side/i);
  });

  it("ends while the card is being read", async () => {
    rig = await startRig({ card: () => assert.fail("not asked for") });
    rig.peer.answer = () => undefined;
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(1);
    stop.abort();
    await ended;
    await rig.peer.allClosed();
  });

  it("ends a stream, cancels the remote task and says that it was told [client-cancel]", async () => {
    rig = await startRig({
      streaming: true,
      methods: {
        SendStreamingMessage: streaming,
        CancelTask: (request, response) => sendResult(request, response, task("TASK_STATE_CANCELED")),
      },
    });
    const stop = new AbortController();
    const error = await failure(rig.call({ signal: stop.signal, onProgress: () => stop.abort() }), "CANCELLED");
    assert.match(error.message, new RegExp(`task ${TASK_ID}.*was told, and the task is canceled`));
    assert.match(error.hint, /a2a_status/);
    assert.deepEqual(rig.peer.calls("CancelTask")[0]?.rpc.params, { id: TASK_ID });
    assert.equal(error.metadata.taskId, TASK_ID);
  });

  it("ends polling and cancels the remote task", async () => {
    rig = await startRig({
      methods: {
        SendMessage: acknowledged,
        GetTask: acknowledgedTask,
        CancelTask: (request, response) => sendResult(request, response, task("TASK_STATE_CANCELED")),
      },
    });
    const stop = new AbortController();
    const pending = failure(rig.callTicking({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(5);
    stop.abort();
    assert.match((await pending).message, /the task is canceled/);
  });

  it("waits less than a second for a peer that does not answer CancelTask, and gives that up after two", async () => {
    rig = await startRig({
      streaming: true,
      methods: { SendStreamingMessage: streaming, CancelTask: silent },
    });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal, onProgress: () => stop.abort() }), "CANCELLED");
    await rig.peer.arrived(3);
    rig.clock.tick(900);
    assert.match((await ended).message, /was told to cancel it and has not confirmed yet/);
    assert.equal(rig.peer.openSockets(), 1);
    rig.clock.tick(1200);
    await rig.peer.allClosed();
  });

  it("says that a task could not be told, or had ended", async () => {
    for (const [code, text] of [
      [-32002, /was told, but the task had already ended/],
      [-32603, /could not be told, and the task may still run/],
    ] as const) {
      rig = await startRig({
        streaming: true,
        methods: {
          SendStreamingMessage: streaming,
          CancelTask: (request, response) => sendError(request, response, code, "no"),
        },
      });
      const stop = new AbortController();
      const error = await failure(rig.call({ signal: stop.signal, onProgress: () => stop.abort() }), "CANCELLED");
      assert.match(error.message, text);
      if (code === -32002) await rig.end();
    }
  });

  it("does not start a call whose signal has aborted before", async () => {
    rig = await startRig({});
    await failure(rig.call({ signal: AbortSignal.abort() }), "CANCELLED");
    assert.equal(rig.peer.requests.length, 0);
  });

  it("tells the peer to stop when the client is closed, because its session ends", async () => {
    rig = await startRig({ streaming: true, methods: { SendStreamingMessage: streaming, CancelTask: canceled } });
    let named = (): void => undefined;
    const known = new Promise<void>((resolve) => {
      named = resolve;
    });
    const ended = failure(rig.call({ onProgress: ({ taskId }) => taskId !== undefined && named() }), "CANCELLED");
    await known;
    await rig.client.close();
    assert.match((await ended).message, /the session that made the call ends; .* was told/);
    assert.equal(rig.peer.calls("CancelTask").length, 1);
  });

  it("closes without the peer's answer when that takes too long", async () => {
    rig = await startRig({ streaming: true, methods: { SendStreamingMessage: streaming, CancelTask: silent } });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal, onProgress: () => stop.abort() }), "CANCELLED");
    await rig.peer.arrived(3);
    const closing = rig.client.close();
    rig.clock.tick(1000);
    await closing;
    assert.match((await ended).message, /told to cancel it and has not confirmed yet/);
  });
});

/** Lets bytes travel between client and peer. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

/** Lets promises settle and no bytes travel. */
async function nextMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
