// When a proxy of the environment is used, and that calls to loopback and private hosts never see it.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isA2aError } from "../../../../src/core/platform/errors.ts";
import { createHttpPort, type HttpDeps } from "../../../../src/core/platform/http.ts";
import type { Fetch } from "../../../../src/core/platform/http-fetch.ts";
import type { Resolve } from "../../../../src/core/platform/http-lookup.ts";
import { proxyApplies, proxySettings } from "../../../../src/core/platform/http-proxy.ts";
import type { HttpRequest, HttpResponse } from "../../../../src/core/platform/http-types.ts";
import { NETWORK_RULES } from "../../../../src/core/security/call-rule.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { type HttpPeer, type PeerRequest, startHttpPeer } from "../../../support/http-peer.ts";

const PROXY = { http: "http://proxy.example:3128", https: "http://proxy.example:3128" };
const resolveTo =
  (address: string): Resolve =>
  (_host, done) =>
    done(null, [{ address, family: 4 }]);
const noName: Resolve = (_host, done) => done(new Error("no such name"), []);

describe("variables of a proxy", () => {
  it("prefers lower case, and uses the http proxy for https when that has none", () => {
    assert.deepEqual(proxySettings({ HTTP_PROXY: "http://a", http_proxy: "http://b", NO_PROXY: "x" }), {
      http: "http://b",
      https: "http://b",
      noProxy: "x",
    });
    assert.deepEqual(proxySettings({ HTTP_PROXY: " ", https_proxy: "http://c" }), { https: "http://c" });
    assert.deepEqual(proxySettings({}), {});
  });

  const CASES: readonly [url: string, noProxy: string, applies: boolean][] = [
    ["http://agent.example/", "", true],
    ["https://agent.example/", "other.example", true],
    ["http://agent.example/", "*", false],
    ["http://agent.example/", "agent.example", false],
    ["http://sub.agent.example/", "agent.example", false],
    ["http://sub.agent.example/", ".agent.example, x", false],
    ["http://sub.agent.example/", "*.agent.example", false],
    ["http://myagent.example/", "agent.example", true],
    ["http://agent.example:81/", "agent.example:80", true],
    ["http://agent.example/", "agent.example:80", false],
    ["https://agent.example/", "Agent.Example:443", false],
  ];
  for (const [url, noProxy, applies] of CASES) {
    it(`${applies ? "uses" : "leaves out"} the proxy for ${url} with NO_PROXY=${JSON.stringify(noProxy)}`, () => {
      assert.equal(proxyApplies(new URL(url), { ...PROXY, noProxy }), applies);
    });
  }

  it("uses none for a scheme that has none", () => {
    assert.equal(proxyApplies(new URL("http://agent.example/"), { https: "http://p" }), false);
  });
});

