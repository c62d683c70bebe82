import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { decodeCard } from "../../../src/core/protocol/decode-card.ts";
import type { AgentInterface } from "../../../src/core/protocol/types.ts";
import { chooseInterface, needInterface } from "../../../src/outbound/choose-interface.ts";
import { agentCard } from "../../support/builders.ts";
import { refusal } from "../../support/refusal.ts";

const offer = (protocolBinding: string, protocolVersion: string, url: string): AgentInterface => ({
  protocolBinding,
  protocolVersion,
  url,
});
const chosen = (...supportedInterfaces: AgentInterface[]): string | undefined =>
  chooseInterface(agentCard({ supportedInterfaces }))?.url;

describe("choosing an interface", () => {
  it("takes JSON-RPC 1.0 behind an older and a foreign one (C05)", () => {
    const url = chosen(
      offer("JSONRPC", "0.3", "http://a.example/old"),
      offer("GRPC", "1.0", "http://a.example/grpc"),
      offer("JSONRPC", "1.0", "http://a.example/new"),
    );
    assert.equal(url, "http://a.example/new");
  });

  it("compares the binding without case and takes every 1.x", () => {
    assert.equal(chosen(offer("jsonrpc", "1.0", "http://a.example/")), "http://a.example/");
    assert.equal(chosen(offer("JsonRpc", "1.0.2", "http://a.example/")), "http://a.example/");
    assert.equal(chosen(offer("JSONRPC", "1", "http://a.example/")), "http://a.example/");
    assert.equal(chosen(offer("JSONRPC", "10.0", "http://a.example/")), undefined);
  });

  it("passes over an interface that is not on the web", () => {
    assert.equal(chosen(offer("JSONRPC", "1.0", "unix:/tmp/x")), undefined);
  });

  it("takes an entry of the 1.0 list that names no version (C05)", () => {
    const card = decodeCard(
      { name: "a", supportedInterfaces: [{ url: "/rpc", protocolBinding: "JSONRPC" }] },
      "http://a.example/c",
    );
    assert.equal(chooseInterface(card)?.url, "http://a.example/rpc");
  });

  it("uses the 1.0 entry of a hybrid card (C06) [client-hybrid-card]", () => {
    const card = decodeCard(
      {
        name: "both",
        url: "http://a.example/old",
        protocolVersion: "0.3.0",
        supportedInterfaces: [{ url: "http://a.example/new", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      },
      "http://a.example/c",
    );
    assert.equal(chooseInterface(card)?.url, "http://a.example/new");
  });

  it("lists what is offered when nothing can be called (C05)", () => {
    const card = agentCard({
      supportedInterfaces: [
        offer("GRPC", "1.0", "http://a.example/g"),
        offer("HTTP+JSON", "1.0", "http://a.example/h"),
      ],
    });
    const error = refusal("PEER_BAD_REPLY", () => needInterface(card, "foo"));
    assert.match(error.message, /foo offers no JSON-RPC interface of A2A 1\.0.*GRPC 1\.0 at http.*HTTP\+JSON 1\.0/);
  });

  it("takes JSON-RPC 0.3 where there is nothing newer, also of an old card (C05, C06)", () => {
    const old = offer("jsonrpc", "0.3.0", "http://a.example/old");
    assert.equal(chosen(offer("GRPC", "1.0", "http://a.example/grpc"), old), "http://a.example/old");
    const card = decodeCard(
      { name: "old", url: "http://127.0.0.1:9902/", protocolVersion: "0.3.0" },
      "http://127.0.0.1:9902/c",
    );
    assert.equal(needInterface(card, "old").url, "http://127.0.0.1:9902/");
  });

  it("takes an empty version for 1.0 and passes over one that nobody knows", () => {
    assert.equal(chosen(offer("JSONRPC", " ", "http://a.example/")), "http://a.example/");
    assert.equal(chosen(offer("JSONRPC", "2.0", "http://a.example/")), undefined);
    assert.equal(chosen(offer("JSONRPC", "latest", "http://a.example/")), undefined);
  });

  it("says that a card offers nothing", () => {
    const error = refusal("PEER_BAD_REPLY", () => needInterface(agentCard({ supportedInterfaces: [] }), "foo"));
    assert.match(error.message, /no interface at all/);
  });
});
