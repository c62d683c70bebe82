import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { Discovery } from "../../../../src/outbound/client-types.ts";
import { discoveryText } from "../../../../src/pi/text/discovery-text.ts";
import { agentCard, agentInterface, skill } from "../../../support/builders.ts";

const SESSION = "https://bacnh85.dev/a2a/extensions/pi-session/v1";

function found(fields: Partial<Discovery> = {}): Discovery {
  return {
    peer: { name: "a", url: "http://a.example", source: "url", timeoutMs: 1 },
    cardUrl: "http://a.example/.well-known/agent-card.json",
    card: agentCard({ name: "Ann", version: "2.1", skills: [] }),
    chosen: agentInterface({ url: "http://a.example/rpc" }),
    dialect: "1.0",
    login: { wanted: "", sent: "" },
    problems: [],
    warnings: [],
    ...fields,
  };
}

const line = (text: string, start: string): string =>
  text.split("\n").find((one) => one.startsWith(start)) ?? `no line ${start}`;

describe("the text of a discovery", () => {
  it("begins with the agent, and says how it is called", () => {
    const text = discoveryText(found({ kind: "a Hermes agent" }));
    assert.match(text, /^Agent: Ann \(version 2\.1\)\nKind: it seems to be a Hermes agent\n/);
    assert.equal(line(text, "Calls go"), "Calls go to: http://a.example/rpc (JSON-RPC, A2A 1.0)");
    assert.equal(line(text, "Login"), "Login: none asked for");
    assert.doesNotMatch(text, /go wrong/);
  });

  it("names the dialect where it is not the one of the card", () => {
    assert.match(discoveryText(found({ dialect: "0.3" })), /A2A 1\.0, but it only understood 0\.3/);
    assert.match(discoveryText(found({ dialect: "pi-a2a" })), /as earlier pi-a2a sessions do/);
    const old = agentInterface({ url: "http://a.example/", protocolVersion: "0.3.0", tenant: "blue" });
    assert.match(discoveryText(found({ chosen: old, dialect: "0.3" })), /\(JSON-RPC, A2A 0\.3\.0, tenant blue\)/);
  });

  it("tells abilities, login and extensions", () => {
    const card = agentCard({
      capabilities: { streaming: false, pushNotifications: true, extensions: [{ uri: "urn:x", required: true }] },
      defaultInputModes: ["text/plain"],
      defaultOutputModes: [],
    });
    const login = { wanted: "a bearer token", sent: "the login of your settings is sent" };
    const text = discoveryText(found({ card, login }));
    const abilities = "streaming no, it is asked again and again instead, push yes, takes text/plain, gives any type";
    assert.equal(line(text, "Abilities"), `Abilities: ${abilities}`);
    assert.equal(line(text, "Login"), "Login: asks for a bearer token; the login of your settings is sent");
    assert.equal(line(text, "Extensions"), "Extensions: urn:x (required)");
  });

  it("tells what a Pi session says of itself", () => {
    const params = { cwd: "/work/app", model: { id: "sonnet" }, tools: ["read", "bash", 3], pid: 7 };
    const card = agentCard({ capabilities: { extensions: [{ uri: SESSION, params }] } });
    assert.equal(
      line(discoveryText(found({ card })), "Session"),
      "Session: folder /work/app, model sonnet, tools read, bash",
    );
  });

  it("shortens 500 skills", () => {
    const skills = Array.from({ length: 500 }, (_, n) => skill({ name: `skill ${n}`, description: "x".repeat(2000) }));
    const text = discoveryText(found({ card: agentCard({ skills }) }));
    assert.match(text, /- skill 19: x+…?\n- and 480 more$/);
    assert.ok(text.length < 8000, String(text.length));
  });

  it("lists what would go wrong, and what was tried", () => {
    const search = { tried: ["http://h:9910", "http://h:9900"], others: ["http://h:9900"] };
    const { chosen: _chosen, dialect: _dialect, ...rest } = found({ problems: ["It cannot be called."], search });
    const text = discoveryText(rest);
    assert.match(text, /Calls: not possible, see below/);
    assert.match(text, /What would go wrong:\n- It cannot be called\.\n/);
    assert.match(text, /Found by trying: http:\/\/h:9910, http:\/\/h:9900\nAgents there, too: http:\/\/h:9900$/);
  });

  it("is one safe line each, whatever the card holds", () => {
    const evil = "x\u001b]8;;http://evil\u0007\n- forged";
    const card = agentCard({
      name: evil,
      description: evil,
      provider: { organization: evil, url: evil },
      skills: [skill({ name: evil, description: evil })],
      capabilities: { extensions: [{ uri: evil }, { uri: SESSION, params: { cwd: evil, tools: [evil] } }] },
      defaultInputModes: [evil],
    });
    const text = discoveryText(found({ card }));
    assert.doesNotMatch(text.replaceAll("\n", ""), /\p{Cc}/u);
    assert.doesNotMatch(text, /^- forged/m);
  });
});
