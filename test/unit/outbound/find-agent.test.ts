import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { sleep } from "../../../src/core/platform/clock.ts";
import { A2aError } from "../../../src/core/platform/errors.ts";
import type { Discovery } from "../../../src/outbound/client-types.ts";
import { findAgent, type Search } from "../../../src/outbound/find-agent.ts";
import { agentCard } from "../../support/builders.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { failure, nextTurn, whileTicking } from "../../support/outbound-rig.ts";

const URLS = ["http://h:1", "http://h:2", "http://h:3"];

function at(url: string): Discovery {
  return {
    peer: { name: new URL(url).host, url, source: "url", timeoutMs: 1000 },
    cardUrl: `${url}/card`,
    card: agentCard({ name: url }),
    login: { wanted: "", sent: "" },
    problems: [],
    warnings: [],
  };
}

const noConnection = (url: string): A2aError =>
  new A2aError("PEER_UNREACHABLE", `no connection to ${new URL(url).host}: nothing listens there (ECONNREFUSED)`);

/** Never answers, but ends when it is stopped. */
const hangs = (signal: AbortSignal): Promise<Discovery> =>
  new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(new A2aError("CANCELLED", "stopped"))),
  );

function search(clock: FakeClock, probe: Search["probe"], more: Partial<Search> = {}): Promise<Discovery> {
  return findAgent(clock, { host: "h", urls: URLS, probe, ...more });
}

describe("finding an agent at a host", () => {
  it("takes the likeliest address with a card, and names the others and all that was tried", async () => {
    const clock = createFakeClock();
    const found = await search(clock, async (url) => {
      if (url.endsWith("1")) throw noConnection(url);
      return at(url);
    });
    assert.equal(found.peer.url, "http://h:2");
    assert.deepEqual(found.search, { tried: URLS, others: ["http://h:3"] });
    assert.equal(clock.pending(), 0);
  });

  it("takes a likelier address that is a little slower", async () => {
    const clock = createFakeClock();
    const slow = async (url: string): Promise<Discovery> => {
      await sleep(clock, 500);
      return at(url);
    };
    const searching = search(clock, (url) => (url.endsWith("1") ? slow(url) : Promise.resolve(at(url))));
    await nextTurn();
    clock.tick(500);
    assert.equal((await searching).peer.url, "http://h:1");
    assert.equal(clock.pending(), 0);
  });

  it("waits a moment for a likelier address, and no longer", async () => {
    const clock = createFakeClock();
    const searching = search(clock, (url, signal) => (url.endsWith("1") ? hangs(signal) : Promise.resolve(at(url))));
    await nextTurn();
    clock.tick(700);
    assert.equal((await searching).peer.url, "http://h:2");
    assert.equal(clock.pending(), 0);
  });

  it("says of every address why it is none", async () => {
    const clock = createFakeClock();
    const ended = failure(
      whileTicking(
        clock,
        search(clock, (url, signal) => {
          if (url.endsWith("1")) return hangs(signal);
          if (url.endsWith("2")) return Promise.reject(noConnection(url));
          return Promise.reject(new A2aError("PEER_BAD_REPLY", `h:3 has no agent card; tried ${url}/a (HTTP 404)`));
        }),
      ),
      "PEER_UNREACHABLE",
    );
    const { message } = await ended;
    assert.match(message, /no agent was found at h; tried http:\/\/h:1 \(no answer within 5 s\)/);
    assert.match(message, /http:\/\/h:2 \(nothing listens there \(ECONNREFUSED\)\), http:\/\/h:3 \(no agent card\)/);
  });

  it("says that what answers wants a login", async () => {
    const refused = new A2aError("PEER_REFUSED", "h:2 answered HTTP 401");
    const error = await failure(
      search(createFakeClock(), (url) => Promise.reject(url.endsWith("2") ? refused : noConnection(url))),
      "PEER_REFUSED",
    );
    assert.match(error.message, /what answers at http:\/\/h:2 wants a login/);
  });

  it("ends when its caller stops it, and stops every probe", async () => {
    const clock = createFakeClock();
    const control = new AbortController();
    let stopped = 0;
    const probe: Search["probe"] = (_url, signal) => {
      signal.addEventListener("abort", () => {
        stopped += 1;
      });
      return hangs(signal);
    };
    const ended = failure(search(clock, probe, { signal: control.signal }), "CANCELLED");
    control.abort();
    await ended;
    assert.equal(stopped, URLS.length);
    assert.equal(clock.pending(), 0);
  });
});
