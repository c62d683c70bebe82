import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { PeerSettings } from "../../../src/core/config/settings.ts";
import type { AgentCard } from "../../../src/core/protocol/types.ts";
import { cardProblems, loginSent, type ReadCard } from "../../../src/outbound/card-problems.ts";
import { chooseInterface } from "../../../src/outbound/choose-interface.ts";
import { agentCard, agentInterface } from "../../support/builders.ts";
import { testSettings } from "../../support/outbound-rig.ts";

const BEARER = { securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } } };

interface Case {
  readonly card?: Partial<AgentCard>;
  /** Where card and interface are. */
  readonly at?: string;
  readonly callUrl?: string;
  readonly peer?: Partial<PeerSettings>;
  readonly typed?: boolean;
  readonly warnings?: readonly string[];
}

function readCase({
  card = {},
  at = "https://a.example",
  callUrl = `${at}/rpc`,
  peer,
  typed = true,
  warnings = [],
}: Case) {
  const settings = testSettings(peer === undefined ? {} : { peers: { bob: { url: at, ...peer } } });
  const source = peer === undefined ? "url" : "configured";
  const found = agentCard({ supportedInterfaces: [agentInterface({ url: callUrl })], ...card });
  const called = { peer: { name: peer === undefined ? "a" : "bob", url: at, source, timeoutMs: 1 }, typed } as const;
  const read: ReadCard = {
    ...{ called, card: found, cardUrl: `${at}/card.json`, chosen: chooseInterface(found), warnings },
  };
  return { read, settings };
}

const problems = (one: Case): readonly string[] => {
  const { read, settings } = readCase(one);
  return cardProblems(read, settings);
};

describe("what would go wrong with an agent", () => {
  it("is nothing with a good card over https", () => assert.deepEqual(problems({}), []));

  const CASES: readonly [name: string, one: Case, problem: RegExp][] = [
    [
      "no JSON-RPC interface",
      { card: { supportedInterfaces: [agentInterface({ protocolBinding: "GRPC" })] } },
      /cannot be called: this session speaks JSON-RPC, and its card offers GRPC 1\.0/,
    ],
    ["no interface", { card: { supportedInterfaces: [] } }, /offers no interface at all/],
    ["a login that is missing", { card: BEARER }, /asks for a bearer token\. No login was sent.*a2a\.peers/],
    ["a login that is missing for a configured peer", { card: BEARER, peer: {} }, /Set a2a\.peers\.bob\.auth/],
    [
      "a card that leads the login elsewhere",
      { callUrl: "https://b.example/rpc", peer: { auth: { type: "bearer", token: "t-123", header: "" } } },
      /Calls are refused on this side.*https:\/\/b\.example/,
    ],
    [
      "a required extension",
      { card: { capabilities: { extensions: [{ uri: "https://x.example/pay/v1", required: true }] } } },
      /requires the extension https:\/\/x\.example\/pay\/v1/,
    ],
    ["plain http to a public name", { at: "http://a.example" }, /plain http to a\.example/],
    ["plain http to a public address", { at: "http://93.184.216.34:8080" }, /plain http to 93\.184\.216\.34:8080/],
    [
      "this machine in a card from elsewhere",
      { callUrl: "http://127.0.0.1:9900/" },
      /is this machine and not the agent's/,
    ],
    ["localhost in a card from elsewhere", { callUrl: "http://localhost:9900/" }, /is this machine/],
    [
      "a private address in a public card",
      { at: "https://93.184.216.34", callUrl: "http://10.0.0.9/" },
      /private network/,
    ],
    [
      "a private address that was typed",
      { at: "http://10.0.0.7:9910" },
      /model can call it only once it is configured/,
    ],
    [
      "an agent that takes no text",
      { card: { defaultInputModes: ["image/png"] } },
      /takes no text by default, only image\/png/,
    ],
    ["faults of the card", { warnings: ["card.skills must be a list, not 7"] }, /fault: card\.skills must be a list/],
  ];
  for (const [name, one, problem] of CASES) {
    it(`is ${name}`, () => {
      const found = problems(one);
      assert.equal(found.length, 1, JSON.stringify(found));
      assert.match(found[0] ?? "", problem);
    });
  }

  const FINE: readonly [name: string, one: Case][] = [
    ["plain http on this machine", { at: "http://127.0.0.1:9910" }],
    ["plain http to a name of the own network", { at: "http://pi-box.local:9910" }],
    ["a configured private address", { at: "http://10.0.0.7:9910", peer: {} }],
    ["a login that is configured", { card: BEARER, peer: { auth: { type: "bearer", token: "t-123", header: "" } } }],
    ["a login among the headers", { card: BEARER, peer: { headers: { "x-api-key": "k" } } }],
    [
      "a login that may be left out",
      { card: { ...BEARER, securityRequirements: [{ schemes: {} }, { schemes: { bearer: { list: [] } } }] } },
    ],
    ["an extension that is not required", { card: { capabilities: { extensions: [{ uri: "urn:x" }] } } }],
    ["text in its short form", { card: { defaultInputModes: ["text"] } }],
    ["any type", { card: { defaultInputModes: ["*/*"] } }],
  ];
  for (const [name, one] of FINE) it(`is not ${name}`, () => assert.deepEqual(problems(one), []));

  it("shows a few faults of a card, and says that there are more", () => {
    const found = problems({ warnings: Array.from({ length: 9 }, (_, n) => `card.f${n} is wrong`) });
    assert.equal(found.length, 4);
    assert.match(found[3] ?? "", /more faults, 6 at least/);
  });

  it("never shows what a card holds as control characters or as a login", () => {
    const uri = "urn:x\u001b[31m\nok";
    const [text = ""] = problems({ card: { capabilities: { extensions: [{ uri, required: true }] } } });
    assert.doesNotMatch(text, /\p{Cc}/u);
  });
});

describe("what is sent along with calls", () => {
  const sent = (one: Case): string => {
    const { read, settings } = readCase(one);
    return loginSent(read, settings);
  };

  it("is the peer's login, its headers, or nothing", () => {
    assert.equal(sent({}), "");
    assert.match(sent({ peer: { auth: { type: "bearer", token: "t-123", header: "" } } }), /login of your settings/);
    assert.match(sent({ peer: { headers: { "x-api-key": "k" } } }), /headers of your settings/);
    assert.equal(sent({ card: { supportedInterfaces: [] } }), "");
  });
});
