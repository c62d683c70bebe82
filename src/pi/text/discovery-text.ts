// Owns the text that describes a discovered agent, for the model and for people. Everything in it but the address and the problems
// is the agent's own claim.

import { SESSION_EXTENSION } from "../../core/protocol/extension-uris.ts";
import type { AgentCard, AgentExtension, AgentSkill, Json } from "../../core/protocol/types.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import { hideLogin } from "../../core/security/url-login.ts";
import type { Discovery } from "../../outbound/client-types.ts";

const MAX_SKILLS = 20;
const MAX_NAMES = 12;

/** Who it is, how it is called, what it can do, what login it wants, what would go wrong; a line each. */
export function discoveryText(found: Discovery): string {
  const { card } = found;
  return [
    `Agent: ${oneLine(card.name)}${card.version === "" ? "" : ` (version ${oneLine(card.version, 40)})`}`,
    ...(found.kind === undefined ? [] : [`Kind: it seems to be ${found.kind}`]),
    `Description: ${oneLine(card.description, 400)}`,
    ...providerLine(card),
    `Card: ${shownUrl(found.cardUrl)}`,
    protocolLine(found),
    `Abilities: ${abilities(card)}`,
    `Login: ${loginText(found)}`,
    ...extensionLine(card),
    ...sessionLine(card),
    ...skillLines(card.skills),
    ...(found.problems.length === 0
      ? []
      : ["What would go wrong:", ...found.problems.map((problem) => `- ${problem}`)]),
    ...searchLines(found),
  ].join("\n");
}

function providerLine({ provider }: AgentCard): string[] {
  if (provider === undefined || (provider.organization === "" && provider.url === "")) return [];
  return [`Provider: ${[oneLine(provider.organization, 100), shownUrl(provider.url)].filter(Boolean).join(", ")}`];
}

function protocolLine(found: Discovery): string {
  const { chosen } = found;
  if (chosen === undefined) return "Calls: not possible, see below";
  const tenant = chosen.tenant === undefined ? "" : `, tenant ${oneLine(chosen.tenant, 60)}`;
  return `Calls go to: ${shownUrl(chosen.url)} (JSON-RPC, ${dialectText(found)}${tenant})`;
}

/** What the card says, and what is spoken where that differs. */
function dialectText({ chosen, dialect }: Discovery): string {
  const stated = `A2A ${oneLine(chosen?.protocolVersion ?? "", 20)}`;
  if (dialect === "pi-a2a") return `${stated}, spoken as earlier pi-a2a sessions do`;
  const same = dialect === undefined || chosen?.protocolVersion.trim().startsWith(dialect.slice(0, 2)) === true;
  return same ? stated : `${stated}, but it only understood ${dialect}`;
}

function abilities({ capabilities, defaultInputModes, defaultOutputModes }: AgentCard): string {
  const modes = (names: readonly string[]): string =>
    names.length === 0 ? "any type" : listed(names.map((name) => oneLine(name, 60)));
  return [
    `streaming ${capabilities.streaming === true ? "yes" : "no, it is asked again and again instead"}`,
    `push ${yesNo(capabilities.pushNotifications)}`,
    `takes ${modes(defaultInputModes)}`,
    `gives ${modes(defaultOutputModes)}`,
  ].join(", ");
}

function loginText({ login }: Discovery): string {
  const wanted = login.wanted === "" ? "none asked for" : `asks for ${login.wanted}`;
  return login.sent === "" ? wanted : `${wanted}; ${login.sent}`;
}

function extensionLine({ capabilities }: AgentCard): string[] {
  const all = (capabilities.extensions ?? []).map(
    ({ uri, required }) => `${oneLine(uri, 120)}${required === true ? " (required)" : ""}`,
  );
  return all.length === 0 ? [] : [`Extensions: ${listed(all)}`];
}

/** What Pi sessions tell of themselves. */
function sessionLine({ capabilities }: AgentCard): string[] {
  const session = (capabilities.extensions ?? []).find(({ uri }) => uri === SESSION_EXTENSION);
  const facts = session === undefined ? [] : sessionFacts(session);
  return facts.length === 0 ? [] : [`Session: ${facts.join(", ")}`];
}

function sessionFacts({ params = {} }: AgentExtension): string[] {
  const { cwd, model, tools } = params;
  const modelId = typeof model === "object" && model !== null && "id" in model ? model.id : model;
  const names = Array.isArray(tools) ? tools.filter(isText).map((tool) => oneLine(tool, 40)) : [];
  return [
    ...(isText(cwd) ? [`folder ${oneLine(cwd, 200)}`] : []),
    ...(isText(modelId) ? [`model ${oneLine(modelId, 80)}`] : []),
    ...(names.length > 0 ? [`tools ${listed(names)}`] : []),
  ];
}

function skillLines(skills: readonly AgentSkill[]): string[] {
  if (skills.length === 0) return ["Skills: none named"];
  const shown = skills.slice(0, MAX_SKILLS).map(({ name, description }) => {
    const text = oneLine(description, 200);
    return `- ${oneLine(name, 80)}${text === "" ? "" : `: ${text}`}`;
  });
  const rest = skills.length - shown.length;
  return ["Skills:", ...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])];
}

function searchLines({ search }: Discovery): string[] {
  if (search === undefined) return [];
  const others = search.others.map(shownUrl);
  return [
    `Found by trying: ${search.tried.map(shownUrl).join(", ")}`,
    ...(others.length === 0 ? [] : [`Agents there, too: ${others.join(", ")}`]),
  ];
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

function shownUrl(url: string): string {
  return oneLine(hideLogin(url));
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function yesNo(value: boolean | undefined): string {
  return value === true ? "yes" : "no";
}
