// verifySsl: false through a proxy of the environment, over real sockets: client, proxy, TLS server.

import assert from "node:assert/strict";
import { createServer as createHttpServer, type Server as HttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, it } from "mocha";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createHttpPort } from "../../../../src/core/platform/http.ts";
import type { HttpPort, HttpRequest } from "../../../../src/core/platform/http-types.ts";
import { NETWORK_RULES } from "../../../../src/core/security/call-rule.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { TEST_TLS_CERTIFICATE, TEST_TLS_KEY } from "../../../support/tls-fixture.ts";

describe("verifySsl: false through a proxy", () => {
  const clock = createFakeClock();
  let server: Server;
  let proxy: HttpServer;
  let http: HttpPort;
  let asked: { readonly target: string | undefined; readonly login: string | undefined }[];
  let refusal: string | undefined;
  const sockets = new Set<Socket>();

  beforeEach(async () => {
    asked = [];
    refusal = undefined;
    server = createServer({ key: TEST_TLS_KEY, cert: TEST_TLS_CERTIFICATE }, (request, response) => {
      request.resume();
      response.end(`${request.headers.host} ${request.headers.authorization}`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    proxy = createHttpServer();
    proxy.on("connect", (request, socket: Socket) => {
      asked.push({ target: request.url, login: request.headers["proxy-authorization"] });
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
      if (refusal !== undefined) return void socket.end(refusal);
      const onward = connect((server.address() as AddressInfo).port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const { port } = proxy.address() as AddressInfo;
    http = createHttpPort({
      clock,
      network: NETWORK_RULES,
      proxies: { https: `http://me:p%40ss@127.0.0.1:${port}` },
      fetch: () => Promise.reject(new Error("fetch checks certificates")),
      resolve: (_host, done) => done(null, [{ address: "203.0.113.9", family: 4 }]),
    });
  });
  afterEach(async () => {
    http.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    server.closeAllConnections();
    await Promise.all([server, proxy].map((one) => new Promise((resolve) => one.close(resolve))));
    assert.equal(clock.pending(), 0);
  });

  const get = (fields: Partial<HttpRequest> = {}): Promise<string> =>
    http
      .request({
        method: "GET",
        url: "https://agent.example/card",
        headers: { Authorization: "Bearer tok" },
        connectTimeoutMs: 10_000,
        maxBytes: 1000,
        signal: new AbortController().signal,
        addresses: "any",
        verifySsl: false,
        ...fields,
      })
      .then((answer) => answer.text());

  it("reaches a host with any certificate, and shows the proxy nothing but its address (G11)", async () => {
    assert.equal(await get(), "agent.example Bearer tok");
    const login = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
    assert.deepEqual(asked, [{ target: "agent.example:443", login }]);
  });

  it("says what the proxy answers when it opens no way", async () => {
    refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
    await assert.rejects(get(), (error) => {
      assert.ok(isA2aError(error, "PEER_UNREACHABLE"));
      assert.match(error.message, /the proxy answered 407 to CONNECT/);
      assert.doesNotMatch(error.message, /p@ss/);
      return true;
    });
  });

  it("ends with its caller's signal while the proxy is silent", async () => {
    proxy.removeAllListeners("connect");
    let opened: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (opened = resolve));
    proxy.on("connect", (_request, socket: Socket) => {
      sockets.add(socket);
      opened();
    });
    const stop = new AbortController();
    const sent = assert.rejects(get({ signal: stop.signal }), (error) => isA2aError(error, "CANCELLED"));
    await waiting;
    stop.abort();
    await sent;
    for (const socket of sockets)
      await new Promise((resolve) => socket.once("end", resolve).once("error", resolve).resume());
  });
});
