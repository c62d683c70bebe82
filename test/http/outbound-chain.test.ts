// What a call carries of the work that it belongs to: the chain of sessions in the message, the trace in the headers.

import assert from "node:assert/strict";
import { OWN_EXTENSION } from "../../src/core/protocol/extension-uris.ts";
import { completedTask, task } from "../support/builders.ts";
import { type PeerRequest, sendResult } from "../support/http-peer.ts";
import { failure, type Rig, startRig, testSettings } from "../support/outbound-rig.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const CHAIN = {
  traceparent: `00-${TRACE_ID}-00f067aa0ba902b7-00`,
  tracestate: "a=b",
  sessions: ["first", "second"],
  hopsLeft: 2,
};

describe("a call that is part of other work", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({
      methods: {
        SendMessage: (request, response) =>
          sendResult(request, response, { task: { ...task(), status: { state: "TASK_STATE_WORKING" } } }),
        GetTask: (request, response) => sendResult(request, response, completedTask("42")),
        CancelTask: (request, response) => sendResult(request, response, task("TASK_STATE_CANCELED")),
      },
    });
  });
  afterEach(() => rig.end());

  it("carries the chain on, with this session added and a hop less", async () => {
    await rig.callTicking({ chain: CHAIN });
    assert.deepEqual(chainIn(rig.peer.calls("SendMessage")[0]), {
      sessions: ["first", "second", "caller-session"],
      hopsLeft: 1,
    });
  });

  it("carries the trace in every request, card and polls included, under one span of its own", async () => {
    await rig.callTicking({ chain: CHAIN });
    const parents = rig.peer.requests.map(({ headers }) => headers.traceparent);
    assert.ok(parents.length >= 3);
    assert.deepEqual([...new Set(parents)], [`00-${TRACE_ID}-0000000000000001-00`]);
    assert.deepEqual([...new Set(rig.peer.requests.map(({ headers }) => headers.tracestate))], ["a=b"]);
  });

  it("starts a trace when it begins here, a new one for each call", async () => {
    await rig.callTicking();
    await rig.callTicking();
    const ids = rig.peer.calls("SendMessage").map(({ headers }) => String(headers.traceparent).split("-")[1]);
    assert.equal(new Set(ids).size, 2);
    for (const id of ids) assert.match(id ?? "", /^[0-9a-f]{32}$/);
    assert.equal(rig.peer.calls("SendMessage")[0]?.headers.tracestate, undefined);
  });

  it("begins with as many hops as a2a.server.maxHops says, less its own (G11)", async () => {
    const settings = testSettings();
    rig.settings = { ...settings, server: { ...settings.server, maxHops: 2 } };
    await rig.callTicking();
    assert.deepEqual(chainIn(rig.peer.calls("SendMessage")[0]), { sessions: ["caller-session"], hopsLeft: 1 });
  });

  it("is not made when no hop is left, and says what to do instead", async () => {
    const error = await failure(rig.callTicking({ chain: { ...CHAIN, hopsLeft: 0 } }), "HOPS_USED_UP");
    assert.match(error.message, /passed on 2 times/);
    assert.match(error.hint, /Finish the task here/);
    assert.equal(rig.peer.requests.length, 0);
  });

  it("carries the trace when it asks for a card, a state or an end", async () => {
    const ask = { typed: false, chain: CHAIN };
    await rig.client.discover(rig.peer.origin, ask);
    await rig.client.status({ ...ask, agent: rig.peer.origin, taskId: "t-1", waitSec: 0 });
    await rig.client.cancel(rig.peer.origin, "t-1", ask);
    for (const { headers } of rig.peer.requests) assert.match(String(headers.traceparent), new RegExp(TRACE_ID));
  });
});

function chainIn(request: PeerRequest | undefined): unknown {
  const params = request?.rpc.params as { message: { metadata: Record<string, { chain: unknown }> } };
  return params.message.metadata[OWN_EXTENSION]?.chain;
}
