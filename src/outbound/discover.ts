// Owns what a discovery says of an agent: its card, how calls would be made, and what would go wrong.

import type { Settings } from "../core/config/settings.ts";
import { agentKind } from "./agent-kind.ts";
import type { FoundCard } from "./card-cache.ts";
import { cardProblems, loginSent } from "./card-problems.ts";
import { chooseInterface } from "./choose-interface.ts";
import type { Discovery } from "./client-types.ts";
import type { DialectMemory } from "./dialect.ts";
import type { Target } from "./outbound-deps.ts";
import { loginOfCard } from "./wanted-login.ts";

export function discoveryOf(called: Target, found: FoundCard, dialects: DialectMemory, settings: Settings): Discovery {
  const { card, cardUrl, warnings } = found;
  const chosen = chooseInterface(card);
  const kind = agentKind(card, cardUrl);
  const read = { called, card, cardUrl, chosen, warnings };
  return {
    peer: called.peer,
    cardUrl,
    card,
    warnings,
    login: { wanted: loginOfCard(card), sent: loginSent(read, settings) },
    problems: cardProblems(read, settings),
    ...(kind === undefined ? {} : { kind }),
    ...(chosen === undefined ? {} : { chosen, dialect: dialects.choiceFor(card, chosen).now() }),
  };
}
