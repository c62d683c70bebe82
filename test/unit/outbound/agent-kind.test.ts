import assert from "node:assert/strict";
import { describe, it } from "mocha";
import type { AgentCard } from "../../../src/core/protocol/types.ts";
import { agentKind } from "../../../src/outbound/agent-kind.ts";
import { agentCard, skill } from "../../support/builders.ts";

const URL = "http://a.example/.well-known/agent-card.json";
const PI_SESSION = "https://bacnh85.dev/a2a/extensions/pi-session/v1";
const extensions = (...uris: string[]): Partial<AgentCard> => ({
  capabilities: { extensions: uris.map((uri) => ({ uri })) },
});

describe("what kind of agent a card is of", () => {
  const CASES: readonly [fields: Partial<AgentCard>, kind: RegExp | undefined, cardUrl?: string][] = [
    [extensions(PI_SESSION, "urn:pi-a2a:ext:v1"), /^a Pi session \(pi-a2a\)$/],
    [extensions(PI_SESSION), /earlier pi-a2a/],
    [{ provider: { organization: "Hermes Agent", url: "" } }, /Hermes/],
    [{ skills: [skill({ id: "toolset.web" })] }, /Hermes/],
    [{ name: "Gemini SDLC Agent", provider: { organization: "Google", url: "" } }, /Gemini/],
    [{}, /LangGraph/, `${URL}?assistant_id=1`],
    [{ skills: [skill({ tags: ["llm"] })] }, /ADK/],
    [{}, /AgentCore/, "https://bedrock-agentcore.us-west-2.amazonaws.com/x/agent-card.json"],
    [{ name: "Hermes fan" }, undefined],
    [{ name: "Gemini twin" }, undefined],
  ];
  for (const [fields, kind, cardUrl = URL] of CASES) {
    it(`is ${kind ?? "unknown"} for ${JSON.stringify(fields)}`, () => {
      const found = agentKind(agentCard(fields), cardUrl);
      if (kind === undefined) assert.equal(found, undefined);
      else assert.match(found ?? "", kind);
    });
  }
});