describe("outbound HTTP through a proxy", () => {
  const clock = createFakeClock();
  const request = (fields: Partial<HttpRequest> = {}): HttpRequest => ({
    method: "POST",
    url: "http://agent.example/rpc",
    headers: { "Content-Type": "application/json" },
    body: "{}",
    connectTimeoutMs: 10_000,
    maxBytes: 1000,
    signal: new AbortController().signal,
    addresses: "public-or-loopback",
    ...fields,
  });

  /** A fetch as the host installs it: it leads to the proxy, whatever the URL; here the proxy is the peer. */
  async function withProxy(
    deps: Partial<HttpDeps>,
    answer: HttpPeer["answer"],
    run: (send: (fields?: Partial<HttpRequest>) => Promise<HttpResponse>, peer: HttpPeer) => Promise<void>,
  ): Promise<void> {
    const peer = await startHttpPeer(answer);
    const proxied: Fetch = (url, init) => fetch(new URL(new URL(String(url)).pathname, peer.origin), init);
    const http = createHttpPort({
      clock,
      network: NETWORK_RULES,
      proxies: PROXY,
      fetch: proxied,
      resolve: resolveTo("93.184.216.34"),
      ...deps,
    });
    try {
      await run((fields) => http.request(request(fields)), peer);
    } finally {
      http.close();
      await peer.stop();
      assert.equal(clock.pending(), 0);
    }
  }

  it("reaches a public host by fetch", async () => {
    await withProxy(
      {},
      (_request, response) => response.writeHead(202, { "X-A": "b" }).end("via"),
      async (send, peer) => {
        const answer = await send({ idleTimeoutMs: 5000 });
        assert.equal(answer.status, 202);
        assert.equal(answer.headers.get("x-a"), "b");
        assert.equal(await answer.text(), "via");
        assert.equal(peer.requests[0]?.path, "/rpc");
        assert.equal(peer.requests[0]?.body, "{}");
      },
    );
  });

  it("is left out for calls that must reach a checked address, as only it would know which one it called (P06)", async () => {
    await withProxy(
      { resolve: resolveTo("10.0.0.5") },
      (_request, response) => response.end(),
      async (send, peer) => {
        await assert.rejects(send({ addresses: "public" }), (error) => isA2aError(error, "ADDRESS_REFUSED"));
        assert.equal(peer.requests.length, 0);
      },
    );
    let connecting: () => void = () => undefined;
    const lookedUp = new Promise<void>((resolve) => (connecting = resolve));
    await withProxy(
      { resolve: () => connecting() },
      (_request, response) => response.end(),
      async (send, peer) => {
        const stop = new AbortController();
        const sent = assert.rejects(send({ addresses: "public", signal: stop.signal }));
        await lookedUp;
        stop.abort();
        await sent;
        assert.equal(peer.requests.length, 0);
      },
    );
  });

  it("does not follow redirects there either", async () => {
    await withProxy(
      {},
      (_request, response) => response.writeHead(307, { Location: "/x" }).end(),
      async (send, peer) => {
        const answer = await send();
        await answer.text();
        assert.equal(answer.status, 307);
        assert.equal(peer.requests.length, 1);
      },
    );
  });

  it("keeps the cap, and closes the connection", async () => {
    await withProxy(
      {},
      (_request, response) => response.write("x".repeat(5000)),
      async (send, peer) => {
        await assert.rejects((await send()).text(), (error) => isA2aError(error, "PEER_BAD_REPLY"));
        await closed(await peer.arrived(1));
      },
    );
  });

  it("ends at the signal, with its reason", async () => {
    await withProxy(
      {},
      () => undefined,
      async (send, peer) => {
        const stop = new AbortController();
        const pending = send({ signal: stop.signal });
        await peer.arrived(1);
        stop.abort();
        await assert.rejects(pending, (error) => isA2aError(error, "CANCELLED"));
        await closed(await peer.arrived(1));
      },
    );
  });

  it("ends silence at the idle limit", async () => {
    await withProxy(
      {},
      (_request, response) => response.write("a"),
      async (send, peer) => {
        const answer = await send({ idleTimeoutMs: 5000 });
        const text = answer.text();
        text.catch(() => undefined);
        await new Promise((resolve) => setImmediate(resolve));
        clock.tick(5001);
        await assert.rejects(text, (error) => isA2aError(error, "PEER_TIMEOUT"));
        await closed(await peer.arrived(1));
      },
    );
  });

  it("tells a proxy that is down from an answer that was lost", async () => {
    const down: Fetch = () =>
      Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) }));
    await withProxy(
      { fetch: down },
      () => undefined,
      async (send) => {
        await assert.rejects(send(), (error) => isA2aError(error, "PEER_UNREACHABLE") && error.metadata.sent === "no");
      },
    );
    const lost: Fetch = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("other side closed") }));
    await withProxy(
      { fetch: lost },
      () => undefined,
      async (send) => {
        await assert.rejects(
          send(),
          (error) => isA2aError(error, "PEER_UNREACHABLE") && error.metadata.sent === undefined,
        );
      },
    );
  });

  for (const [name, address] of [
    ["loopback", "127.0.0.1"],
    ["private", "192.168.1.20"],
  ] as const) {
    it(`never sends a call to a ${name} host to the proxy`, async () => {
      const proxied: Fetch = () => assert.fail("the proxy was asked");
      const stop = new AbortController();
      await withProxy(
        { fetch: proxied, resolve: resolveTo(address) },
        () => undefined,
        async (send, peer) => {
          const pending = send({ url: `http://box.example:${peer.port}/`, addresses: "any", signal: stop.signal });
          if (name === "loopback") await peer.arrived(1);
          stop.abort();
          await assert.rejects(pending);
        },
      );
    });
  }

  it("refuses a private host that only a model named, proxy or not", async () => {
    await withProxy(
      { resolve: resolveTo("10.0.0.1") },
      () => undefined,
      async (send) => {
        await assert.rejects(send(), (error) => isA2aError(error, "ADDRESS_REFUSED"));
      },
    );
  });

  it("takes a name that only the proxy resolves when a person vouches for it, else refuses it", async () => {
    await withProxy(
      { resolve: noName },
      (_request, response) => response.end("via"),
      async (send) => {
        assert.equal(await (await send({ addresses: "any" })).text(), "via");
        await assert.rejects(
          send(),
          (error) => isA2aError(error, "ADDRESS_REFUSED") && /only the proxy/.test(error.message),
        );
      },
    );
  });
});

/** Resolves when the connection that carried this request is closed. */
function closed({ socket }: PeerRequest): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });
}
