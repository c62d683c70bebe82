// Owns telling which product an agent is of, by traits of its card that are known. Pure; a guess, and worded as one.

import { OWN_EXTENSION, SESSION_EXTENSION } from "../core/protocol/extension-uris.ts";
import type { AgentCard } from "../core/protocol/types.ts";

interface Trait {
  readonly kind: string;
  readonly matches: (card: AgentCard, cardUrl: string) => boolean;
}

const TRAITS: readonly Trait[] = [
  { kind: "a Pi session (pi-a2a)", matches: (card) => hasExtension(card, OWN_EXTENSION) },
  { kind: "a Pi session (an earlier pi-a2a)", matches: (card) => hasExtension(card, SESSION_EXTENSION) },
  {
    kind: "a Hermes agent",
    matches: (card) => /^hermes agent$/i.test(card.provider?.organization ?? "") || hasSkill(card, /^toolset\./),
  },
  { kind: "Gemini CLI", matches: (card) => /^gemini\b/i.test(card.name) && card.provider?.organization === "Google" },
  {
    kind: "an assistant of LangGraph",
    matches: (card, cardUrl) => cardUrl.includes("assistant_id=") || hasTag(card, "langgraph"),
  },
  {
    kind: "an agent behind AWS Bedrock AgentCore",
    matches: (_card, cardUrl) => /\/\/bedrock-agentcore\./.test(cardUrl),
  },
  { kind: "an agent of Google's ADK", matches: (card) => hasTag(card, "llm") || card.description === "An ADK Agent" },
];

/** Such as `a Hermes agent`; undefined when nothing gives it away. */
export function agentKind(card: AgentCard, cardUrl: string): string | undefined {
  return TRAITS.find(({ matches }) => matches(card, cardUrl))?.kind;
}

function hasExtension({ capabilities }: AgentCard, wanted: string): boolean {
  return (capabilities.extensions ?? []).some(({ uri }) => uri === wanted);
}

function hasSkill({ skills }: AgentCard, id: RegExp): boolean {
  return skills.some((skill) => id.test(skill.id));
}

function hasTag({ skills }: AgentCard, wanted: string): boolean {
  return skills.some(({ tags }) => tags.includes(wanted));
}
