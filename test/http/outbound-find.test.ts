// Discovering an agent by what a person types, over real sockets: a bare host and port, and what stands there.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { agentCard } from "../support/builders.ts";
import { startRawPeer } from "../support/http-peer.ts";
import { failure, type Rig, startRig, whileTicking } from "../support/outbound-rig.ts";

async function withRig(work: (rig: Rig, host: string) => Promise<void>, options = {}): Promise<void> {
  const rig = await startRig(options);
  try {
    await work(rig, rig.peer.origin.replace("http://", ""));
  } finally {
    await rig.end();
  }
}

const find = (rig: Rig, host: string, typed = true) => whileTicking(rig.clock, rig.client.discover(host, { typed }));

describe("an agent that a person names by its host", () => {
  it("is found at its port, and all that was tried is named", () =>
    withRig(async (rig, host) => {
      const { card, cardUrl, search } = await find(rig, host);
      assert.equal(card.name, "Test agent");
      assert.equal(cardUrl, `http://${host}/.well-known/agent-card.json`);
      assert.deepEqual(search, { tried: [`http://${host}`, `https://${host}`], others: [] });
    }));

  it("is not looked for when a model names it", () =>
    withRig(async (rig, host) => {
      const { message, hint } = await failure(find(rig, host, false), "PEER_UNKNOWN");
      assert.match(message, /no peer is called/);
      assert.match(hint, /An address needs its scheme/);
      assert.equal(rig.peer.requests.length, 0);
    }));

  it("is said to be none when nothing there has a card", () =>
    withRig(
      async (rig, host) => {
        const { message } = await failure(find(rig, host), "PEER_UNREACHABLE");
        assert.match(message, new RegExp(`no agent was found at ${host}; tried http://${host} \\(no agent card\\)`));
      },
      { card: () => undefined },
    ));

  it("is asked once at each address, also where nothing listens", async () => {
    const peer = await startRawPeer(() => undefined);
    await peer.stop();
    await withRig(async (rig) => {
      const host = `127.0.0.1:${peer.port}`;
      const { message } = await failure(find(rig, host), "PEER_UNREACHABLE");
      assert.equal(message.match(/nothing listens there/g)?.length, 2);
    });
  });

  it("may be hidden behind others that never answer", async () => {
    const silent = await startRawPeer(() => undefined);
    await withRig(async (rig) => {
      const { message } = await failure(find(rig, `127.0.0.1:${silent.port}`), "PEER_UNREACHABLE");
      assert.match(message, /no answer within 5 s/);
    });
    await silent.allClosed();
    await silent.stop();
  });

  it("is a configured peer when one has that name", () =>
    withRig(
      async (rig) => {
        rig.settings = {
          ...rig.settings,
          peers: { desk: { url: rig.peer.origin, origin: "operator", capabilities: [], headers: {} } },
        };
        const { search, peer } = await find(rig, "desk");
        assert.equal(peer.source, "configured");
        assert.equal(search, undefined);
      },
      { card: () => agentCard() },
    ));
});
