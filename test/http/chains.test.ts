// Work that comes by way of other sessions: how far it may go, and that its trace reaches the run.

import assert from "node:assert/strict";
import { OWN_EXTENSION } from "../../src/core/protocol/extension-uris.ts";
import { type CallReply, call, textParams } from "../support/a2a-calls.ts";
import { startTestServer, type TestServer } from "../support/a2a-server.ts";

const TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("work that was passed on", () => {
  let server: TestServer;
  const setting = { maxHops: 4 };
  beforeEach(async () => {
    setting.maxHops = 4;
    server = await startTestServer({
      callerLimits: () => ({ ratePerMin: 0, maxTurns: 20, chain: { sessionId: "here", maxHops: setting.maxHops } }),
    });
  });
  afterEach(() => server.stop());

  const send = (chain: object | undefined, headers = {}): Promise<CallReply> => {
    const metadata = chain === undefined ? {} : { metadata: { [OWN_EXTENSION]: { chain } } };
    return call(server.port, "SendMessage", textParams("hello", metadata), { headers });
  };
  const runOf = async (chain: object | undefined, headers = {}) => {
    const sent = send(chain, headers);
    const run = await server.runner.next();
    run.complete();
    await sent;
    return run.request;
  };
  const refusal = async (chain: object): Promise<string> => {
    const { status, json } = await send(chain);
    assert.equal(status, 200);
    assert.equal(json.result?.task?.status.state, "TASK_STATE_REJECTED");
    assert.equal(server.runner.runs.length, 0);
    return json.result?.task?.status.message?.parts[0]?.text ?? "";
  };

  it("reaches its run with chain and trace", async () => {
    const { chain } = await runOf(
      { sessions: ["first"], hopsLeft: 2 },
      { traceparent: TRACEPARENT, tracestate: "a=b" },
    );
    assert.deepEqual(chain, { traceparent: TRACEPARENT, tracestate: "a=b", sessions: ["first"], hopsLeft: 2 });
  });

  it("gets a trace when it came without one, or with a broken one [sec-trace]", async () => {
    for (const headers of [{}, { traceparent: "garbage" }]) {
      const { chain } = await runOf(undefined, headers);
      assert.match(chain?.traceparent ?? "", /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    }
  });

  it("is rejected with its reason when it comes back to this session [sec-chain-loop]", async () => {
    assert.match(await refusal({ sessions: ["here", "there"], hopsLeft: 2 }), /calling each other in a circle/);
  });

  it("is rejected with its reason when it came too far, by its path or by the caller's number [sec-chain-hops]", async () => {
    assert.match(await refusal({ sessions: ["a", "b", "c", "d", "e"] }), /passed on 5 times/);
    assert.match(await refusal({ sessions: ["a"], hopsLeft: -1 }), /limit is used up/);
  });

  it("goes as far as a2a.server.maxHops says at that moment (G11)", async () => {
    setting.maxHops = 1;
    assert.match(await refusal({ sessions: ["a", "b"] }), /this session takes 1 at most/);
    setting.maxHops = 2;
    assert.equal((await runOf({ sessions: ["a", "b"] })).chain?.hopsLeft, 0);
  });

  it("is work that begins here when its chain is garbage", async () => {
    const { chain } = await runOf({ sessions: { length: 9 }, hopsLeft: "many" });
    assert.deepEqual(chain?.sessions, []);
    assert.equal(chain?.hopsLeft, 4);
  });
});
