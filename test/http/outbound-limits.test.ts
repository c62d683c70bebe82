// What ends a call early or delays it: its time, and pauses between tries. After each, no socket and no timer is left.

import assert from "node:assert/strict";
import { afterEach, describe, it } from "mocha";
import { CONTEXT_ID, completedTask, TASK_ID, task } from "../support/builders.ts";
import { sendResult, startHttpPeer } from "../support/http-peer.ts";
import {
  failure,
  type Method,
  nextTurn,
  type Rig,
  startRig,
  testSettings,
  whileTicking,
} from "../support/outbound-rig.ts";

const completed: Method = (request, response) => sendResult(request, response, { task: completedTask("42") });
const acknowledged: Method = (request, response) => sendResult(request, response, { task: task() });
const silent: Method = () => undefined;

describe("the time of a call", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  it("waits 312 s for a blocking peer (C28)", async () => {
    let answer: () => void = () => undefined;
    rig = await startRig({
      methods: { SendMessage: (request, response, nth) => (answer = () => completed(request, response, nth)) },
    });
    const pending = rig.call();
    await rig.peer.arrived(2);
    rig.clock.tick(312_000);
    answer();
    assert.equal((await pending).text, "42");
  });

  it("ends after timeouts.send, says how long that was, and closes the connection", async () => {
    rig = await startRig({ methods: { SendMessage: silent } });
    const ended = failure(rig.call(), "PEER_TIMEOUT");
    await rig.peer.arrived(2);
    rig.clock.tick(360_000);
    const error = await ended;
    assert.match(error.message, new RegExp(`no final answer from 127\\.0\\.0\\.1:${rig.peer.port} within 360 s`));
    await rig.peer.allClosed();
  });

  it("ends after the peer's own timeout in seconds", async () => {
    rig = await startRig({ methods: { SendMessage: silent } });
    rig.settings = testSettings({ peers: { slow: { url: rig.peer.origin, timeout: 20 } } });
    const ended = failure(rig.call({ agent: "slow" }), "PEER_TIMEOUT");
    await rig.peer.arrived(2);
    rig.clock.tick(20_000);
    assert.match((await ended).message, /from slow within 20 s/);
  });

  it("names the task that may still run, and does not cancel it (C40)", async () => {
    rig = await startRig({ methods: { SendMessage: acknowledged, GetTask: acknowledgedTask } });
    rig.settings = testSettings({ timeouts: { send: 5000, async: 30_000, stream: 120_000 } });
    const error = await failure(rig.callTicking(), "PEER_TIMEOUT");
    assert.match(error.message, new RegExp(`task ${TASK_ID} in context ${CONTEXT_ID}: it may still run`));
    assert.match(error.hint, /a2a_status/);
    assert.deepEqual([error.metadata.taskId, error.metadata.contextId], [TASK_ID, CONTEXT_ID]);
    assert.equal(rig.peer.calls("CancelTask").length, 0);
  });
});

const acknowledgedTask: Method = (request, response) => sendResult(request, response, task());

describe("trying again", () => {
  let rig: Rig;
  afterEach(() => rig.end());
  const sent = (): unknown[] =>
    rig.peer
      .calls("SendMessage")
      .map(({ rpc }) => (rpc.params as { message: { messageId: string } }).message.messageId);

  const HEADERS: readonly [retryAfter: string, atLeastMs: number][] = [
    ["2", 2000],
    ["0", 200],
    ["-5", 300],
    ["abc", 300],
  ];
  for (const status of [429, 503]) {
    for (const [retryAfter, atLeastMs] of HEADERS) {
      it(`waits for a ${status} with Retry-After ${retryAfter} and sends the same message again (C32) [client-resend]`, async () => {
        const at: number[] = [];
        rig = await startRig({
          methods: {
            SendMessage: (request, response, nth) => {
              at.push(rig.clock.monotonic());
              if (nth === 1) response.writeHead(status, { "Retry-After": retryAfter }).end("busy");
              else completed(request, response, nth);
            },
          },
        });
        assert.equal((await rig.callTicking()).text, "42");
        assert.ok((at[1] ?? 0) - (at[0] ?? 0) >= atLeastMs, `waited ${at.join(" ")}`);
        assert.equal(new Set(sent()).size, 1);
      });
    }
  }

  it("waits until the date of a Retry-After (C32)", async () => {
    let at = 0;
    rig = await startRig({
      methods: {
        SendMessage: (request, response, nth) => {
          at = rig.clock.now();
          const date = new Date(rig.clock.now() + 5000).toUTCString();
          if (nth === 1) response.writeHead(503, { "Retry-After": date }).end();
          else completed(request, response, nth);
        },
      },
    });
    const began = rig.clock.now();
    await rig.callTicking();
    assert.ok(at - began >= 4000, `waited ${at - began}`);
  });

  it("does not wait 99999999 s, and passes the peer's wish on (C32)", async () => {
    rig = await startRig({
      methods: { SendMessage: (_request, response) => response.writeHead(429, { "Retry-After": "99999999" }).end() },
    });
    const error = await failure(rig.call(), "PEER_REFUSED");
    assert.match(error.message, /HTTP 429; it asks to wait 99999999 s/);
    assert.equal(error.retryAfterSec, 99_999_999);
  });

  it("gives up after two more tries", async () => {
    rig = await startRig({
      methods: { SendMessage: (_request, response) => response.writeHead(503, { "Retry-After": "1" }).end("full") },
    });
    assert.match((await failure(rig.callTicking(), "PEER_REFUSED")).message, /HTTP 503: "full"/);
    assert.equal(sent().length, 3);
  });

  it("does not try again without Retry-After, or after other statuses [client-resend]", async () => {
    for (const [status, retryAfter] of [
      [503, undefined],
      [429, undefined],
      [500, "1"],
      [502, "1"],
    ] as const) {
      rig = await startRig({
        methods: {
          SendMessage: (_request, response) =>
            response.writeHead(status, retryAfter === undefined ? {} : { "Retry-After": retryAfter }).end(),
        },
      });
      const code = status === 500 || status === 502 ? "PEER_BAD_REPLY" : "PEER_REFUSED";
      await failure(rig.callTicking(), code);
      assert.equal(sent().length, 1, `status ${status}`);
      if (status !== 502) await rig.end();
    }
  });

  it("connects again to a peer that is just starting [client-resend]", async () => {
    rig = await startRig({ methods: { SendMessage: completed } });
    const { port, answer } = rig.peer;
    await rig.peer.stop();
    const pending = rig.call();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    const started = await startHttpPeer(answer, port);
    assert.equal((await whileTicking(rig.clock, pending)).text, "42");
    await started.stop();
  });

  it("says that nothing listens after two more connections were refused", async () => {
    rig = await startRig({ methods: { SendMessage: completed } });
    await rig.call();
    await rig.peer.stop();
    const error = await failure(rig.callTicking(), "PEER_UNREACHABLE");
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${rig.peer.port}: nothing listens there`));
  });

  it("stops trying when the caller's signal aborts in a pause", async () => {
    rig = await startRig({
      methods: { SendMessage: (_request, response) => response.writeHead(429, { "Retry-After": "30" }).end() },
    });
    const stop = new AbortController();
    const ended = failure(rig.call({ signal: stop.signal }), "CANCELLED");
    await rig.peer.arrived(2);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    stop.abort();
    await ended;
    assert.equal(sent().length, 1);
  });
});
