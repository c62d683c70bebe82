// Which headers a request to a peer carries: the table of who is called x which address x what there is to send. Where each may go at
// all is the table of call-rule.test.ts.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { PeerAuth, PeerSettings, Settings } from "../../../src/core/config/settings.ts";
import { outgoingFor } from "../../../src/outbound/logins.ts";
import { resolvePeer } from "../../../src/outbound/peers.ts";
import { testSettings } from "../../support/outbound-rig.ts";
import { refusal } from "../../support/refusal.ts";

const HERE = "http://127.0.0.1:9901";
const LAN = "http://10.0.0.1:9900";
const SAFE = "https://agent.example";

const BEARER: PeerAuth = { type: "bearer", header: "X-API-Key", token: "own-token" };

/** Peers of the operator and one of the repository; tokens of this session. */
const settings: Settings = (() => {
  const base = testSettings({
    peers: {
      plain: { url: HERE },
      lan: { url: LAN },
      bearer: { url: SAFE, auth: BEARER },
      basic: { url: SAFE, auth: { type: "basic", header: "X-API-Key", token: "me:pässword" } },
      key: { url: SAFE, auth: { type: "apiKey", header: "X-Goog-Api-Key", token: "a key" } },
      headers: { url: SAFE, headers: { "X-Tenant": "blue" } },
      both: { url: LAN, auth: BEARER, headers: { Cookie: "a=b" }, loginUrls: ["http://10.0.0.2:1"] },
      hermes: { url: "http://127.0.0.1:9900", auth: BEARER },
      repo: { url: "http://127.0.0.1:6666", origin: "repository" },
    },
  });
  return { ...base, server: { ...base.server, sharedToken: "shared", peerTokens: { me: "mine" } } };
})();

const asMe: Settings = { ...settings, selfIdentity: "me" };
const bare = testSettings({ peers: settings.peers });

type Row = readonly [
  agent: string,
  callUrl: string | undefined,
  from: Settings,
  headers: Readonly<Record<string, string>>,
];

const TABLE: readonly Row[] = [
  ["bearer", undefined, asMe, { Authorization: "Bearer own-token" }],
  ["bearer", undefined, bare, { Authorization: "Bearer own-token" }],
  ["basic", undefined, bare, { Authorization: `Basic ${Buffer.from("me:pässword").toString("base64")}` }],
  ["key", undefined, bare, { "X-Goog-Api-Key": "a key" }],
  ["headers", undefined, asMe, { "X-Tenant": "blue" }],
  ["both", undefined, bare, { Authorization: "Bearer own-token", Cookie: "a=b" }],
  ["both", "http://10.0.0.2:1/rpc", bare, { Authorization: "Bearer own-token", Cookie: "a=b" }],
  ["plain", undefined, bare, {}],
  ["plain", undefined, settings, { Authorization: "Bearer shared" }],
  ["plain", undefined, asMe, { Authorization: "Bearer mine" }],
  ["plain", `${HERE}/rpc`, asMe, { Authorization: "Bearer mine" }],
  ["plain", undefined, { ...settings, selfIdentity: "stranger" }, { Authorization: "Bearer shared" }],
  ["plain", undefined, { ...settings, selfIdentity: "constructor" }, { Authorization: "Bearer shared" }],
  ["plain", "http://127.0.0.1:9902/", asMe, {}],
  ["plain", "http://collector.example.net/", asMe, {}],
  ["lan", undefined, asMe, {}],
  [`${HERE}/other`, undefined, asMe, { Authorization: "Bearer mine" }],
  ["http://127.0.0.1:9900/other", undefined, asMe, {}],
  ["http://127.0.0.1:9999", undefined, asMe, {}],
  ["http://localhost:6666", undefined, asMe, {}],
  ["repo", undefined, asMe, {}],
  [`${SAFE}/other`, undefined, asMe, {}],
];

