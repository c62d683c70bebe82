// Owns which interface of a card is called: JSON-RPC, in A2A 1.x where there is a choice, else in an older one. Pure; says clearly
// when a card offers none.

import { A2aError } from "../core/platform/errors.ts";
import type { AgentCard, AgentInterface } from "../core/protocol/types.ts";
import { oneLine } from "../core/security/sanitize.ts";
import { hideLogin } from "../core/security/url-login.ts";

const SHOWN = 8;

/** The first interface that this client speaks; the card's order is the agent's preference (A2A 1.0 §8.3). */
export function chooseInterface(card: AgentCard): AgentInterface | undefined {
  const callable = card.supportedInterfaces.filter((entry) => isJsonRpc(entry) && isWebUrl(entry.url));
  return callable.find((entry) => hasMajor(entry, 1)) ?? callable.find((entry) => hasMajor(entry, 0));
}

/** An entry that leaves its version empty is taken for one of 1.0; if it is older, the first call shows it. */
function hasMajor({ protocolVersion }: AgentInterface, major: number): boolean {
  const version = protocolVersion.trim();
  return version === "" ? major === 1 : version.split(".", 1)[0] === String(major);
}

/** Like chooseInterface, but throws PEER_BAD_REPLY with what is offered. */
export function needInterface(card: AgentCard, peer: string): AgentInterface {
  const chosen = chooseInterface(card);
  if (chosen !== undefined) return chosen;
  throw new A2aError(
    "PEER_BAD_REPLY",
    `${peer} offers no JSON-RPC interface of A2A 1.0 or 0.3; its card offers ${interfacesOffered(card)}`,
    {
      hint: "Ask the agent's operator for an A2A interface over JSON-RPC.",
    },
  );
}

/** What stands in the card, as a clause that is safe to show. */
export function interfacesOffered(card: AgentCard): string {
  if (card.supportedInterfaces.length === 0) return "no interface at all";
  const shown = card.supportedInterfaces
    .slice(0, SHOWN)
    .map((entry) => oneLine(`${entry.protocolBinding} ${entry.protocolVersion} at ${hideLogin(entry.url)}`, 120));
  const rest = card.supportedInterfaces.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

function isJsonRpc(entry: AgentInterface): boolean {
  return entry.protocolBinding.trim().toUpperCase() === "JSONRPC";
}

function isWebUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
