import assert from "node:assert/strict";
import { decodeCard } from "../../../../src/core/protocol/decode-card.ts";
import type { AgentInterface } from "../../../../src/core/protocol/types.ts";
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
    for (const value of [null, [], "<html>", 1, {}, { error: "not found" }, { name: "" }]) {
      refusal("PEER_BAD_REPLY", () => decodeCard(value, CARD_URL));
    }
  });

  it("refuses wrong types with the path", () => {
    const cases: [object, RegExp][] = [
      [{ name: 1 }, /card\.name must be a string/],
      [{ skills: {} }, /card\.skills must be a list/],
      [{ skills: [skill(), { id: 1 }] }, /card\.skills\[1\]\.id/],
      [{ skills: [{ id: "a", tags: [1] }] }, /card\.skills\[0\]\.tags\[0\]/],
      [{ capabilities: { streaming: "yes" } }, /card\.capabilities\.streaming/],
      [{ capabilities: [] }, /card\.capabilities must be an object/],
      [{ supportedInterfaces: [{ url: 1 }] }, /card\.supportedInterfaces\[0\]\.url/],
      [{ securitySchemes: [] }, /card\.securitySchemes must be an object/],
      [{ provider: "me" }, /card\.provider/],
    ];
    for (const [fields, problem] of cases) {
      assert.match(refusal("PEER_BAD_REPLY", () => decodeCard({ name: "x", ...fields }, CARD_URL)).message, problem);
    }
  });

  it("reads thousands of skills, but not endless ones (C30)", () => {
    const skills = (count: number): unknown => Array.from({ length: count }, (_, n) => ({ id: `s${n}` }));
    assert.equal(decodeCard({ name: "x", skills: skills(10_000) }, CARD_URL).skills.length, 10_000);
    refusal("PEER_BAD_REPLY", () => decodeCard({ name: "x", skills: skills(10_001) }, CARD_URL));
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