describe("the login of a call", () => {
  for (const typed of [false, true]) {
    for (const [agent, callUrl, from, headers] of TABLE) {
      const at = callUrl === undefined ? "" : ` at ${callUrl}`;
      const session = from === bare ? "no token" : from.selfIdentity || "the shared token";
      const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      it(`to ${typed ? "the typed " : ""}${agent}${at}, with ${session}: ${shown.join(", ") || "nothing"}`, () => {
        const target = resolvePeer(agent, typed, from);
        const { "X-A2A-Identity": _identity, ...sent } = outgoingFor(target, callUrl ?? target.peer.url, from).headers;
        assert.deepEqual(sent, headers);
      });
    }
  }

  it("holds back the whole call at an address of another origin, with both named (C09)", () => {
    for (const agent of ["bearer", "headers", "both", "key"]) {
      const target = resolvePeer(agent, false, settings);
      const error = refusal("ADDRESS_REFUSED", () => outgoingFor(target, "http://collector.example.net/rpc", settings));
      assert.match(error.message, /names the address http:\/\/collector\.example\.net, another origin/);
      assert.ok(error.message.includes(new URL(target.peer.url).origin));
      assert.match(error.hint, new RegExp(`add "http://collector.example.net" to a2a.peers.${agent}.auth.origins`));
      assert.doesNotMatch(error.message + error.hint, /own-token|a=b/);
    }
  });

  it("holds back the call over plain http to a public address, and says how to allow it", () => {
    const at = (peer: Partial<PeerSettings>) => {
      const from = testSettings({ peers: { web: { url: "http://198.51.100.7", auth: BEARER, ...peer } } });
      return outgoingFor(resolvePeer("web", false, from), "http://198.51.100.7/rpc", from);
    };
    const error = refusal("ADDRESS_REFUSED", () => at({}));
    assert.match(error.hint, /https, or set a2a\.peers\.web\.auth\.allowHttp/);
    assert.equal(at({ allowHttp: true }).headers.Authorization, "Bearer own-token");
    assert.equal(at({ allowHttp: true }).addresses, "any");
  });

  it("is never left out when it should be there: there is no call", () => {
    const missing = "a2a.peers.x.auth.tokenEnv names HERMES_TOKEN, which is not set";
    const from = testSettings({ peers: { x: { url: HERE, auth: { type: "bearer", header: "X-API-Key", missing } } } });
    const error = refusal("CONFIG_INVALID", () => outgoingFor(resolvePeer("x", false, from), HERE, from));
    assert.match(error.message, /x was not called, as its login is missing: .*HERMES_TOKEN, which is not set/);
  });

  for (const [type, token, rule] of [
    ["bearer", "two words", /printable ASCII letters only, without spaces/],
    ["bearer", "tökén-hunter2", /printable ASCII/],
    ["apiKey", "hunter2\u00e9", /printable ASCII/],
    ["basic", "hunter2", /user:password/],
  ] as const) {
    it(`that cannot be sent stops the call: ${type} ${rule.source}`, () => {
      const from = testSettings({ peers: { x: { url: HERE, auth: { type, header: "X-API-Key", token } } } });
      const error = refusal("CONFIG_INVALID", () => outgoingFor(resolvePeer("x", false, from), HERE, from));
      assert.match(error.message, rule);
      assert.doesNotMatch(error.message + error.hint, /hunter2|two words/);
    });
  }
});

describe("the name this session tells", () => {
  const nameFor = (selfIdentity: string, agentName: string): string | undefined => {
    const base = testSettings();
    const from = { ...base, selfIdentity, server: { ...base.server, agentName } };
    return outgoingFor(resolvePeer(HERE, false, from), HERE, from).headers["X-A2A-Identity"];
  };

  it("is its identity, else the name of its agent, and none while nobody set one", () => {
    assert.equal(nameFor("session-a", "pi"), "session-a");
    assert.equal(nameFor("", "Größe"), "Gr%C3%B6%C3%9Fe");
    assert.equal(nameFor("", ""), undefined);
  });
});
