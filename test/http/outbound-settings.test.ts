// What the settings of outbound calls change, seen by the peer.

import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { encodeCard } from "../../src/core/protocol/encode.ts";
import { agentCard, agentInterface, completedTask } from "../support/builders.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { sendResult } from "../support/http-peer.ts";
import { createTestClient, failure, type Rig, startRig, testSettings } from "../support/outbound-rig.ts";
import { TEST_TLS_CERTIFICATE, TEST_TLS_KEY } from "../support/tls-fixture.ts";

describe("retryAttempts", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  for (const retryAttempts of [0, 1, 4]) {
    it(`of ${retryAttempts} sends a message that was not taken ${retryAttempts + 1} times (G11)`, async () => {
      rig = await startRig({
        methods: { SendMessage: (_request, response) => response.writeHead(503, { "Retry-After": "1" }).end("full") },
      });
      rig.settings = testSettings({ retryAttempts });
      await failure(rig.callTicking(), "PEER_REFUSED");
      assert.equal(rig.peer.calls("SendMessage").length, retryAttempts + 1);
    });
  }
});

describe("verifySsl", () => {
  let server: Server;
  let origin: string;
  let bodies: string[];
  const clock = createFakeClock();
  beforeEach(async () => {
    bodies = [];
    server = createServer({ key: TEST_TLS_KEY, cert: TEST_TLS_CERTIFICATE }, (request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on("end", () => {
        if (request.method === "GET") {
          response.end(
            JSON.stringify(encodeCard(agentCard({ supportedInterfaces: [agentInterface({ url: `${origin}/` })] }))),
          );
          return;
        }
        bodies.push(body);
        const { id } = JSON.parse(body);
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { task: completedTask("secret") } }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const call = async (verifySsl: boolean): Promise<string> => {
    const client = createTestClient(clock, () => testSettings({ verifySsl }));
    try {
      const request = { agent: origin, text: "hello", detached: false, typed: true };
      // The clock stands still: a handshake takes real time, in which a clock that moves would end the connection.
      return (await client.call(request)).text;
    } finally {
      await client.close();
    }
  };

  it("of true keeps the message from a peer whose certificate nobody vouches for", async () => {
    const error = await failure(call(true), "PEER_UNREACHABLE");
    assert.match(error.message, /self-signed certificate/);
    assert.deepEqual(bodies, []);
  });

  it("of false hands it over, card and message alike (G11)", async () => {
    assert.equal(await call(false), "secret");
    assert.equal(bodies.length, 1);
  });
});

describe("a peer of the repository", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  it("is called without any credential, by its name and by its address (X06)", async () => {
    rig = await startRig({
      methods: {
        SendMessage: (request, response) => sendResult(request, response, { task: completedTask() }),
      },
    });
    const base = testSettings({ peers: { helper: { url: rig.peer.origin, origin: "repository" } } });
    const server = { ...base.server, sharedToken: "shared", peerTokens: { me: "mine" } };
    rig.settings = { ...base, server, selfIdentity: "me" };
    await rig.call({ agent: "helper" });
    await rig.call({ agent: rig.peer.origin });
    assert.equal(rig.peer.calls("SendMessage").length, 2);
    for (const { headers, body } of rig.peer.requests) {
      assert.equal(headers.authorization, undefined);
      assert.equal(headers["x-api-key"], undefined);
      assert.doesNotMatch(JSON.stringify(headers) + body, /shared|mine/);
    }
  });
});
