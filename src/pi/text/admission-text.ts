// Owns what the operator is told when the server starts: who may call, what callers' agents may do, and what about the
// settings may be other than meant. True for every combination of them.

import type { ServerSettings, Settings } from "../../core/config/settings.ts";
import { classifyHost } from "../../core/security/address.ts";
import { canonicalAddress } from "../../core/security/host-header.ts";
import { oneLine } from "../../core/security/sanitize.ts";
import type { ServerReport } from "../server-control.ts";

const MAX_NAMES = 8;
const SET_A_TOKEN = "a2a.server.sharedToken or a2a.server.peerTokens (A2A_BEARER_TOKEN, A2A_PEER_TOKENS)";

export function admissionText(settings: Settings, workspace: string, report: ServerReport): string {
  const { server } = settings;
  return [
    ...refusedHostLines(report),
    `Who may call: ${whoMayCall(server, report.host)}.`,
    `What callers get: up to ${server.maxConcurrent} agents at once with this session's model and tools, in ${workspace}.`,
    ...hints(server, report.host),
  ].join("\n");
}

/** What was asked for and not done, and how to have it. */
export function refusedHostLines({ refusedHost }: ServerReport): readonly string[] {
  if (refusedHost === undefined) return [];
  const host = oneLine(refusedHost, 80);
  return [
    `Not listening on ${host}: without a token anybody who reaches it could call. Set ${SET_A_TOKEN}, then start the server again.`,
  ];
}

function whoMayCall(server: ServerSettings, host: string): string {
  if (server.refusals.length > 0) return "nobody until the settings can be read again";
  const callers = hasTokens(server) ? withTokens(server) : withoutTokens(server);
  if (callers === undefined) return "nobody: a2a.server.trustedPeers names none of those who could";
  if (!hasTokens(server)) return callers;
  return `${callers}, ${isLoopback(host) ? "from this machine" : "from wherever this address is reached"}`;
}

function withoutTokens(server: ServerSettings): string | undefined {
  if (!isFiltered(server)) return "every program on this machine, nobody from outside (loopback only, no login)";
  const own = trustedAddresses(server).filter((address) => classifyHost(address) === "loopback");
  return own.length === 0
    ? undefined
    : `programs on this machine that call from ${namesOf(own)} (loopback only, no login)`;
}

function withTokens(server: ServerSettings): string | undefined {
  const filtered = isFiltered(server);
  const peers = Object.keys(server.peerTokens).filter((name) => !filtered || server.trustedPeers.includes(name));
  const addresses = trustedAddresses(server);
  const callers = [
    ...(peers.length === 0
      ? []
      : [`${namesOf(peers)} with ${peers.length === 1 ? "its own token" : "their own tokens"}`]),
    ...(server.sharedToken === "" ? [] : sharedCallers(filtered, addresses)),
  ];
  return callers.length === 0 ? undefined : callers.join(", and ");
}

function sharedCallers(filtered: boolean, addresses: readonly string[]): readonly string[] {
  if (!filtered) return ["whoever has the shared token"];
  return addresses.length === 0 ? [] : [`whoever has the shared token and calls from ${namesOf(addresses)}`];
}

function hints(server: ServerSettings, host: string): readonly string[] {
  const { sharedToken, peerTokens, publicUrl, trustedProxies } = server;
  const proxied = publicUrl !== "" || trustedProxies.length > 0;
  const lines: string[] = [];
  if (sharedToken !== "" && (proxied || !isLoopback(host))) {
    lines.push(
      "Hint: all callers with the shared token are one caller: they see each other's tasks and share one limit. Give each its own in a2a.server.peerTokens.",
    );
  }
  if (hasTokens(server) && publicUrl !== "" && trustedProxies.length === 0) {
    lines.push(
      "Hint: callers through a proxy all have the proxy's address. Name the proxy in a2a.server.trustedProxies to see theirs.",
    );
  }
  if (!hasTokens(server) && proxied) {
    lines.push(`Hint: calls that a proxy passes on are refused without a token. Set ${SET_A_TOKEN}.`);
  }
  if (!isLoopback(host) && !publicUrl.startsWith("https:")) {
    lines.push(
      "Hint: tokens and texts cross the network unencrypted. Put a proxy with TLS in front, or use a private network.",
    );
  }
  for (const [name, first] of sharedTokens(peerTokens)) {
    lines.push(`Hint: ${name} has the same token as ${first} and counts as ${first}.`);
  }
  if (Object.values(peerTokens).includes(sharedToken)) {
    lines.push("Hint: the shared token is also a peer's token; whoever presents it counts as that peer.");
  }
  return lines;
}

/** Names whose token an earlier name has too, each with that name. */
function sharedTokens(peerTokens: ServerSettings["peerTokens"]): readonly (readonly [string, string])[] {
  const all = Object.entries(peerTokens);
  return all.flatMap(([name, token]) => {
    const [first = name] = all.find(([, other]) => other === token) ?? [];
    return first === name ? [] : [[name, first] as const];
  });
}

function trustedAddresses({ trustedPeers }: ServerSettings): readonly string[] {
  return trustedPeers.flatMap((entry) => {
    const address = entry.startsWith("ip:") ? canonicalAddress(entry.slice("ip:".length)) : undefined;
    return address === undefined ? [] : [address];
  });
}

function isFiltered({ trustedPeers, allowAllUsers }: ServerSettings): boolean {
  return trustedPeers.length > 0 && !allowAllUsers;
}

function hasTokens({ sharedToken, peerTokens }: ServerSettings): boolean {
  return sharedToken !== "" || Object.keys(peerTokens).length > 0;
}

function isLoopback(host: string): boolean {
  return classifyHost(host) === "loopback";
}

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(", ");
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
