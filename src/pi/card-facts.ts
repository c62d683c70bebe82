// Owns what the agent card says of the live session, and when that counts as new: the same object is given while nothing has
// changed, so that the card's bytes are made once, and the host is asked a few times a second at most.

import type { Settings } from "../core/config/settings.ts";
import { type Clock, isoTime } from "../core/platform/clock.ts";
import type { JsonObject } from "../core/platform/json.ts";
import { oneLine } from "../core/security/sanitize.ts";
import type { CardFacts } from "../inbound/server-types.ts";
import type { LiveHost } from "./host/live-host.ts";
import { PACKAGE_VERSION } from "./package-version.ts";
import { agentName, sessionSkills } from "./self.ts";

const ASK_AGAIN_MS = 250;
const MAX_NAME = 200;

export interface CardFactsDeps {
  readonly host: LiveHost;
  readonly clock: Clock;
  readonly settings: () => Settings;
}

export function createCardFacts(deps: CardFactsDeps): () => CardFacts {
  const { clock } = deps;
  const startedAt = processStart(clock);
  let kept: { readonly facts: CardFacts; readonly content: string } | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = clock.monotonic();
    if (kept !== undefined && now - askedAt < ASK_AGAIN_MS) return kept.facts;
    askedAt = now;
    const facts = readFacts(deps, startedAt);
    const content = JSON.stringify(facts);
    if (kept?.content !== content) kept = { facts, content };
    return kept.facts;
  };
}

/** In whole seconds: two readings of it are the same. */
function processStart(clock: Clock): string {
  return isoTime(Math.round(clock.now() / 1000 - process.uptime()) * 1000);
}

function readFacts({ host, settings }: CardFactsDeps, startedAt: string): CardFacts {
  const { server, discovery } = settings();
  const name = agentName(server.agentName);
  const facts = {
    name,
    description: "A Pi coding agent session: it reads, edits and runs code in its workspace.",
    version: PACKAGE_VERSION,
    skills: server.skills.length > 0 ? server.skills : sessionSkills(host.commands()),
  };
  return discovery.enrichCard ? { ...facts, session: sessionDetails(host, name, startedAt) } : facts;
}

/** For callers that are let in: where the session works, and with what. */
function sessionDetails(host: LiveHost, agent: string, startedAt: string): JsonObject {
  const { cwd, model } = host.current() ?? {};
  const sessionName = host.sessionName();
  return {
    pid: process.pid,
    agentName: agent,
    startedAt,
    tools: host.tools(),
    ...(cwd === undefined ? {} : { cwd }),
    ...(model === undefined ? {} : { model: { provider: model.provider, id: model.id, name: model.name } }),
    ...(sessionName === undefined ? {} : { sessionName: oneLine(sessionName, MAX_NAME) }),
  };
}
