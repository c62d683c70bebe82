// What single agents do that no other does, by their doubles: our client takes it as it is meant, or says what happened.

import assert from "node:assert/strict";
import type { PeerSettings } from "../../src/core/config/settings.ts";
import type { CallRequest, CallResult } from "../../src/outbound/client-types.ts";
import { startAgentCoreServer } from "../support/doubles/agentcore-server.ts";
import type { Double } from "../support/doubles/double.ts";
import { startEarlierPiServer } from "../support/doubles/earlier-pi-server.ts";
import { startHermesServer } from "../support/doubles/hermes-server.ts";
import { LANGGRAPH_KEY, startLangGraphServer } from "../support/doubles/langgraph-server.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createTestClient, failure, testSettings, whileTicking } from "../support/outbound-rig.ts";

type Call = (text: string, fields?: Partial<CallRequest>) => Promise<CallResult>;

async function calling(
  start: Promise<Double>,
  work: (call: Call) => Promise<void>,
  login: Partial<PeerSettings> = {},
): Promise<void> {
  const double = await start;
  const clock = createFakeClock();
  const settings = testSettings({ peers: { double: { url: double.url, ...login } } });
  const client = createTestClient(clock, () => settings);
  try {
    await work((text, fields) =>
      whileTicking(clock, client.call({ agent: "double", text, detached: false, typed: false, ...fields })),
    );
  } finally {
    await client.close();
    await double.peer.stop();
  }
}

describe("what is odd about single agents", () => {
  it("Hermes serves several agents below their names", () =>
    calling(startHermesServer({ slug: "coder" }), async (call) => {
      assert.equal((await call("hi")).text, "Hermes: hi");
    }));

  it("Hermes may finish without a word", () =>
    calling(startHermesServer({ silent: true }), async (call) => {
      const { state, text } = await call("hi");
      assert.equal(state, "TASK_STATE_COMPLETED");
      assert.equal(text, "");
    }));

  it("Hermes stops a context after some turns, and says so", () =>
    calling(startHermesServer({ maxTurns: 1 }), async (call) => {
      const { contextId = "" } = await call("one");
      const { state, text } = await call("two", { contextId });
      assert.equal(state, "TASK_STATE_REJECTED");
      assert.match(text, /Anti-loop protection/);
    }));

  it("earlier pi-a2a sessions are busy with a code of their own", () =>
    calling(startEarlierPiServer({ streaming: false }), async (call) => {
      const error = await failure(call("be busy"), "PEER_REFUSED");
      assert.match(error.message, /HTTP 503: .*server busy/);
      assert.equal(error.metadata.rpcCode, "-32053");
    }));

  it("LangGraph refuses a context that it cannot have made", () =>
    calling(
      startLangGraphServer(),
      async (call) => {
        const error = await failure(call("hi", { contextId: "ctx-1" }), "PEER_ERROR");
        assert.match(error.message, /contextId must be a UUID/);
      },
      { headers: { "x-api-key": LANGGRAPH_KEY } },
    ));

  it("AgentCore hides its card from who has no login", () =>
    calling(startAgentCoreServer(), async (call) => {
      const error = await failure(call("hi"), "PEER_REFUSED");
      assert.match(error.message, /HTTP 401/);
    }));
});
