// Outbound HTTPS: certificates are checked unless a setting says otherwise, and never half.

import assert from "node:assert/strict";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, it } from "mocha";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createHttpPort } from "../../../../src/core/platform/http.ts";
import { mayTryAgain } from "../../../../src/core/platform/http-errors.ts";
import type { HttpPort, HttpRequest } from "../../../../src/core/platform/http-types.ts";
import { NETWORK_RULES } from "../../../../src/core/security/call-rule.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { startHttpPeer, startRawPeer } from "../../../support/http-peer.ts";
import { TEST_TLS_CERTIFICATE, TEST_TLS_KEY } from "../../../support/tls-fixture.ts";

describe("outbound HTTPS", () => {
  const clock = createFakeClock();
  let http: HttpPort;
  let server: Server;
  let bodies: string[];
  let url: string;
  beforeEach(async () => {
    bodies = [];
    http = createHttpPort({ clock, network: NETWORK_RULES });
    server = createServer({ key: TEST_TLS_KEY, cert: TEST_TLS_CERTIFICATE }, (request, response) => {
      request.on("data", (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on("end", () => response.end("secret"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  });
  afterEach(async () => {
    http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    assert.equal(clock.pending(), 0);
  });
  const post = (fields: Partial<HttpRequest> = {}): Promise<string> =>
    http
      .request({
        method: "POST",
        url,
        headers: {},
        body: "task",
        connectTimeoutMs: 10_000,
        maxBytes: 1000,
        signal: new AbortController().signal,
        addresses: "any",
        ...fields,
      })
      .then((answer) => answer.text());

  it("sends nothing to a peer whose certificate nobody vouches for", async () => {
    await assert.rejects(post(), (error) => {
      assert.ok(isA2aError(error, "PEER_UNREACHABLE"));
      assert.match(error.message, /self-signed certificate/);
      assert.equal(error.metadata.sent, "no");
      assert.equal(mayTryAgain(error), false);
      return true;
    });
    assert.deepEqual(bodies, []);
  });

  it("takes any certificate when it is told to, and does not lend that connection to a stricter call", async () => {
    assert.equal(await post({ verifySsl: false }), "secret");
    assert.deepEqual(bodies, ["task"]);
    await assert.rejects(post(), (error) => isA2aError(error, "PEER_UNREACHABLE"));
    assert.deepEqual(bodies, ["task"]);
  });

  it("says that a peer may not speak TLS", async () => {
    const plain = await startHttpPeer();
    await assert.rejects(post({ url: `https://127.0.0.1:${plain.port}/` }), (error) => {
      assert.ok(isA2aError(error, "PEER_UNREACHABLE"));
      assert.match(error.hint, /http:\/\//);
      return true;
    });
    await plain.stop();
  });

  it("counts a handshake that never ends as a connection that does not stand", async () => {
    let greeted: () => void = () => undefined;
    const greeting = new Promise<void>((resolve) => {
      greeted = resolve;
    });
    const mute = await startRawPeer(() => greeted());
    const pending = post({ url: `https://127.0.0.1:${mute.port}/` });
    pending.catch(() => undefined);
    await greeting;
    clock.tick(10_000);
    await assert.rejects(pending, /no connection to .* within 10 s/);
    await mute.allClosed();
    await mute.stop();
  });
});
