// Makes the agent card (A2A 1.0 §4.4, §8): the bytes once per content and address, with the validators that let a client keep
// them. Says nothing about the session beyond its facts, and its details only where they are asked for.

import { createHash } from "node:crypto";
import type { Clock } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";
import { encodeCard } from "../core/protocol/encode.ts";
import type { AgentCard, AgentSkill } from "../core/protocol/types.ts";
import type { CardView } from "./admission/admission-types.ts";
import { cardExtensions } from "./extensions.ts";
import { encodeHybridCard } from "./legacy/hybrid-card.ts";
import type { CardFacts, Features } from "./server-types.ts";

export interface CardBytes {
  readonly body: string;
  readonly etag: string;
  /** When this content was first seen, in milliseconds since the epoch. */
  readonly since: number;
  /** True for what only the caller itself may keep. */
  readonly isPrivate: boolean;
}

export interface CardSource {
  /**
   * With the details of the session, if there are any and the caller may read them; `hybrid` is a card that clients of A2A 0.3 can
   * read, too.
   */
  at(view: CardView, hybrid?: boolean): CardBytes;
  /** True when GetExtendedAgentCard says more than the public card: callers log in, and there are details of the session. */
  hasExtended(view: CardView): boolean;
  /** The extended card, as GetExtendedAgentCard gives it. Throws EXTENDED_CARD_NOT_CONFIGURED when there is no more to say. */
  extended(view: CardView): AgentCard;
}

/** Text, data and files of any type, both ways. */
const MODES = ["text/plain", "application/json", "application/octet-stream"];
/** Two ways to present the same tokens; either is enough. */
const LOGIN = {
  securitySchemes: {
    bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } },
    apiKey: { apiKeySecurityScheme: { location: "header", name: "X-API-Key" } },
  },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }, { schemes: { apiKey: { list: [] } } }],
};
/** One server is called by few names; a caller that invents ports must not fill the memory. */
const MAX_KEPT = 16;

export function createCardSource(cardFacts: () => CardFacts, clock: Clock, features: Features = {}): CardSource {
  const kept = new Map<string, { readonly facts: CardFacts; readonly bytes: CardBytes }>();
  return {
    at(view, hybrid = false) {
      const key = [view.withSession, view.login, hybrid, view.url].join(" ");
      const facts = cardFacts();
      const last = kept.get(key);
      if (last?.facts === facts) return last.bytes;
      const body = JSON.stringify((hybrid ? encodeHybridCard : encodeCard)(createCard(facts, view, features)));
      const isPrivate = view.withSession && facts.session !== undefined;
      const bytes =
        last?.bytes.body === body ? last.bytes : { body, etag: etagOf(body), since: clock.now(), isPrivate };
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(key, { facts, bytes });
      return bytes;
    },
    hasExtended: ({ login }) => offersExtended(cardFacts(), login, features),
    extended(view) {
      const facts = cardFacts();
      if (facts.session !== undefined) return createCard(facts, { ...view, withSession: true }, features);
      throw new A2aError(
        "EXTENDED_CARD_NOT_CONFIGURED",
        "there is no extended card: it would say no more than the public one",
      );
    },
  };
}

function offersExtended({ session }: CardFacts, login: boolean, { extendedCard }: Features): boolean {
  return extendedCard ?? (login && session !== undefined);
}

/** Every required field is filled, whatever the facts lack: strict readers refuse a card with an empty one. */
export function createCard(
  facts: CardFacts,
  { url, login, withSession }: CardView,
  features: Features = {},
): AgentCard {
  const name = facts.name || "Pi";
  return {
    name,
    description: facts.description || name,
    version: facts.version || "0.0.0",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: {
      streaming: features.streaming ?? true,
      pushNotifications: features.push ?? true,
      extensions: cardExtensions(features, withSession ? facts.session : undefined),
      extendedAgentCard: offersExtended(facts, login, features),
    },
    ...(login ? LOGIN : {}),
    defaultInputModes: MODES,
    defaultOutputModes: MODES,
    skills: facts.skills.length === 0 ? [fallbackSkill(name)] : facts.skills.map(filledSkill),
  };
}

function filledSkill(skill: AgentSkill): AgentSkill {
  const name = skill.name || skill.id;
  const tags = skill.tags.filter((tag) => tag !== "");
  return { ...skill, name, description: skill.description || name, tags: tags.length === 0 ? [skill.id] : tags };
}

function fallbackSkill(name: string): AgentSkill {
  return {
    id: "coding",
    name: "Coding",
    description: `Work on the code in the workspace of ${name}.`,
    tags: ["coding"],
  };
}

function etagOf(body: string): string {
  return `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
}
