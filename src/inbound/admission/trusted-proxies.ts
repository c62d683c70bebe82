// Owns which addresses are proxies that the operator trusts, and what their X-Forwarded-* headers say. Headers of anybody else
// are never believed.

import { BlockList, isIP } from "node:net";
import { canonicalAddress } from "../../core/security/host-header.ts";

export interface TrustedProxies {
  has(address: string): boolean;
  /**
   * The address that the request comes from: the rightmost of X-Forwarded-For that is no trusted proxy. Undefined when the list
   * cannot be read up to there.
   */
  originOf(forwardedFor: string | undefined): string | undefined;
}

export function createTrustedProxies(entries: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry);
  const has = (address: string): boolean => {
    // Asked with every request, and mostly there are none.
    if (entries.length === 0) return false;
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
  return {
    has,
    originOf(forwardedFor) {
      const hops = (forwardedFor ?? "").split(",").map(readHop);
      for (const address of hops.reverse()) {
        if (address === undefined || !has(address)) return address;
      }
      return undefined;
    },
  };
}

/** An address, or a network as `10.0.0.0/8`. Anything else was refused when the settings were read. */
function addEntry(list: BlockList, entry: string): void {
  const [net = "", length, ...rest] = entry.trim().split("/");
  const version = isIP(net);
  if (version === 0 || rest.length > 0) return;
  const family = version === 4 ? "ipv4" : "ipv6";
  if (length === undefined) list.addAddress(net, family);
  else if (isPrefixLength(length, version)) list.addSubnet(net, Number(length), family);
}

function isPrefixLength(text: string, version: number): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) <= (version === 4 ? 32 : 128);
}

/** One address of the list, also with a port; a mapped IPv4 address as IPv4. */
function readHop(text: string): string | undefined {
  const match = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?|([\da-f:.]+))$/i.exec(text.trim());
  return canonicalAddress(match?.[1] ?? match?.[2] ?? match?.[3] ?? "");
}
