// Asking after a task that was handed over earlier, and canceling it.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import type { StatusRequest } from "../../src/outbound/client-types.ts";
import { agentMessage, completedTask, TASK_ID, task } from "../support/builders.ts";
import { freePort } from "../support/free-port.ts";
import { sendError, sendResult } from "../support/http-peer.ts";
import { failure, type Method, type Rig, startRig, whileTicking } from "../support/outbound-rig.ts";

const working: Method = (request, response) => sendResult(request, response, task());
const silent: Method = () => undefined;

describe("asking after a task", () => {
  let rig: Rig;
  afterEach(() => rig.end());
  const ask = (fields: Partial<StatusRequest> = {}) =>
    rig.client.status({ agent: rig.peer.origin, taskId: TASK_ID, waitSec: 0, typed: false, ...fields });
  const askTicking = (fields: Partial<StatusRequest> = {}) => whileTicking(rig.clock, ask(fields));

  it("asks once and gives the state as it is", async () => {
    rig = await startRig({ methods: { GetTask: working } });
    const result = await ask();
    assert.equal(result.state, "TASK_STATE_WORKING");
    assert.equal(result.taskId, TASK_ID);
    assert.equal(result.detached, true);
    assert.equal(rig.peer.calls("GetTask").length, 1);
  });

  it("gives the reply of a finished task", async () => {
    rig = await startRig({
      methods: { GetTask: (request, response) => sendResult(request, response, completedTask("42")) },
    });
    const result = await ask();
    assert.equal(result.text, "42");
    assert.equal(result.detached, false);
  });

  it("passes the peer's error on and says what it means (S19): the id may be unknown, gone, or another caller's", async () => {
    rig = await startRig({
      methods: { GetTask: (request, response) => sendError(request, response, -32001, "no such task") },
    });
    for (const waitSec of [0, 300]) {
      const error = await failure(ask({ waitSec }), "PEER_ERROR");
      assert.match(error.message, /-32001: no such task/);
      assert.match(error.message, /does not know task .* any more: it has restarted, or the task has expired/);
    }
  });

  it("says where the task may be found when nothing listens there any more", async () => {
    rig = await startRig({ methods: {} });
    const agent = `http://127.0.0.1:${await freePort()}/`;
    for (const waitSec of [0, 300]) {
      const error = await failure(whileTicking(rig.clock, ask({ agent, waitSec })), "PEER_UNREACHABLE");
      assert.match(error.message, /nothing listens there.*task \S+ may still be kept there/);
      assert.match(error.hint, /another port.*a2a-server status.*same task id/);
    }
  });

  it("waits until the task asks a question", async () => {
    const message = agentMessage({ parts: [{ text: "Which?" }] });
    rig = await startRig({
      methods: {
        GetTask: (request, response, nth) =>
          sendResult(
            request,
            response,
            nth < 4 ? task() : { ...task(), status: { state: "TASK_STATE_INPUT_REQUIRED", message } },
          ),
      },
    });
    assert.equal((await askTicking({ waitSec: 300 })).text, "Which?");
  });

  it("gives the state that it has when the wait is over (C39)", async () => {
    rig = await startRig({ methods: { GetTask: working } });
    const began = rig.clock.monotonic();
    const result = await askTicking({ waitSec: 5 });
    assert.equal(result.state, "TASK_STATE_WORKING");
    assert.equal(result.taskId, TASK_ID);
    assert.ok(Math.abs(rig.clock.monotonic() - began - 5000) < 1000, "the wait took its five seconds");
  });

  it("keeps waiting while the peer is away, and gives the last known state (C39)", async () => {
    rig = await startRig({
      methods: {
        GetTask: (request, response, nth) => (nth === 1 ? working(request, response, nth) : request.socket.destroy()),
      },
    });
    const result = await askTicking({ waitSec: 5 });
    assert.equal(result.state, "TASK_STATE_WORKING");
    assert.ok(rig.peer.calls("GetTask").length > 3);
    assert.equal(result.unanswered?.stateKnown, true);
    assert.ok(result.unanswered.forMs > 3000 && result.unanswered.forMs <= 5000, String(result.unanswered.forMs));
  });

  it("does not call a peer away that answered last", async () => {
    rig = await startRig({
      methods: {
        GetTask: (request, response, nth) => (nth === 2 ? request.socket.destroy() : working(request, response, nth)),
      },
    });
    assert.equal((await askTicking({ waitSec: 5 })).unanswered, undefined);
  });

  it("ends the wait in time at a peer that takes 20 s for an answer (C39)", async () => {
    rig = await startRig({ methods: { GetTask: silent } });
    const pending = ask({ waitSec: 5 });
    await rig.peer.arrived(2);
    rig.clock.tick(5000);
    const result = await pending;
    assert.equal(result.taskId, TASK_ID);
    assert.deepEqual(result.unanswered, { forMs: 5000, stateKnown: false });
    assert.equal(result.text, "");
    await rig.peer.allClosed();
  });

  it("waits longer than a call to the peer may take", async () => {
    rig = await startRig({
      methods: {
        GetTask: (request, response, nth) => sendResult(request, response, nth < 22 ? task() : completedTask("late")),
      },
    });
    assert.equal((await whileTicking(rig.clock, ask({ waitSec: 900 }), 500)).text, "late");
    assert.ok(rig.clock.monotonic() > 360_000);
  });

  it("ends the wait, never the task, when its caller's signal aborts (C33)", async () => {
    rig = await startRig({ methods: { GetTask: working } });
    const stop = new AbortController();
    const pending = failure(askTicking({ waitSec: 300, signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(4);
    stop.abort();
    const error = await pending;
    assert.match(error.message, /the wait for task .* was ended/);
    assert.match(error.hint, /The task goes on/);
    assert.equal(rig.peer.calls("CancelTask").length, 0);
  });

  it("ends at once when its signal aborts while the peer is silent (C33)", async () => {
    rig = await startRig({ methods: { GetTask: silent } });
    const stop = new AbortController();
    const pending = failure(ask({ waitSec: 300, signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(2);
    stop.abort();
    await pending;
    await rig.peer.allClosed();
  });

  it("refuses an empty task id", async () => {
    rig = await startRig({});
    await failure(ask({ taskId: " " }), "INVALID_PARAMS");
  });

  it("tells progress while it waits", async () => {
    rig = await startRig({
      methods: {
        GetTask: (request, response, nth) => sendResult(request, response, nth < 3 ? task() : completedTask()),
      },
    });
    const states: (string | undefined)[] = [];
    await askTicking({ waitSec: 60, onProgress: ({ state }) => states.push(state) });
    assert.deepEqual(states.slice(0, 1), ["TASK_STATE_WORKING"]);
  });

  it("cancels a task and gives it as the peer then has it", async () => {
    rig = await startRig({
      methods: { CancelTask: (request, response) => sendResult(request, response, task("TASK_STATE_CANCELED")) },
    });
    const result = await rig.client.cancel(rig.peer.origin, TASK_ID, { typed: true });
    assert.equal(result.state, "TASK_STATE_CANCELED");
  });

  it("passes the error of a cancel on", async () => {
    rig = await startRig({
      methods: { CancelTask: (request, response) => sendError(request, response, -32002, "it has ended") },
    });
    const error = await failure(rig.client.cancel(rig.peer.origin, TASK_ID, { typed: true }), "PEER_ERROR");
    assert.equal(error.metadata.rpcCode, "-32002");
  });
  it("says what it means that the peer does not know the task, or is not there (S19)", async () => {
    rig = await startRig({
      methods: { CancelTask: (request, response) => sendError(request, response, -32001, "no such task") },
    });
    const lost = await failure(rig.client.cancel(rig.peer.origin, TASK_ID, { typed: true }), "PEER_ERROR");
    assert.match(lost.message, /-32001: no such task; the peer does not know task \S+ any more/);
    const agent = `http://127.0.0.1:${await freePort()}/`;
    const gone = await failure(
      whileTicking(rig.clock, rig.client.cancel(agent, TASK_ID, { typed: true })),
      "PEER_UNREACHABLE",
    );
    assert.match(gone.message, /nothing listens there.*task \S+ may still be kept there/);
  });
});
