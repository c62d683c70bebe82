// Outbound HTTP over real sockets: bodies, caps, ends, addresses, reuse of connections.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";
import { afterEach, describe, it } from "mocha";
import { A2aError, isA2aError } from "../../../../src/core/platform/errors.ts";
import { createHttpPort, type HttpDeps } from "../../../../src/core/platform/http.ts";
import { mayTryAgain } from "../../../../src/core/platform/http-errors.ts";
import type { HttpPort, HttpRequest } from "../../../../src/core/platform/http-types.ts";
import { NETWORK_RULES } from "../../../../src/core/security/call-rule.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { type HttpPeer, sendJson, startHttpPeer, startRawPeer } from "../../../support/http-peer.ts";

describe("outbound HTTP", () => {
  const open: { stop?(): Promise<void>; close?(): void }[] = [];
  const own = <T extends { stop?(): Promise<void>; close?(): void }>(thing: T): T => {
    open.push(thing);
    return thing;
  };
  afterEach(async () => {
    for (const thing of open.splice(0).reverse()) {
      thing.close?.();
      await thing.stop?.();
    }
  });

  const clock = createFakeClock();
  const port = (deps: Partial<HttpDeps> = {}): HttpPort =>
    own(createHttpPort({ clock, network: NETWORK_RULES, ...deps }));
  const peerThat = async (answer: HttpPeer["answer"]): Promise<HttpPeer> => own(await startHttpPeer(answer));

  it("gives status, headers in lower case and the whole text", async () => {
    const peer = await peerThat((_request, response) => sendJson(response, { ok: "ja ✓" }, 201, { "X-Name": "a" }));
    const http = port();
    const answer = await http.request(get(peer.origin));
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get("x-name"), "a");
    assert.equal(await answer.text(), '{"ok":"ja ✓"}');
    assert.equal(clock.pending(), 0);
  });

  it("sends the body with its length and asks for no encoding", async () => {
    const peer = await peerThat((_request, response) => response.end());
    await (await port().request(post(peer.origin, "✓"))).text();
    const [request] = peer.requests;
    assert.equal(request?.body, "✓");
    assert.equal(request?.headers["content-length"], "3");
    assert.equal(request?.headers["accept-encoding"], "identity");
    assert.equal(request?.headers["transfer-encoding"], undefined);
  });

  it("does not send user and password of the URL", async () => {
    const peer = await peerThat((_request, response) => response.end());
    await (await port().request(get(`http://user:secret@127.0.0.1:${peer.port}/`))).text();
    assert.equal(peer.requests[0]?.headers.authorization, undefined);
  });

  for (const status of [301, 302, 307, 308]) {
    it(`does not follow a ${status} (C10)`, async () => {
      const target = await peerThat((_request, response) => response.end("stolen"));
      const peer = await peerThat((_request, response) =>
        response.writeHead(status, { Location: `${target.origin}/` }).end(),
      );
      const answer = await port().request(post(peer.origin, "task text"));
      await answer.text();
      assert.equal(answer.status, status);
      assert.equal(target.requests.length, 0);
    });
  }

  it("stops reading a body without a length at the cap (C30)", async () => {
    const peer = await peerThat((_request, response) => {
      const flood = (): void => {
        while (!response.destroyed && response.write("x".repeat(65536)));
        if (!response.destroyed) response.once("drain", flood);
      };
      flood();
    });
    const answer = await port().request({ ...get(peer.origin), maxBytes: 1024 * 1024 });
    await assert.rejects(answer.text(), failsWith("PEER_BAD_REPLY", /larger than 1 MiB/));
    await peer.allClosed();
  });

  it("does not read a body whose length is announced beyond the cap (C30)", async () => {
    const peer = await peerThat((_request, response) => {
      response.writeHead(200, { "Content-Length": String(300 * 1024 * 1024) });
      response.flushHeaders();
    });
    const answer = await port().request({ ...get(peer.origin), maxBytes: 1024 * 1024 });
    await assert.rejects(answer.text(), failsWith("PEER_BAD_REPLY", /larger than/));
    await peer.allClosed();
  });

  it("closes the connection when the loop over chunks is left early (C19)", async () => {
    const peer = await peerThat((_request, response) => response.write("first"));
    const http = port();
    for (let n = 0; n < 50; n++) {
      const answer = await http.request(get(peer.origin));
      for await (const chunk of answer.chunks()) {
        assert.equal(Buffer.from(chunk).toString(), "first");
        break;
      }
      answer.close();
    }
    assert.equal(await peer.allClosed(), 50);
  });

  it("closes the connection of an answer that nobody reads", async () => {
    const peer = await peerThat((_request, response) => response.writeHead(401).end("no"));
    const answer = await port().request(get(peer.origin));
    answer.close();
    await peer.allClosed();
    assert.equal(clock.pending(), 0);
  });

  it("ends at once when its signal aborts before the answer, and the peer sees the socket close (C33)", async () => {
    const peer = await peerThat(noAnswer);
    const stop = new AbortController();
    const pending = port().request({ ...get(peer.origin), signal: stop.signal });
    await peer.arrived(1);
    stop.abort();
    await assert.rejects(pending, failsWith("CANCELLED"));
    await peer.allClosed();
    assert.equal(clock.pending(), 0);
  });

  it("throws the reason of its signal in the middle of a body", async () => {
    const peer = await peerThat((_request, response) => response.write("half"));
    const stop = new AbortController();
    const answer = await port().request({ ...get(peer.origin), signal: stop.signal });
    const text = answer.text();
    stop.abort(new A2aError("PEER_TIMEOUT", "too slow"));
    await assert.rejects(text, failsWith("PEER_TIMEOUT", /too slow/));
    await peer.allClosed();
  });

  it("sends nothing when its signal has aborted before", async () => {
    const peer = await peerThat(noAnswer);
    await assert.rejects(port().request({ ...get(peer.origin), signal: AbortSignal.abort() }), failsWith("CANCELLED"));
    assert.equal(peer.openSockets(), 0);
  });

  it("gives up connecting at its own limit and says that nothing was sent", async () => {
    const http = port({ resolve: () => undefined });
    const pending = http.request(get("http://slow.example/"));
    await nextTurn();
    clock.tick(10_000);
    const error = await pending.catch((caught: unknown) => caught);
    assert.ok(isA2aError(error, "PEER_UNREACHABLE"));
    assert.equal(error.metadata.sent, "no");
    assert.match(error.message, /slow\.example within 10 s/);
    assert.equal(clock.pending(), 0);
  });

  it("ends a silent answer at its idle limit, and any byte starts the limit anew", async () => {
    const peer = await peerThat((_request, response) => response.write(": first\n"));
    const http = port();
    const answer = await http.request({ ...get(peer.origin), idleTimeoutMs: 120_000 });
    const chunks = answer.chunks()[Symbol.asyncIterator]();
    await chunks.next();
    clock.tick(119_000);
    const second = chunks.next();
    peer.requests[0]?.socket.write("8\r\n: alive\n\r\n");
    await second;
    clock.tick(119_000);
    const third = chunks.next();
    third.catch(() => undefined);
    clock.tick(1_001);
    await assert.rejects(third, failsWith("PEER_TIMEOUT", /nothing for 120 s/));
    await peer.allClosed();
    assert.equal(clock.pending(), 0);
  });

  it("waits 312 s for an answer when no idle limit is set: no timer of ours or Node's ends it (C28)", async () => {
    const seen: ClientRequest[] = [];
    const listener = (message: unknown): void => {
      seen.push((message as { request: ClientRequest }).request);
    };
    subscribe("http.client.request.start", listener);
    let release: () => void = () => undefined;
    const peer = await peerThat((_request, response) => {
      release = () => response.end("late");
    });
    const pending = port().request(post(peer.origin, "slow task"));
    await peer.arrived(1);
    unsubscribe("http.client.request.start", listener);
    assert.equal(clock.pending(), 0);
    clock.tick(312_000);
    // What Node does when a timeout on the socket or the request passes; only a listener of ours could end the request.
    seen[0]?.socket?.emit("timeout");
    seen[0]?.emit("timeout");
    release();
    assert.equal(await (await pending).text(), "late");
  });

  it("reuses an idle connection under the same address policy only", async () => {
    const peer = await peerThat((_request, response) => response.end("ok"));
    const http = port();
    await (await http.request(get(peer.origin))).text();
    await (await http.request(get(peer.origin))).text();
    assert.equal(peer.openSockets(), 1);
    await (await http.request({ ...get(peer.origin), addresses: "public-or-loopback" })).text();
    assert.equal(peer.openSockets(), 2);
  });

  it("closes its idle connections and refuses later requests when it is closed", async () => {
    const peer = await peerThat((_request, response) => response.end("ok"));
    const http = port();
    await (await http.request(get(peer.origin))).text();
    http.close();
    assert.equal(await peer.allClosed(), 1);
    await assert.rejects(http.request(get(peer.origin)), failsWith("CANCELLED"));
  });

  it("sends a POST once on a new connection when the idle one was closed just before (C29)", async () => {
    const peer = await peerThat((_request, response) => response.end("ok"));
    const http = port();
    for (let n = 1; n <= 50; n++) {
      const answer = await http.request(post(peer.origin, `task ${n}`));
      await answer.text();
      // The client has not heard of this close when it takes the connection for its next request.
      const socket = peer.requests.at(-1)?.socket;
      socket?.end();
      socket?.destroy();
    }
    assert.deepEqual(
      peer.requests.map((request) => request.body),
      Array.from({ length: 50 }, (_unused, n) => `task ${n + 1}`),
    );
  });

  it("does not send a POST again when the connection is lost after it was sent (C29)", async () => {
    const peer = await peerThat((_request, response) => response.end("ok"));
    const http = port();
    await (await http.request(post(peer.origin, "one"))).text();
    peer.answer = (request) => request.socket.destroy();
    const error = await http.request(post(peer.origin, "two")).catch((caught: unknown) => caught);
    assert.ok(isA2aError(error, "PEER_UNREACHABLE"));
    assert.equal(mayTryAgain(error), false);
    assert.match(error.hint, /may have taken/);
    assert.equal(peer.requests.filter((request) => request.body === "two").length, 1);
  });

  it("sends once more what only asks, when a reused connection is lost on it, and a new one not (C29)", async () => {
    const peer = await peerThat((_request, response) => response.end("ok"));
    const http = port();
    const questions = [get(peer.origin), { ...post(peer.origin, "how is it?"), repeatable: true }];
    for (const question of questions) {
      await (await http.request(question)).text();
      peer.answer = (request, response) => {
        peer.answer = (_again, fine) => fine.end("as before");
        request.socket.destroy();
        response.destroy();
      };
      assert.equal(await (await http.request(question)).text(), "as before");
    }
    const fresh = port();
    peer.answer = (request) => request.socket.destroy();
    await assert.rejects(fresh.request(get(peer.origin)), failsWith("PEER_UNREACHABLE"));
    assert.equal(clock.pending(), 0);
  });

  it("says that nothing listens when a connection is refused, and that a second try is safe", async () => {
    const peer = await startHttpPeer();
    await peer.stop();
    const error = await port()
      .request(post(peer.origin, "task"))
      .catch((caught: unknown) => caught);
    assert.ok(isA2aError(error, "PEER_UNREACHABLE"));
    assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${peer.port}.*ECONNREFUSED`));
    assert.equal(mayTryAgain(error), true);
    assert.equal(clock.pending(), 0);
  });

  const RAW: readonly [name: string, bytes: string, code: "PEER_BAD_REPLY" | "PEER_UNREACHABLE"][] = [
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "PEER_BAD_REPLY"],
    ["headers without end", `HTTP/1.1 200 OK\r\nX: ${"x".repeat(40_000)}\r\n`, "PEER_BAD_REPLY"],
    ["nothing", "", "PEER_UNREACHABLE"],
    ["half a head", "HTTP/1.1 200 O", "PEER_UNREACHABLE"],
    [
      "another protocol (101)",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      "PEER_BAD_REPLY",
    ],
  ];
  for (const [name, bytes, code] of RAW) {
    it(`fails clearly when the peer answers ${name} and closes`, async () => {
      const peer = own(await startRawPeer((socket) => socket.end(bytes)));
      const failed = port().request(post(peer.origin, "{}"));
      await assert.rejects(failed, failsWith(code));
      await peer.allClosed();
      assert.equal(clock.pending(), 0);
    });
  }

  const CUT: readonly [name: string, head: string][] = [
    ["a body shorter than its length", "Content-Length: 100\r\n\r\nshort"],
    ["a chunked body without end", "Transfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n"],
  ];
  for (const [name, head] of CUT) {
    it(`does not take ${name} for a whole one`, async () => {
      const peer = own(await startRawPeer((socket) => socket.end(`HTTP/1.1 200 OK\r\n${head}`)));
      const answer = await port().request(get(peer.origin));
      await assert.rejects(answer.text(), failsWith("PEER_UNREACHABLE", /in the middle of its answer/));
      await peer.allClosed();
    });
  }

  it("fails clearly when the connection is reset", async () => {
    const peer = own(await startRawPeer((socket) => socket.resetAndDestroy()));
    await assert.rejects(port().request(post(peer.origin, "{}")), failsWith("PEER_UNREACHABLE", /before it answered/));
    await peer.allClosed();
  });

  it("says so when a header cannot be sent", async () => {
    const peer = await peerThat(noAnswer);
    const request = { ...get(peer.origin), headers: { "X-Bad": "a\nb" } };
    await assert.rejects(port().request(request), failsWith("INTERNAL", /cannot be sent/));
  });

  it("speaks only http and https", async () => {
    for (const url of ["ftp://127.0.0.1/", "file:///etc/passwd", "not a url", ""]) {
      await assert.rejects(port().request(get(url)), failsWith("ADDRESS_REFUSED"));
    }
  });
});

/** Keeps the request open. */
const noAnswer = (): void => undefined;

function get(url: string): HttpRequest {
  return {
    method: "GET",
    url,
    headers: {},
    connectTimeoutMs: 10_000,
    maxBytes: 1024 * 1024,
    signal: new AbortController().signal,
    addresses: "any",
  };
}

function post(url: string, body: string): HttpRequest {
  return { ...get(url), method: "POST", body };
}

function failsWith(code: A2aError["code"], message = /./) {
  return (error: unknown): boolean => {
    assert.ok(isA2aError(error, code), `expected ${code}, got ${String(error)}`);
    assert.match(error.message, message);
    return true;
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
