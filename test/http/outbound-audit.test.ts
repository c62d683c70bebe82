// What the audit hears of calls to a peer.

import assert from "node:assert/strict";
import { completedTask, TASK_ID } from "../support/builders.ts";
import { sendResult } from "../support/http-peer.ts";
import { failure, type Rig, startRig, testSettings } from "../support/outbound-rig.ts";

describe("outbound audit", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: completedTask("the reply") }),
        GetTask: (request, response) => sendResult(request, response, completedTask("the reply")),
      },
    });
  });
  afterEach(() => rig.end());

  it("has the sending and the outcome of a message, joined by the trace that the peer was sent", async () => {
    await rig.call({ text: "do it", contextId: "ctx-1" });
    const [arrival, outcome, ...more] = rig.audit.entries;
    assert.deepEqual(more, []);
    const traceparent = rig.peer.calls("SendMessage")[0]?.headers.traceparent;
    const common = { direction: "out", identity: new URL(rig.peer.origin).host, method: "SendMessage", traceparent };
    assert.deepEqual(arrival, { ...common, event: "arrival", contextId: "ctx-1", preview: [{ text: "do it" }] });
    const { ms, credential, ...end } = outcome ?? {};
    assert.equal(credential, "none");
    assert.equal(typeof ms, "number");
    assert.deepEqual(end, {
      ...{ ...common, event: "outcome", taskId: TASK_ID, contextId: completedTask().contextId },
      ...{ state: "TASK_STATE_COMPLETED", bytes: 9, preview: [{ text: "the reply" }] },
    });
  });

  it("has the error of a call that failed, and of one that was never made", async () => {
    rig.peer.answer = (_request, response) => response.writeHead(404).end();
    await failure(rig.call(), "PEER_BAD_REPLY");
    await failure(rig.client.call({ agent: "nobody", text: "x", detached: false, typed: false }), "PEER_UNKNOWN");
    assert.deepEqual(
      rig.audit.entries.map(({ event, error }) => [event, error]),
      [
        ["arrival", undefined],
        ["outcome", "PEER_BAD_REPLY"],
      ],
    );
  });

  it("has one line of each other question", async () => {
    const agent = rig.peer.origin;
    await rig.client.discover(agent, { typed: false });
    await rig.client.status({ agent, taskId: TASK_ID, waitSec: 0, typed: false });
    await failure(rig.client.cancel(agent, TASK_ID, { typed: false }), "PEER_BAD_REPLY");
    assert.deepEqual(
      rig.audit.entries.map(({ event, method, taskId, error }) => [event, method, taskId, error]),
      [
        ["call", "GetAgentCard", undefined, undefined],
        ["call", "GetTask", TASK_ID, undefined],
        ["call", "CancelTask", TASK_ID, "PEER_BAD_REPLY"],
      ],
    );
  });

  it("says which kind of login went along, or why none did, and never the login", async () => {
    const server = { ...rig.settings.server, sharedToken: "token-of-all" };
    const auth = { type: "apiKey", token: "key-of-team", header: "X-Team-Key" } as const;
    rig.settings = testSettings({
      server,
      peers: { team: { url: `${rig.peer.origin}/`, auth }, own: { url: "http://x" } },
    });
    const call = (agent: string) => rig.client.call({ agent, text: "x", detached: false, typed: false });
    await call("team");
    rig.settings = testSettings({ server, peers: { own: { url: rig.peer.origin } } });
    await call("own");
    rig.settings = testSettings({ server });
    await call(rig.peer.origin);
    assert.deepEqual(
      rig.audit.entries.flatMap(({ event, credential }) => (event === "outcome" ? [credential] : [])),
      ["apiKey", "session", "none: unknown-url"],
    );
    assert.doesNotMatch(JSON.stringify(rig.audit.entries), /token-of|key-of/);
  });
});
