import assert from "node:assert/strict";
import { decodeCard } from "../../../../src/core/protocol/decode-card.ts";
import type { AgentCard, AgentInterface } from "../../../../src/core/protocol/types.ts";
import { agentCard, agentInterface, skill } from "../../../support/builders.ts";
import { refusal } from "../../../support/refusal.ts";

const CARD_URL = "http://10.0.0.7:9910/a2a/.well-known/agent-card.json";

function interfacesOf(fields: object): readonly AgentInterface[] {
  return decodeCard({ name: "x", ...fields }, CARD_URL).supportedInterfaces;
}

describe("decoding a peer's card", () => {
  it("reads every field", () => {
    const full = agentCard({
      capabilities: {
        streaming: true,
        pushNotifications: false,
        extendedAgentCard: true,
        extensions: [{ uri: "urn:x", description: "d", required: true, params: { a: 1 } }],
      },
      supportedInterfaces: [agentInterface({ tenant: "t" })],
      skills: [skill({ examples: ["do it"] })],
      provider: { organization: "o", url: "https://o" },
      documentationUrl: "https://d",
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    });
    assert.deepEqual(decodeCard(full, CARD_URL), full);
  });

  it("reads what is missing as empty", () => {
    assert.deepEqual(decodeCard({ name: "x", skills: null, capabilities: null }, CARD_URL), {
      name: "x",
      description: "",
      version: "",
      supportedInterfaces: [],
      capabilities: {},
      defaultInputModes: [],
      defaultOutputModes: [],
      skills: [],
    });
  });

  it("reads skills with only an id or a name, and tags that are null", () => {
    const { skills } = decodeCard({ name: "x", skills: [{ id: "a", tags: null }, { name: "b" }] }, CARD_URL);
    assert.deepEqual(skills, [
      { id: "a", name: "a", description: "", tags: [] },
      { id: "b", name: "b", description: "", tags: [] },
    ]);
  });

  it("refuses what is no card", () => {
    const flat = { name: "", supportedInterfaces: [{ url: "" }] };
    for (const value of [null, [], "<html>", 1, {}, { error: "not found" }, { name: "" }, { name: 1 }, flat]) {
      refusal("PEER_BAD_REPLY", () => decodeCard(value, CARD_URL));
    }
  });

  it("passes over what has the wrong type, and says where", () => {
    const one = agentInterface();
    const cases: [object, RegExp, (card: AgentCard) => unknown, unknown][] = [
      [{ name: 1, supportedInterfaces: [one] }, /^card\.name must be a string, not 1$/, (c) => c.name, "10.0.0.7:9910"],
      [{ description: {} }, /card\.description must be a string/, (c) => c.description, ""],
      [{ version: 2 }, /card\.version must be a string, not 2/, (c) => c.version, ""],
      [{ documentationUrl: [] }, /card\.documentationUrl/, (c) => c.documentationUrl, undefined],
      [{ skills: {} }, /card\.skills must be a list, not an object/, (c) => c.skills, []],
      [{ skills: [skill(), null, 3] }, /card\.skills\[1\].*card\.skills\[2\]/s, (c) => c.skills, [skill()]],
      [{ skills: [{ id: 1, name: "n" }] }, /card\.skills\[0\]\.id/, (c) => c.skills[0]?.id, "n"],
      [{ skills: [{ id: "a", tags: [1, "t"] }] }, /card\.skills\[0\]\.tags\[0\]/, (c) => c.skills[0]?.tags, ["t"]],
      [{ capabilities: [] }, /card\.capabilities must be an object/, (c) => c.capabilities, {}],
      [
        { capabilities: { streaming: "yes", pushNotifications: true } },
        /card\.capabilities\.streaming must be true or false/,
        (c) => c.capabilities,
        { pushNotifications: true },
      ],
      [
        { capabilities: { extensions: [{ uri: 1 }, { uri: "u" }] } },
        /extensions\[0\]\.uri/,
        (c) => c.capabilities.extensions,
        [{ uri: "u" }],
      ],
      [
        { supportedInterfaces: "x" },
        /card\.supportedInterfaces\[0\] must be an object/,
        (c) => c.supportedInterfaces,
        [],
      ],
      [
        { supportedInterfaces: [{ url: 1 }, one] },
        /card\.supportedInterfaces\[0\]\.url/,
        (c) => c.supportedInterfaces,
        [one],
      ],
      [{ supportedInterfaces: [{ ...one, tenant: 5 }, one] }, /\[0\]\.tenant/, (c) => c.supportedInterfaces, [one]],
      [{ defaultInputModes: "text/plain" }, /card\.defaultInputModes must be a list/, (c) => c.defaultInputModes, []],
      [{ defaultOutputModes: [{}] }, /card\.defaultOutputModes\[0\]/, (c) => c.defaultOutputModes, []],
      [{ securitySchemes: [] }, /card\.securitySchemes must be an object/, (c) => c.securitySchemes, undefined],
      [{ securityRequirements: ["bearer"] }, /card\.securityRequirements\[0\]/, (c) => c.securityRequirements, []],
      [{ provider: "me" }, /card\.provider must be an object/, (c) => c.provider, undefined],
      [{ provider: { organization: 1, url: "u" } }, /card\.provider\.organization/, (c) => c.provider?.url, "u"],
    ];
    for (const [fields, problem, part, expected] of cases) {
      const warnings: string[] = [];
      const card = decodeCard({ name: "x", ...fields }, CARD_URL, (warning) => warnings.push(warning));
      assert.match(warnings.join("\n"), problem);
      assert.deepEqual(part(card), expected);
    }
  });

  it("has nothing to say of a good card, and reads unknown fields of newer versions not at all (W21)", () => {
    const futureField = { a: [1] };
    const card = { ...agentCard({ skills: [skill()] }), futureField };
    const more = {
      ...card,
      capabilities: { ...card.capabilities, futureField },
      skills: [{ ...skill(), futureField }],
    };
    const warnings: string[] = [];
    assert.deepEqual(
      decodeCard(more, CARD_URL, (warning) => warnings.push(warning)),
      agentCard({ skills: [skill()] }),
    );
    assert.deepEqual(warnings, []);
  });

  it("reads skills that are only names", () => {
    const { skills } = decodeCard({ name: "x", skills: ["web"] }, CARD_URL);
    assert.deepEqual(skills, [{ id: "web", name: "web", description: "", tags: [] }]);
  });

  it("reads thousands of skills, but not endless ones (C30)", () => {
    const skills = (count: number): unknown => Array.from({ length: count }, (_, n) => ({ id: `s${n}` }));
    assert.equal(decodeCard({ name: "x", skills: skills(10_000) }, CARD_URL).skills.length, 10_000);
    const warnings: string[] = [];
    const card = decodeCard({ name: "x", skills: skills(10_001) }, CARD_URL, (warning) => warnings.push(warning));
    assert.equal(card.skills.length, 10_000);
    assert.match(warnings.join(), /card\.skills has 10001 entries, of which 10000 are read/);
  });

  it("puts interface urls where the card was found", () => {
    const urlOf = (url: string): unknown => interfacesOf({ supportedInterfaces: [{ url }] })[0]?.url;
    assert.equal(urlOf("/rpc"), "http://10.0.0.7:9910/rpc");
    assert.equal(urlOf("http://0.0.0.0:9999/"), "http://10.0.0.7:9999/");
  });

  it("takes an interface without binding and version as JSON-RPC 1.0", () => {
    assert.deepEqual(interfacesOf({ supportedInterfaces: [{ url: "http://a/" }] }), [
      { url: "http://a/", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    ]);
  });

  it("makes interfaces of the flat fields of 0.3", () => {
    const fields = {
      url: "http://a:1/",
      protocolVersion: "0.3.0",
      preferredTransport: "JSONRPC",
      additionalInterfaces: [
        { url: "http://a:1/", transport: "JSONRPC" },
        { url: "http://a:2/", transport: "GRPC" },
      ],
    };
    assert.deepEqual(interfacesOf(fields), [
      { url: "http://a:1/", protocolBinding: "JSONRPC", protocolVersion: "0.3.0" },
      { url: "http://a:2/", protocolBinding: "GRPC", protocolVersion: "0.3.0" },
    ]);
    assert.deepEqual(interfacesOf({ url: "http://a:1/" }), [
      { url: "http://a:1/", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
  });

  it("keeps the 1.0 interfaces of a hybrid card first and each interface once", () => {
    const modern = agentInterface({ url: "http://a/" });
    const older = agentInterface({ url: "http://a/", protocolVersion: "0.3" });
    const flat = { url: "http://a/", protocolVersion: "0.3.0", preferredTransport: "jsonrpc" };
    assert.deepEqual(interfacesOf({ supportedInterfaces: [modern, older], ...flat }), [modern, older]);
    assert.deepEqual(interfacesOf({ supportedInterfaces: [modern], ...flat }), [
      modern,
      { url: "http://a/", protocolBinding: "jsonrpc", protocolVersion: "0.3.0" },
    ]);
  });

  it("reads the older login fields", () => {
    const card = decodeCard(
      { name: "x", capabilities: {}, supportsAuthenticatedExtendedCard: true, security: [{ bearer: ["read"] }] },
      CARD_URL,
    );
    assert.equal(card.capabilities.extendedAgentCard, true);
    assert.deepEqual(card.securityRequirements, [{ schemes: { bearer: { list: ["read"] } } }]);
  });
});
