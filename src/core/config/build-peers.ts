// Owns the peers of the settings. A repository's peer has an address, and never anything that is a credential.

import { type Fault, type MergedSettings, type PeerSource, pathOf } from "./layer.ts";
import { buildAuth, type Variable } from "./peer-auth.ts";
import { sendableHeaders } from "./peer-headers.ts";
import { booleanOf, mapOf, optionalNumber, optionalString, stringsOf } from "./setting-values.ts";
import type { PeerSettings, Settings } from "./settings.ts";
import { fitsFormat, wantedByFormat } from "./string-formats.ts";

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
    if (url !== undefined) peers[name] = buildPeer({ merged, name, url, from, faults, variable });
    else if (!hasUrlFault(merged, name)) faults.push(withoutUrl(name, from));
  }
  return { peers: peers, faults };
}

interface Building {
  readonly merged: MergedSettings;
  readonly name: string;
  readonly url: string;
  readonly from: PeerSource;
  readonly variable: Variable;
  /** Grows. */
  readonly faults: Fault[];
}

function buildPeer({ merged, name, url, from, faults, variable }: Building): PeerSettings {
  const timeout = optionalNumber(merged, "peers.*.timeout", name);
  const common = {
    url,
    capabilities: stringsOf(merged, "peers.*.capabilities", name),
    ...(timeout === undefined ? {} : { timeout }),
  };
  if (from.kind === "repository") return { ...common, origin: "repository", headers: {} };
  const auth = buildAuth(merged, name, variable);
  faults.push(...auth.faults);
  const login = auth.auth === undefined ? {} : { auth: auth.auth };
  return {
    ...common,
    ...login,
    origin: "operator",
    headers: headersOf(merged, name, login.auth, faults),
    ...placesOf(merged, name, faults),
  };
}

function headersOf(merged: MergedSettings, name: string, auth: PeerSettings["auth"], faults: Fault[]) {
  const entry = merged.get("peers.*.headers", name);
  if (entry === undefined) return {};
  const place = { source: entry.source, place: `a2a.${pathOf(entry)}` };
  const { headers, faults: unsent } = sendableHeaders(mapOf(merged, "peers.*.headers", name), auth, place);
  faults.push(...unsent);
  return headers;
}

function placesOf(
  merged: MergedSettings,
  name: string,
  faults: Fault[],
): Pick<PeerSettings, "loginUrls" | "allowHttp"> {
  const loginUrls = loginUrlsOf(merged, name, faults);
  return {
    ...(loginUrls.length === 0 ? {} : { loginUrls }),
    ...(booleanOf(merged, "peers.*.auth.allowHttp", name) ? { allowHttp: true } : {}),
  };
}

function loginUrlsOf(merged: MergedSettings, name: string, faults: Fault[]): readonly string[] {
  const entry = merged.get("peers.*.auth.origins", name);
  if (entry === undefined) return [];
  const all = stringsOf(merged, "peers.*.auth.origins", name);
  const good = all.filter((text) => fitsFormat("url", text));
  if (good.length < all.length) {
    const problem = `has an entry that is left out: each is ${wantedByFormat("url")}`;
    faults.push({ source: entry.source, place: `a2a.${pathOf(entry)}`, problem });
  }
  return good;
}

function withoutUrl(name: string, { source }: PeerSource): Fault {
  return { source, place: `a2a.peers.${name}`, problem: "has no url; the peer is left out" };
}

function hasUrlFault(merged: MergedSettings, name: string): boolean {
  return merged.faults.some(({ setting }) => setting?.key === "peers.*.url" && setting.name === name);
}
