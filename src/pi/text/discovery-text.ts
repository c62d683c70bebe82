// Owns the text that describes a discovered agent, for the model and for people.

import type { AgentCard, AgentSkill } from "../../core/protocol/types.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import type { Discovery } from "../../outbound/client-types.ts";

const MAX_SKILLS = 20;

/** Agent, address, protocol, abilities and skills, one line each; everything in it is the peer's own claim. */
export function discoveryText(found: Discovery): string {
  const { card } = found;
  const lines = [
    `Agent: ${oneLine(card.name)}${card.version === "" ? "" : ` (version ${oneLine(card.version, 40)})`}`,
    `Description: ${oneLine(card.description, 400)}`,
    `Card: ${oneLine(hideLogin(found.cardUrl))}`,
    protocolLine(found),
    `Abilities: streaming ${yesNo(card.capabilities.streaming)}, push ${yesNo(card.capabilities.pushNotifications)}, login ${loginText(card)}`,
    ...skillLines(card.skills),
  ];
  return lines.join("\n");
}

function protocolLine(found: Discovery): string {
  if (found.chosen !== undefined) {
    return `Calls go to: ${oneLine(hideLogin(found.chosen.url))} (JSON-RPC, ${dialectText(found)})`;
  }
  const offered = found.card.supportedInterfaces
    .map((face) => `${oneLine(face.protocolBinding, 20)} ${oneLine(face.protocolVersion, 20)}`)
    .join(", ");
  return `Cannot be called: no JSON-RPC interface of A2A 1.0 or 0.3 is offered (offered: ${offered === "" ? "none" : offered}).`;
}

/** What the card says, and what is spoken where that differs. */
function dialectText({ chosen, dialect }: Discovery): string {
  const stated = `A2A ${oneLine(chosen?.protocolVersion ?? "", 20)}`;
  if (dialect === "pi-a2a") return `${stated}, spoken as earlier pi-a2a sessions do`;
  const same = dialect === undefined || chosen?.protocolVersion.trim().startsWith(dialect.slice(0, 2)) === true;
  return same ? stated : `${stated}, but it only understood ${dialect}`;
}

function skillLines(skills: readonly AgentSkill[]): string[] {
  if (skills.length === 0) return ["Skills: none named"];
  const shown = skills
    .slice(0, MAX_SKILLS)
    .map((skill) => `- ${oneLine(skill.name, 80)}: ${oneLine(skill.description, 200)}`);
  const rest = skills.length - shown.length;
  return ["Skills:", ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])];
}

function loginText(card: AgentCard): string {
  const schemes = Object.keys(card.securitySchemes ?? {});
  return schemes.length === 0 ? "none" : schemes.map((name) => oneLine(name, 40)).join(", ");
}

function yesNo(value: boolean | undefined): string {
  return value === true ? "yes" : "no";
}
