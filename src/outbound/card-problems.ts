// Owns what would go wrong when an agent is called, as far as its card and the settings show it: no interface, a login that is
// missing or would not be sent, required extensions, addresses that lead elsewhere, texts that it does not take. Pure; every line is
// safe to show.

import type { Settings } from "../core/config/settings.ts";
import { isA2aError } from "../core/platform/errors.ts";
import type { AgentCard, AgentInterface } from "../core/protocol/types.ts";
import { classifyHost, type HostClass } from "../core/security/address.ts";
import { oneLine } from "../core/security/sanitize.ts";
import { hideLogin } from "../core/security/url-login.ts";
import { interfacesOffered } from "./choose-interface.ts";
import { refusedHint } from "./login-refusal.ts";
import { type Called, type Outgoing, outgoingFor } from "./logins.ts";
import { loginOfCard } from "./wanted-login.ts";

const MOST_WARNINGS = 3;

export interface ReadCard {
  readonly called: Called;
  readonly card: AgentCard;
  readonly cardUrl: string;
  readonly chosen: AgentInterface | undefined;
  readonly warnings: readonly string[];
}

/** One sentence or two for each; none when nothing is to be expected. */
export function cardProblems(read: ReadCard, settings: Settings): readonly string[] {
  return [
    ...callProblems(read, settings),
    ...extensionProblems(read.card),
    ...modeProblems(read.card),
    ...fieldProblems(read.warnings),
  ];
}

/** What is sent with calls, or why there would be none. */
export function loginSent({ called, chosen }: Pick<ReadCard, "called" | "chosen">, settings: Settings): string {
  const outgoing = chosen === undefined ? undefined : outgoingTo(called, chosen.url, settings);
  if (outgoing === undefined || typeof outgoing === "string") return "";
  if (outgoing.command !== undefined) return "what a command of your settings prints is sent";
  const { sent } = outgoing.note;
  if (sent === "session") return "this session's own token is sent";
  if (sent !== undefined) return "the login of your settings is sent";
  return hasOwnHeaders(called, settings) ? "the headers of your settings are sent" : "";
}

function callProblems(read: ReadCard, settings: Settings): readonly string[] {
  const { card, chosen, called, cardUrl } = read;
  if (chosen === undefined) {
    const hint = "Ask its operator for an interface over JSON-RPC.";
    return [
      `It cannot be called: this session speaks JSON-RPC, and its card offers ${interfacesOffered(card)}. ${hint}`,
    ];
  }
  const outgoing = outgoingTo(called, chosen.url, settings);
  if (typeof outgoing === "string") return [outgoing, ...addressProblems(chosen.url, cardUrl)];
  return [
    ...loginProblems(read, outgoing, settings),
    ...addressProblems(chosen.url, cardUrl),
    ...reachProblems(called, chosen.url, outgoing, settings),
  ];
}

function outgoingTo(called: Called, url: string, settings: Settings): Outgoing | string {
  try {
    return outgoingFor(called, url, settings);
  } catch (error) {
    if (!isA2aError(error)) throw error;
    return `Calls are refused on this side: ${error.message}. ${error.hint}`;
  }
}

function loginProblems({ card, called }: ReadCard, { note, command }: Outgoing, settings: Settings): readonly string[] {
  const wanted = loginOfCard(card);
  if (wanted === "" || mayComeWithout(card) || note.sent !== undefined || command !== undefined) return [];
  if (hasOwnHeaders(called, settings)) return [];
  return [refusedHint(called.peer, note, 401, wanted)];
}

/** One of the alternatives asks for nothing. */
function mayComeWithout({ securityRequirements = [] }: AgentCard): boolean {
  return securityRequirements.some(
    ({ schemes }) => typeof schemes === "object" && Object.keys(schemes ?? {}).length === 0,
  );
}

function hasOwnHeaders({ peer }: Called, { peers }: Settings): boolean {
  if (peer.source !== "configured" || !Object.hasOwn(peers, peer.name)) return false;
  return Object.keys(peers[peer.name]?.headers ?? {}).length > 0;
}

function addressProblems(callUrl: string, cardUrl: string): readonly string[] {
  const to = hostClass(callUrl);
  const from = hostClass(cardUrl);
  const shown = oneLine(hideLogin(callUrl), 200);
  if (to === "loopback" && from !== "loopback") {
    return [
      `Its card sends calls to ${shown}, which is this machine and not the agent's. Its operator has to advertise an address that callers can reach.`,
    ];
  }
  if (to === "private" && (from === "public" || from === "loopback")) {
    return [
      `Its card sends calls to ${shown}, an address of a private network other than the card's. Calls there are refused unless a configured peer has it.`,
    ];
  }
  if (isPlainHttp(callUrl) && to !== "loopback" && to !== "private" && !isLocalName(callUrl)) {
    return [
      `Calls go over plain http to ${oneLine(new URL(callUrl).host, 100)}: whoever sits between can read and change them, and a login is not sent.`,
    ];
  }
  return [];
}

/** What a person may call and the model may not. */
function reachProblems(called: Called, url: string, outgoing: Outgoing, settings: Settings): readonly string[] {
  if (!called.typed || outgoing.addresses !== "any" || called.peer.source === "configured") return [];
  const forModel = outgoingTo({ ...called, typed: false }, url, settings);
  const isOpen = typeof forModel !== "string" && forModel.addresses === "any";
  if (isOpen || hostClass(url) !== "private") return [];
  return ["It has a private address: the model can call it only once it is configured under a2a.peers."];
}

function extensionProblems({ capabilities }: AgentCard): readonly string[] {
  const required = (capabilities.extensions ?? []).filter((extension) => extension.required === true);
  return required.map(
    ({ uri }) =>
      `It requires the extension ${oneLine(uri, 120)}, which this session does not have: it may refuse calls (-32008).`,
  );
}

function modeProblems({ defaultInputModes }: AgentCard): readonly string[] {
  const takesText = defaultInputModes.some((mode) => /^\s*(text\b|\*)/i.test(mode));
  if (defaultInputModes.length === 0 || takesText) return [];
  const modes = defaultInputModes.slice(0, 6).map((mode) => oneLine(mode, 60));
  return [`It takes no text by default, only ${modes.join(", ")}.`];
}

function fieldProblems(warnings: readonly string[]): readonly string[] {
  const shown = warnings.slice(0, MOST_WARNINGS).map((warning) => `Its card has a fault: ${oneLine(warning, 200)}.`);
  const rest = warnings.length - shown.length;
  return rest > 0 ? [...shown, `Its card has more faults, ${rest} at least.`] : shown;
}

function hostClass(url: string): HostClass {
  return URL.canParse(url) ? classifyHost(new URL(url).hostname) : "name";
}

function isPlainHttp(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "http:";
}

function isLocalName(url: string): boolean {
  const { hostname } = new URL(url);
  if (classifyHost(hostname) !== "name") return false;
  return !hostname.includes(".") || /\.(local|lan|home|internal|home\.arpa)$/i.test(hostname);
}
