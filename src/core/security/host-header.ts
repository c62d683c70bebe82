// Owns how hosts and addresses are written where they name this server or its callers: Host headers, bind hosts, addresses of
// sockets and of forwarded headers. Pure; looks nothing up.

import { isIP } from "node:net";
import { isLoopbackHostHeader } from "./address.ts";

/** The address as sockets write it: IPv6 short and in lower case, a mapped IPv4 address as IPv4; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text;
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(bare) === 4) return bare;
  if (isIP(bare) === 0) return undefined;
  const [address = "", zone] = bare.split("%");
  const short = shortIpv6(address);
  return mappedIpv4(short) ?? (zone === undefined ? short : `${short}%${zone}`);
}

/** True for a Host header that is written as one: a name, or an address, with a port or without. */
export function isHostHeader(value: string | undefined): value is string {
  return hostOf(value) !== undefined;
}

/** True for a Host header whose host is an address or `localhost`: no name that somebody could make point here. */
export function isLiteralHostHeader(value: string): boolean {
  return isIP(hostOf(value) ?? "") !== 0 || isLoopbackHostHeader(value);
}

/** The family of a Host header or bind host that stands for every address of the machine; undefined for any other. */
export function wildcardFamily(value: string): 4 | 6 | undefined {
  const host = canonicalAddress(hostOf(value) ?? value);
  if (host === "::") return 6;
  return host === "0.0.0.0" || value === "0" ? 4 : undefined;
}

function hostOf(value: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9._-]{1,253}))(?::(\d{1,5}))?$/i.exec(value ?? "");
  if (match === null || Number(match[3] ?? 0) > 65_535) return undefined;
  const [, v6, name] = match;
  return v6 === undefined || isIP(v6) === 6 ? (v6 ?? name) : undefined;
}

function shortIpv6(address: string): string {
  return new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/** The URL parser writes the last 32 bits as two groups. */
function mappedIpv4(short: string): string | undefined {
  const match = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short);
  if (match === null) return undefined;
  const [high = 0, low = 0] = match.slice(1).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
