// Finding a peer's card and its interface, over real sockets.

import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { afterEach, describe, it } from "mocha";
import { agentCard, agentInterface, completedTask } from "../support/builders.ts";
import { sendJson, sendResult, startHttpPeer } from "../support/http-peer.ts";
import { failure, type Rig, startRig, testSettings } from "../support/outbound-rig.ts";

const WELL_KNOWN = "/.well-known/agent-card.json";
type Page = (response: ServerResponse) => void;
const status =
  (code: number, text = ""): Page =>
  (response) =>
    response.writeHead(code).end(text);

describe("finding a card", () => {
  let rig: Rig;
  afterEach(() => rig.end());

  /** A peer that serves these paths and answers every send. */
  const serve = async (pages: Record<string, Page>): Promise<void> => {
    rig = await startRig();
    rig.peer.answer = (request, response) => {
      if (request.method === "POST") sendResult(request, response, { task: completedTask("42") });
      else (pages[request.path] ?? status(404))(response);
    };
  };
  const card =
    (fields: Parameters<typeof agentCard>[0] = {}, headers: Record<string, string> = {}): Page =>
    (response) =>
      sendJson(
        response,
        agentCard({
          supportedInterfaces: [agentInterface({ url: `${rig.peer.origin}/rpc` })],
          capabilities: {},
          ...fields,
        }),
        200,
        headers,
      );
  const discover = (path = "", typed = false) => rig.client.discover(`${rig.peer.origin}${path}`, { typed });
  const paths = (): string[] =>
    rig.peer.requests.map(({ method, path }) => (method === "GET" ? path : `${method} ${path}`));

  it("gives card, address and chosen interface", async () => {
    await serve({ [WELL_KNOWN]: card() });
    const found = await discover();
    assert.equal(found.card.name, "Test agent");
    assert.equal(found.cardUrl, `${rig.peer.origin}${WELL_KNOWN}`);
    assert.equal(found.chosen?.url, `${rig.peer.origin}/rpc`);
  });

  it("calls the interface of the card, not the address that led to it [client-interface]", async () => {
    await serve({ [WELL_KNOWN]: card() });
    assert.equal((await rig.call()).text, "42");
    assert.deepEqual(paths(), [WELL_KNOWN, "POST /rpc"]);
  });

  const FALLBACK: readonly [name: string, page: Page][] = [
    ["404", status(404)],
    ["405", status(405)],
    ["an HTML page", (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<html>app</html>")],
    ["JSON that is no card", (response) => sendJson(response, { hello: 1 })],
    ["an empty page", status(200)],
  ];
  for (const [name, page] of FALLBACK) {
    it(`falls back to agent.json on ${name} (C08)`, async () => {
      await serve({ [WELL_KNOWN]: page, "/.well-known/agent.json": card() });
      assert.equal((await discover()).cardUrl, `${rig.peer.origin}/.well-known/agent.json`);
    });
  }

  it("reports a 500 as such and looks no further (C08)", async () => {
    await serve({ [WELL_KNOWN]: status(500, "database is down"), "/.well-known/agent.json": card() });
    assert.match((await failure(discover(), "PEER_BAD_REPLY")).message, /HTTP 500: "database is down"/);
    assert.equal(rig.peer.requests.length, 1);
  });

  it("reports a 401 as such when no other address has the card (C08)", async () => {
    await serve({ [WELL_KNOWN]: status(401, "token required") });
    const error = await failure(discover(), "PEER_REFUSED");
    assert.match(error.message, /HTTP 401: "token required".*agent\.json \(HTTP 404\)/);
    assert.match(error.hint, /No login was sent/);
  });

  it("calls an interface that the card names by a path alone (C04)", async () => {
    for (const url of ["/a2a/v1", "../a2a/v1"]) {
      await serve({ [WELL_KNOWN]: card({ supportedInterfaces: [agentInterface({ url })] }) });
      assert.equal((await rig.call()).text, "42");
      assert.deepEqual(paths(), [WELL_KNOWN, "POST /a2a/v1"]);
      if (url === "/a2a/v1") await rig.end();
    }
  });

  it("tries below the path first, then the origin, and keeps the query (C01)", async () => {
    await serve({ [`${WELL_KNOWN}?x=1`]: card() });
    assert.equal((await discover("/agents/foo/?x=1")).cardUrl, `${rig.peer.origin}${WELL_KNOWN}?x=1`);
    assert.deepEqual(paths(), [
      `/agents/foo${WELL_KNOWN}?x=1`,
      "/agents/foo/.well-known/agent.json?x=1",
      "/agents/foo/v1/card?x=1",
      `${WELL_KNOWN}?x=1`,
    ]);
  });

  it("takes a full card URL as it stands", async () => {
    await serve({ "/cards/foo.json?id=7": card() });
    await discover("/cards/foo.json?id=7");
    assert.deepEqual(paths(), ["/cards/foo.json?id=7"]);
  });

  it("says what was tried when there is no card, and sends no task to such an address (C07)", async () => {
    await serve({});
    const error = await failure(rig.call(), "PEER_BAD_REPLY");
    assert.match(error.message, /has no agent card; tried .*agent-card\.json \(HTTP 404\), .*agent\.json \(HTTP 404\)/);
    assert.match(error.hint, /Without a card nothing is sent/);
    assert.ok(rig.peer.requests.every((request) => request.method === "GET"));
  });

  it("does not follow a redirect, and says where it leads [client-no-redirect]", async () => {
    const other = await startHttpPeer((_request, response) => response.end());
    await serve({ [WELL_KNOWN]: (response) => response.writeHead(302, { Location: `${other.origin}/card` }).end() });
    const error = await failure(discover(), "PEER_BAD_REPLY");
    assert.match(error.message, new RegExp(`HTTP 302, Redirects are not followed.*${other.origin}/card`));
    assert.equal(other.requests.length, 0);
    await other.stop();
  });

  it("says which fields of a card are wrong, some at least, and uses the rest", async () => {
    const skills = Array.from({ length: 500 }, () => 7);
    await serve({ [WELL_KNOWN]: (response) => sendJson(response, { name: "x", version: 1, skills }) });
    const { card: found, warnings } = await discover();
    assert.equal(found.name, "x");
    assert.ok(warnings.includes("card.version must be a string, not 1"));
    assert.ok(warnings.length <= 20);
  });

  it("passes over an address that streams without end", async () => {
    await serve({
      [WELL_KNOWN]: (response) => {
        response.writeHead(200, { "Content-Type": "Text/Event-Stream; charset=utf-8" }).write(": hello\n\n");
      },
      "/.well-known/agent.json": card(),
    });
    await discover();
    assert.deepEqual(paths(), [WELL_KNOWN, "/.well-known/agent.json"]);
  });

  it("stops reading a card of 300 MB (C30)", async () => {
    let written = 0;
    await serve({
      [WELL_KNOWN]: (response) => {
        const flood = (): void => {
          while (!response.destroyed && written < 300 * 1024 * 1024 && response.write(" ".repeat(65_536)))
            written += 65_536;
          if (!response.destroyed) response.once("drain", flood);
        };
        flood();
      },
    });
    const error = await failure(discover(), "PEER_BAD_REPLY");
    assert.match(error.message, /agent-card\.json is larger than 1 MiB, which no agent card is/);
    assert.match(error.hint, /correct the card/);
    await rig.peer.allClosed();
    assert.ok(written < 50 * 1024 * 1024, `the peer could write ${written} bytes`);
  });

  it("says that a card nests too deep (C30)", async () => {
    await serve({ [WELL_KNOWN]: (response) => response.end("[".repeat(100_000)) });
    assert.match((await failure(discover(), "PEER_BAD_REPLY")).message, /nests more than 64/);
  });

  it("gives up a card after 30 s", async () => {
    await serve({ [WELL_KNOWN]: () => undefined });
    const ended = failure(discover(), "PEER_TIMEOUT");
    await rig.peer.arrived(1);
    rig.clock.tick(30_000);
    assert.match((await ended).message, /did not give its agent card within 30 s/);
    await rig.peer.allClosed();
  });

  it("asks once for two calls while the card is fresh", async () => {
    await serve({ [WELL_KNOWN]: card({}, { "Cache-Control": "max-age=10" }) });
    await rig.call();
    await rig.call();
    assert.deepEqual(paths(), [WELL_KNOWN, "POST /rpc", "POST /rpc"]);
    rig.clock.tick(10_000);
    await rig.call();
    assert.equal(paths().filter((path) => path === WELL_KNOWN).length, 2);
  });

  it("asks again with the ETag, and keeps the card on 304 [client-card-cache]", async () => {
    await serve({ [WELL_KNOWN]: card({}, { "Cache-Control": "max-age=10", ETag: '"v1"' }) });
    await rig.call();
    rig.clock.tick(10_000);
    const serveCard = rig.peer.answer;
    rig.peer.answer = (request, response) =>
      request.method === "GET"
        ? response.writeHead(304, { "Cache-Control": "max-age=10" }).end()
        : serveCard(request, response);
    assert.equal((await rig.call()).text, "42");
    assert.equal((await rig.call()).text, "42");
    const [first, second, ...more] = rig.peer.requests.filter((request) => request.method === "GET");
    assert.equal(first?.headers["if-none-match"], undefined);
    assert.equal(second?.headers["if-none-match"], '"v1"');
    assert.equal(more.length, 0);
  });

  it("always asks for a discovery", async () => {
    await serve({ [WELL_KNOWN]: card({}, { "Cache-Control": "max-age=100" }) });
    await discover();
    await discover();
    assert.equal(rig.peer.requests.length, 2);
  });

  it("does not believe a card after a call that it led to has failed", async () => {
    await serve({ [WELL_KNOWN]: card() });
    await rig.call();
    const serveAll = rig.peer.answer;
    rig.peer.answer = (request, response) =>
      request.method === "GET" ? serveAll(request, response) : response.writeHead(404).end();
    await failure(rig.call(), "PEER_BAD_REPLY");
    rig.peer.answer = serveAll;
    await rig.call();
    assert.equal(paths().filter((path) => path === WELL_KNOWN).length, 2);
  });

  for (const wildcard of ["0.0.0.0", "[::]"]) {
    it(`calls the host of the card when the card names ${wildcard} (C02)`, async () => {
      await serve({
        [WELL_KNOWN]: (response) =>
          card({ supportedInterfaces: [agentInterface({ url: `http://${wildcard}:${rig.peer.port}/rpc` })] })(response),
      });
      assert.equal((await rig.call()).text, "42");
    });
  }

  it("calls a relative interface url beside the card", async () => {
    await serve({ [WELL_KNOWN]: card({ supportedInterfaces: [agentInterface({ url: "/rpc" })] }) });
    assert.equal((await rig.call()).text, "42");
    assert.equal(paths()[1], "POST /rpc");
  });

  it("lists what a card offers when nothing of it can be called (C05)", async () => {
    const supportedInterfaces = [agentInterface({ protocolBinding: "GRPC", url: "grpc.example:443" })];
    await serve({ [WELL_KNOWN]: card({ supportedInterfaces }) });
    assert.match((await failure(rig.call(), "PEER_BAD_REPLY")).message, /offers no JSON-RPC interface.*GRPC 1\.0/);
    assert.equal((await discover()).chosen, undefined);
  });

  it("refuses an interface at a private address of another origin, also for a typed peer", async () => {
    await serve({ [WELL_KNOWN]: card({ supportedInterfaces: [agentInterface({ url: "http://10.1.2.3:9/rpc" })] }) });
    const error = await failure(rig.call({ typed: true }), "ADDRESS_REFUSED");
    assert.match(error.message, /10\.1\.2\.3 is a private address/);
    assert.match(error.hint, /a2a\.peers/);
  });

  it("calls an interface at another loopback origin", async () => {
    const other = await startHttpPeer((request, response) =>
      sendResult(request, response, { task: completedTask("there") }),
    );
    await serve({ [WELL_KNOWN]: card({ supportedInterfaces: [agentInterface({ url: `${other.origin}/` })] }) });
    assert.equal((await rig.call()).text, "there");
    await rig.client.close();
    await other.stop();
  });

  it("refuses a private address that only a model named, before anything is sent", async () => {
    await serve({});
    const error = await failure(rig.call({ agent: "http://192.168.77.1:9/" }), "ADDRESS_REFUSED");
    assert.match(error.message, /192\.168\.77\.1 is a private address/);
  });

  it("names a configured peer in every error", async () => {
    await serve({ [WELL_KNOWN]: status(500) });
    rig.settings = testSettings({ peers: { researcher: { url: rig.peer.origin } } });
    assert.match(
      (await failure(rig.call({ agent: "researcher" }), "PEER_BAD_REPLY")).message,
      /^researcher answered HTTP 500/,
    );
  });
});
