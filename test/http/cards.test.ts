// The agent card as clients fetch it: where, for whom, and how it is kept.

import assert from "node:assert/strict";
import type { CardFacts } from "../../src/inbound/server-types.ts";
import { get } from "../support/a2a-calls.ts";
import { CARD_FACTS, startTestServer, type TestServer } from "../support/a2a-server.ts";

const PATH = "/.well-known/agent-card.json";

describe("agent card over HTTP", () => {
  let server: TestServer;
  let facts: CardFacts;
  beforeEach(async () => {
    facts = CARD_FACTS;
    server = await startTestServer({ cardFacts: () => facts });
  });
  afterEach(() => server.stop());

  const fetchCard = (headers = {}, path = PATH, method = "GET") => get(server.port, path, { headers, method });

  it("is the same at both names, and below the path of an endpoint (C01)", async () => {
    const { text, headers } = await fetchCard();
    assert.equal(headers["content-type"], "application/json");
    for (const path of ["/.well-known/agent.json", `/a2a${PATH}`, `${PATH}/`, `${PATH}?x=1`]) {
      assert.equal((await fetchCard({}, path)).text, text, path);
    }
  });

  it("has the address that the caller used, never a wildcard (C02)", async () => {
    for (const host of [`127.0.0.1:${server.port}`, `LOCALHOST:${server.port}`, `[::1]:${server.port}`, "localhost"]) {
      const card = JSON.parse((await fetchCard({ Host: host })).text);
      const { url } = card.supportedInterfaces[0];
      assert.equal(url, `http://${host.toLowerCase()}/`);
      assert.ok(URL.canParse(url));
    }
  });

  it("has an ETag that answers 304 until the content changes", async () => {
    const first = await fetchCard();
    const etag = String(first.headers.etag);
    assert.match(etag, /^"[0-9a-f]{32}"$/);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await fetchCard({ "If-None-Match": value });
      assert.equal(again.status, 304, value);
      assert.equal(again.text, "");
      assert.equal(again.headers.etag, etag);
      assert.match(String(again.headers["cache-control"]), /max-age=\d+/);
    }
    assert.equal((await fetchCard({ "If-None-Match": '"other"' })).status, 200);

    facts = { ...CARD_FACTS, name: "renamed" };
    const changed = await fetchCard({ "If-None-Match": etag });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.etag, etag);
    facts = CARD_FACTS;
    assert.equal((await fetchCard()).headers.etag, etag);
  });

  it("says since when it has been so, and answers dates with 304", async () => {
    const first = await fetchCard();
    const since = String(first.headers["last-modified"]);
    assert.equal(since, new Date(server.clock.now()).toUTCString());
    server.clock.tick(60_000);
    assert.equal((await fetchCard()).headers["last-modified"], since);
    assert.equal((await fetchCard({ "If-Modified-Since": since })).status, 304);
    const before = new Date(Date.parse(since) - 1000).toUTCString();
    assert.equal((await fetchCard({ "If-Modified-Since": before })).status, 200);
    for (const nonsense of ["yesterday", "", "0", "9".repeat(500)]) {
      assert.equal((await fetchCard({ "If-Modified-Since": nonsense })).status, 200, nonsense);
    }
    const both = { "If-None-Match": '"other"', "If-Modified-Since": since };
    assert.equal((await fetchCard(both)).status, 200, "the ETag decides alone");
  });

  it("tells caches what it depends on", async () => {
    const { headers } = await fetchCard();
    assert.equal(headers.vary, "A2A-Version, Authorization");
    assert.equal(headers["cache-control"], "max-age=60");
  });

  describe("with details of the session", () => {
    const SESSION = { cwd: "/work/secret", pid: 7, tools: ["bash"] };
    const URI = "https://bacnh85.dev/a2a/extensions/pi-session/v1";
    beforeEach(() => {
      facts = { ...CARD_FACTS, session: SESSION };
    });

    it("gives them to a program on this machine, for its own cache only (X17)", async () => {
      const { text, headers } = await fetchCard();
      const { extensions } = JSON.parse(text).capabilities;
      assert.deepEqual(extensions.find(({ uri }: { uri: string }) => uri === URI)?.params, SESSION);
      assert.equal(headers["cache-control"], "private, max-age=60");
    });

    const FORWARDED: Record<string, string>[] = [
      { "X-Forwarded-For": "203.0.113.9" },
      { "X-Forwarded-Host": "agent.example.com", "X-Forwarded-Proto": "https" },
      { Forwarded: "for=203.0.113.9" },
      { "X-Real-IP": "203.0.113.9" },
      { Via: "1.1 proxy" },
      { "x-forwarded-anything": "" },
    ];
    for (const headers of FORWARDED) {
      it(`keeps them from whoever is behind ${Object.keys(headers).join(" and ")} (X17)`, async () => {
        await fetchCard();
        const reply = await fetchCard(headers);
        assert.ok(!reply.text.includes("secret") && !reply.text.includes(URI));
        assert.equal(reply.headers["cache-control"], "max-age=60");
        const own = await fetchCard();
        assert.notEqual(own.headers.etag, reply.headers.etag);
        assert.ok(own.text.includes("secret"));
        const crossed = await fetchCard({ ...headers, "If-None-Match": String(own.headers.etag) });
        assert.equal(crossed.status, 200);
      });
    }

    it("shows nothing of them anywhere else", async () => {
      for (const path of ["/", "/health", "/nothing"]) {
        assert.ok(!(await get(server.port, path)).text.includes("secret"), path);
      }
    });
  });

  it("takes no address from forwarded headers (C03)", async () => {
    const forwarded = {
      "X-Forwarded-Proto": "https",
      "X-Forwarded-Host": "agent.example.com",
      "X-Forwarded-Port": "1",
    };
    const card = JSON.parse((await fetchCard(forwarded)).text);
    assert.equal(card.supportedInterfaces[0].url, `${server.origin}/`);
  });

  it("is answered by HEAD with its length and no body", async () => {
    const full = await fetchCard();
    const head = await fetchCard({}, PATH, "HEAD");
    assert.equal(head.text, "");
    for (const name of ["etag", "last-modified", "content-length", "content-type"]) {
      assert.equal(head.headers[name], full.headers[name], name);
    }
    const fresh = await fetchCard({ "If-None-Match": String(full.headers.etag) }, PATH, "HEAD");
    assert.equal(fresh.status, 304);
  });

  it("is served while its facts change with every request", async () => {
    for (let round = 0; round < 50; round++) {
      facts = { ...CARD_FACTS, name: `name ${round}` };
      const card = await fetchCard({ Host: `localhost:${1000 + round}` });
      assert.equal(JSON.parse(card.text).name, `name ${round}`);
    }
  });
});
