// The table of where a call may go and which login goes with it: who named the peer x its URL x the URL called x the address that
// the host leads to x what there is to send. Every row is a case of DESIGN §6.

import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { classifyAddress } from "../../../../src/core/security/address.ts";
import { type CallQuestion, callRule, mayConnect } from "../../../../src/core/security/call-rule.ts";

const HERE = "http://127.0.0.1:9901";
const LAN = "http://10.0.0.1:9900";
const LAN_TWO = "http://10.0.0.2:9900";
const WEB = "http://198.51.100.7";
const NAME = "http://agent.example";
const SAFE = "https://agent.example";
const EVIL = "http://collector.example.net";

const AT = { loopback: "127.0.0.1", private: "10.9.9.9", public: "203.0.113.9", "link-local": "169.254.169.254" };
type Where = keyof typeof AT;
const NO_LINK: readonly Where[] = ["loopback", "private", "public"];
const MODEL: readonly Where[] = ["loopback", "public"];
const NEAR: readonly Where[] = ["loopback", "private"];
const ONLY_HERE: readonly Where[] = ["loopback"];
const NOWHERE: readonly Where[] = [];

/** `stop`: no call at all; `omit`: a call without the login. */
type Row = readonly [what: string, ask: Partial<CallQuestion>, login: string, connects: readonly Where[]];

const OWN = { source: "configured", login: "own" } as const;
const SESSION = { source: "configured", login: "session" } as const;
const MODEL_URL = { source: "url", login: "none" } as const;

const WITHOUT_LOGIN: readonly Row[] = [
  [
    "a configured peer at its own origin",
    { source: "configured", peerUrl: LAN, callUrl: `${LAN}/rpc` },
    "none",
    NO_LINK,
  ],
  [
    "a configured peer whose card names another configured peer's origin",
    { source: "configured", peerUrl: LAN, callUrl: LAN_TWO, operatorUrls: [LAN, LAN_TWO] },
    "none",
    NO_LINK,
  ],
  [
    "a configured peer whose card names a foreign origin",
    { source: "configured", peerUrl: LAN, callUrl: EVIL },
    "none",
    MODEL,
  ],
  [
    "a configured peer whose card names another port of its host",
    { source: "configured", peerUrl: LAN, callUrl: "http://10.0.0.1:1" },
    "none",
    MODEL,
  ],
  [
    "a configured peer whose card names another scheme",
    { source: "configured", peerUrl: LAN, callUrl: "https://10.0.0.1:9900" },
    "none",
    MODEL,
  ],
  ["a repository's peer at its own origin", { source: "repository", peerUrl: LAN, callUrl: LAN }, "none", MODEL],
  [
    "a repository's peer that a person typed",
    { source: "repository", typed: true, peerUrl: LAN, callUrl: LAN },
    "none",
    NO_LINK,
  ],
  ["a model's URL", { ...MODEL_URL, peerUrl: LAN, callUrl: LAN }, "none", MODEL],
  [
    "a model's URL at the origin of a configured peer",
    { ...MODEL_URL, peerUrl: LAN, callUrl: LAN, operatorUrls: [LAN] },
    "none",
    NO_LINK,
  ],
  [
    "a model's URL whose card names a configured peer's origin",
    { ...MODEL_URL, peerUrl: LAN, callUrl: LAN_TWO, operatorUrls: [LAN_TWO] },
    "none",
    MODEL,
  ],
  ["a typed URL", { ...MODEL_URL, typed: true, peerUrl: LAN, callUrl: LAN }, "none", NO_LINK],
  [
    "a typed URL whose card names a foreign origin",
    { ...MODEL_URL, typed: true, peerUrl: LAN, callUrl: EVIL },
    "none",
    MODEL,
  ],
  [
    "a typed URL whose card names a configured peer's origin",
    { ...MODEL_URL, typed: true, peerUrl: LAN, callUrl: LAN_TWO, operatorUrls: [LAN_TWO] },
    "none",
    NO_LINK,
  ],
];

