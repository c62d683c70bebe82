import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { A2aError } from "../../../src/core/platform/errors.ts";
import type { AgentCard, AgentInterface } from "../../../src/core/protocol/types.ts";
import { createDialectMemory, type DialectChoice, dialectOf } from "../../../src/outbound/dialect.ts";
import { agentCard, agentInterface } from "../../support/builders.ts";

const SESSION = "https://bacnh85.dev/a2a/extensions/pi-session/v1";
const withExtensions = (...uris: string[]): AgentCard =>
  agentCard({ capabilities: { extensions: uris.map((uri) => ({ uri })) } });
const face = (protocolVersion: string): AgentInterface => agentInterface({ protocolVersion });
const choice = (version = "1.0", card = agentCard()): DialectChoice =>
  createDialectMemory().choiceFor(card, face(version));
const rpcError = (rpcCode: string): A2aError => new A2aError("PEER_ERROR", "no", { metadata: { rpcCode } });

describe("the dialect of a peer", () => {
  it("follows the version of the chosen interface (C05, C06)", () => {
    assert.equal(dialectOf(agentCard(), face("1.0")), "1.0");
    assert.equal(dialectOf(agentCard(), face("1.2.3")), "1.0");
    assert.equal(dialectOf(agentCard(), face("")), "1.0");
    assert.equal(dialectOf(agentCard(), face("0.3.0")), "0.3");
    assert.equal(dialectOf(agentCard(), face("0.2")), "0.3");
  });

  it("is the slash names for pi-a2a sessions that list only their older extension", () => {
    assert.equal(dialectOf(withExtensions(SESSION), face("1.0")), "pi-a2a");
    assert.equal(dialectOf(withExtensions(SESSION, "urn:pi-a2a:ext:v1"), face("1.0")), "1.0");
  });

  it("changes only after errors that prove that the request was not taken", () => {
    for (const code of ["-32601", "-32009"]) {
      assert.equal(choice("1.0").insteadOf("1.0", rpcError(code), false), "0.3");
      assert.equal(choice("0.3").insteadOf("0.3", rpcError(code), false), "1.0");
      assert.equal(choice("1.0", withExtensions(SESSION)).insteadOf("pi-a2a", rpcError(code), false), "1.0");
      assert.equal(choice("1.0", withExtensions(SESSION)).insteadOf("1.0", rpcError(code), false), "pi-a2a");
    }
    for (const code of ["-32603", "-32602", "-32001", "-32004", "-32600"]) {
      assert.equal(choice().insteadOf("1.0", rpcError(code), false), undefined);
    }
    const lost = new A2aError("PEER_UNREACHABLE", "gone", { metadata: { rpcCode: "-32601" } });
    assert.equal(choice().insteadOf("1.0", lost, false), undefined);
  });

  it("remembers what worked, for the same interface", () => {
    const memory = createDialectMemory();
    memory.choiceFor(agentCard(), face("1.0")).understood("0.3");
    assert.equal(memory.choiceFor(agentCard(), face("1.0")).now(), "0.3");
    const elsewhere = agentInterface({ url: "http://other.example/" });
    assert.equal(memory.choiceFor(agentCard(), elsewhere).now(), "1.0");
  });

  it("goes back when the peer has become a newer one", () => {
    const known = choice("1.0");
    known.understood("0.3");
    assert.equal(known.insteadOf("0.3", rpcError("-32601"), false), "1.0");
  });

  it("takes a missing optional method for missing once the dialect has worked", () => {
    const known = choice("1.0");
    assert.equal(known.insteadOf("1.0", rpcError("-32601"), true), "0.3");
    known.understood("1.0");
    assert.equal(known.insteadOf("1.0", rpcError("-32601"), true), undefined);
    assert.equal(known.insteadOf("1.0", rpcError("-32009"), true), "0.3");
  });

  it("forgets the peer that was spoken to longest ago, not all of them", () => {
    const memory = createDialectMemory();
    const at = (n: number): DialectChoice =>
      memory.choiceFor(agentCard(), agentInterface({ url: `http://h${n}.example/` }));
    for (let n = 0; n <= 500; n++) at(n).understood("0.3");
    assert.equal(at(0).now(), "1.0");
    assert.equal(at(1).now(), "0.3");
    assert.equal(at(500).now(), "0.3");
  });
});
