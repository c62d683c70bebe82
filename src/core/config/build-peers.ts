// Owns the peers of the settings. A repository's peer has an address, and never anything that is a credential.

import { type Fault, type MergedSettings, type PeerSource, pathOf } from "./layer.ts";
import { ROWS } from "./schema-rows.ts";
import { choiceOf, mapOf, optionalNumber, optionalString, stringOf, stringsOf } from "./setting-values.ts";
import type { PeerAuth, PeerSettings, Settings } from "./settings.ts";

/** The text of an environment variable. */
export type Variable = (name: string) => string | undefined;

export interface BuiltPeers {
  readonly peers: Settings["peers"];
  readonly faults: readonly Fault[];
}

export function buildPeers(merged: MergedSettings, variable: Variable): BuiltPeers {
  // Names come from models and people: a look-up of `constructor` must find nothing.
  const peers: Record<string, PeerSettings> = Object.create(null);
  const faults: Fault[] = [];
  for (const [name, from] of merged.peers) {
    const url = optionalString(merged, "peers.*.url", name);
    if (url !== undefined) peers[name] = buildPeer(merged, name, url, from, variable);
    else if (!hasUrlFault(merged, name)) faults.push(withoutUrl(name, from));
    const missing = missingVariable(merged, name, variable);
    if (missing !== undefined) faults.push(missing);
  }
  return { peers: peers, faults };
}

function buildPeer(
  merged: MergedSettings,
  name: string,
  url: string,
  from: PeerSource,
  variable: Variable,
): PeerSettings {
  const timeout = optionalNumber(merged, "peers.*.timeout", name);
  const common = {
    url,
    capabilities: stringsOf(merged, "peers.*.capabilities", name),
    ...(timeout === undefined ? {} : { timeout }),
  };
  if (from.kind === "repository") return { ...common, origin: "repository", headers: {} };
  const auth = authOf(merged, name, variable);
  return {
    ...common,
    origin: "operator",
    headers: mapOf(merged, "peers.*.headers", name),
    ...(auth === undefined ? {} : { auth }),
  };
}

/** Undefined when no credential is named. */
function authOf(merged: MergedSettings, name: string, variable: Variable): PeerAuth | undefined {
  const token = optionalString(merged, "peers.*.auth.token", name) ?? tokenInVariable(merged, name, variable);
  const tokenCommand = optionalString(merged, "peers.*.auth.tokenCommand", name);
  if (token === undefined && tokenCommand === undefined) return undefined;
  return {
    type: choiceOf(merged, "peers.*.auth.type", ROWS["peers.*.auth.type"], name),
    header: stringOf(merged, "peers.*.auth.header", name),
    ...(token === undefined ? {} : { token }),
    ...(tokenCommand === undefined ? {} : { tokenCommand }),
  };
}

function tokenInVariable(merged: MergedSettings, name: string, variable: Variable): string | undefined {
  const tokenEnv = optionalString(merged, "peers.*.auth.tokenEnv", name);
  return tokenEnv === undefined ? undefined : variable(tokenEnv)?.trim() || undefined;
}

function missingVariable(merged: MergedSettings, name: string, variable: Variable): Fault | undefined {
  const entry = merged.get("peers.*.auth.tokenEnv", name);
  if (entry === undefined || optionalString(merged, "peers.*.auth.token", name) !== undefined) return undefined;
  if (tokenInVariable(merged, name, variable) !== undefined) return undefined;
  const problem = `names ${String(entry.value)}, which is not set`;
  return { source: entry.source, place: `a2a.${pathOf(entry)}`, problem };
}

function withoutUrl(name: string, { source }: PeerSource): Fault {
  return { source, place: `a2a.peers.${name}`, problem: "has no url; the peer is left out" };
}

function hasUrlFault(merged: MergedSettings, name: string): boolean {
  return merged.faults.some(({ setting }) => setting?.key === "peers.*.url" && setting.name === name);
}