const OWN_LOGIN: readonly Row[] = [
  ["its peer on this machine over http", { ...OWN, peerUrl: HERE, callUrl: `${HERE}/rpc` }, "send", NEAR],
  [
    "another spelling of this machine, same port",
    { ...OWN, peerUrl: HERE, callUrl: "http://localhost:9901/rpc" },
    "send",
    NEAR,
  ],
  [
    "another port of this machine (C09)",
    { ...OWN, peerUrl: HERE, callUrl: "http://127.0.0.1:9902" },
    "stop other-origin",
    NOWHERE,
  ],
  ["its peer in the local network over http", { ...OWN, peerUrl: LAN, callUrl: LAN }, "send", NEAR],
  ["its peer at a public address over http", { ...OWN, peerUrl: WEB, callUrl: WEB }, "stop plain-http", NOWHERE],
  ["the same when the operator allows it", { ...OWN, peerUrl: WEB, callUrl: WEB, allowHttp: true }, "send", NO_LINK],
  ["its peer by name over http: not where the name is public", { ...OWN, peerUrl: NAME, callUrl: NAME }, "send", NEAR],
  [
    "the same when the operator allows it, anywhere",
    { ...OWN, peerUrl: NAME, callUrl: NAME, allowHttp: true },
    "send",
    NO_LINK,
  ],
  ["its peer by name over https", { ...OWN, peerUrl: SAFE, callUrl: `${SAFE}/rpc` }, "send", NO_LINK],
  [
    "a foreign origin in the card (C09)",
    { ...OWN, peerUrl: HERE, callUrl: `${EVIL}/rpc` },
    "stop other-origin",
    NOWHERE,
  ],
  [
    "https in the settings, http in the card (C09)",
    { ...OWN, peerUrl: SAFE, callUrl: NAME },
    "stop other-origin",
    NOWHERE,
  ],
  ["http in the settings, https in the card", { ...OWN, peerUrl: NAME, callUrl: SAFE }, "stop other-origin", NOWHERE],
  [
    "the origin of another configured peer",
    { ...OWN, peerUrl: LAN, callUrl: LAN_TWO, operatorUrls: [LAN, LAN_TWO] },
    "stop other-origin",
    NOWHERE,
  ],
  [
    "an origin that the operator added",
    { ...OWN, peerUrl: SAFE, callUrl: LAN_TWO, loginUrls: [LAN_TWO] },
    "send",
    NEAR,
  ],
  [
    "an added public origin over http",
    { ...OWN, peerUrl: SAFE, callUrl: WEB, loginUrls: [WEB] },
    "stop plain-http",
    NOWHERE,
  ],
  [
    "a repository's peer (X06)",
    { source: "repository", login: "own", peerUrl: HERE, callUrl: HERE },
    "omit repository",
    MODEL,
  ],
];

const SESSION_TOKEN: readonly Row[] = [
  ["a configured peer on this machine", { ...SESSION, peerUrl: HERE, callUrl: `${HERE}/rpc` }, "send", ONLY_HERE],
  [
    "the same by the name localhost",
    { ...SESSION, peerUrl: "http://localhost:9901", callUrl: "http://localhost:9901" },
    "send",
    ONLY_HERE,
  ],
  ["the same over IPv6", { ...SESSION, peerUrl: HERE, callUrl: "http://[::1]:9901/" }, "send", ONLY_HERE],
  [
    "a configured peer in the local network",
    { ...SESSION, peerUrl: LAN, callUrl: LAN },
    "omit not-this-machine",
    NO_LINK,
  ],
  ["a configured peer by name", { ...SESSION, peerUrl: SAFE, callUrl: SAFE }, "omit not-this-machine", NO_LINK],
  [
    "a configured peer at a public address",
    { ...SESSION, peerUrl: WEB, callUrl: WEB },
    "omit not-this-machine",
    NO_LINK,
  ],
  [
    "another port in the card (C09)",
    { ...SESSION, peerUrl: HERE, callUrl: "http://127.0.0.1:9902" },
    "omit other-origin",
    MODEL,
  ],
  ["a foreign origin in the card (C09)", { ...SESSION, peerUrl: HERE, callUrl: EVIL }, "omit other-origin", MODEL],
  ["a card abroad that names this machine", { ...SESSION, peerUrl: SAFE, callUrl: HERE }, "omit other-origin", MODEL],
  [
    "a repository's peer (X06)",
    { ...SESSION, source: "repository", peerUrl: HERE, callUrl: HERE },
    "omit repository",
    MODEL,
  ],
  ["a model's URL (X06)", { ...SESSION, source: "url", peerUrl: HERE, callUrl: HERE }, "omit unknown-url", MODEL],
  [
    "a typed URL",
    { ...SESSION, source: "url", typed: true, peerUrl: HERE, callUrl: HERE },
    "omit unknown-url",
    NO_LINK,
  ],
  [
    "a model's URL at the origin of a configured peer",
    { ...SESSION, source: "url", peerUrl: `${HERE}/x`, callUrl: HERE, operatorUrls: [HERE] },
    "send",
    ONLY_HERE,
  ],
];

const ASKED: CallQuestion = {
  source: "configured",
  typed: false,
  peerUrl: HERE,
  callUrl: HERE,
  operatorUrls: ["no url"],
  login: "none",
  loginUrls: [],
  allowHttp: false,
};

function holds(rows: readonly Row[]): void {
  for (const [what, ask, login, connects] of rows) {
    it(`${what}: ${login}, ${connects.length === 0 ? "no call" : `connects to ${connects.join(", ")}`}`, () => {
      const rule = callRule({ ...ASKED, ...ask });
      assert.equal([rule.login, ...((rule.why ?? "") ? [rule.why] : [])].join(" "), login);
      const kinds = Object.entries(AT).filter(([, address]) => mayConnect(classifyAddress(address), rule.addresses));
      const reached = rule.login === "stop" ? [] : kinds.map(([kind]) => kind);
      assert.deepEqual(reached, connects);
    });
  }
}

describe("where a call may go without a login", () => holds(WITHOUT_LOGIN));
describe("where the login of a peer goes", () => holds(OWN_LOGIN));
describe("where this session's token goes", () => holds(SESSION_TOKEN));

describe("webhooks", () => {
  it("reach public addresses only", () => {
    const reached = Object.entries(AT).filter(([, address]) => mayConnect(classifyAddress(address), "public"));
    assert.deepEqual(
      reached.map(([kind]) => kind),
      ["public"],
    );
  });
});
