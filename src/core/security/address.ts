// Owns what an address is: classes of hosts and resolved addresses, and the Host and Origin gates of the server. Pure; looks
// nothing up. An address it does not know is not public. Which classes a call may go to is in ./call-rule.ts.

import { BlockList, isIP } from "node:net";

/** `private` is everything that is neither this machine, nor its link, nor the public network: also unspecified and multicast. */
export type AddressClass = "loopback" | "private" | "link-local" | "public";
/** `name` still has to be resolved, and every address it resolves to classified. */
export type HostClass = AddressClass | "name";

const LOOPBACK = blockList(["127.0.0.0/8"], ["::1/128"]);
const LINK_LOCAL = blockList(["169.254.0.0/16"], ["fe80::/10"]);
const PRIVATE = blockList(
  [
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "224.0.0.0/3",
  ],
  ["::/128", "64:ff9b:1::/48", "100::/64", "2001::/32", "fc00::/7", "fec0::/10", "ff00::/8"],
);

/** The class of an IPv4 or IPv6 literal as a resolver gives it, zone allowed; anything else counts as private. */
export function classifyAddress(ip: string): AddressClass {
  const address = withoutZone(ip);
  const version = isIP(address);
  if (version === 0) return "private";
  const family = version === 4 ? "ipv4" : "ipv6";
  if (LOOPBACK.check(address, family)) return "loopback";
  if (LINK_LOCAL.check(address, family)) return "link-local";
  return PRIVATE.check(address, family) ? "private" : "public";
}

/** The class of the host of a URL: literals in every notation that the URL parser takes, `localhost`, else `name`. */
export function classifyHost(host: string): HostClass {
  const plain = normalHost(host);
  if (plain === undefined) return "name";
  if (plain === "localhost") return "loopback";
  return isIP(plain) === 0 ? "name" : classifyAddress(plain);
}

/** As nearly every caller on this machine writes it; what it does not match is looked at more closely. */
const USUAL_LOOPBACK = /^(?:127\.0\.0\.1|localhost)(?::(?:\d{1,4}|[1-5]\d{4}))?$/;

/** True for a Host header that names this machine as a browser or client spells it; a name that resolves here is none. */
export function isLoopbackHostHeader(value: string | undefined): boolean {
  if (value !== undefined && USUAL_LOOPBACK.test(value)) return true;
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.]+?)\.?)(?::(\d{1,5}))?$/i.exec(value ?? "");
  if (match === null || Number(match[3] ?? 0) > 65_535) return false;
  const [, v6, name = ""] = match;
  if (v6 !== undefined) return isIP(v6) === 6 && classifyAddress(v6) === "loopback";
  if (name.toLowerCase() === "localhost") return true;
  return isIP(name) === 4 && classifyAddress(name) === "loopback";
}

/** True when an Origin header is one of the server's own origins; `null` never is. */
export function originIsOwn(origin: string, ownOrigins: readonly string[]): boolean {
  const given = parseUrl(origin);
  // An origin is a scheme, a host and a port: with a path, a query or a login in it no browser has sent it. The origin of
  // schemes without one is "null", which is no start of their address.
  if (given === undefined || given.href !== `${given.origin}/`) return false;
  return ownOrigins.some((own) => parseUrl(own)?.origin === given.origin);
}

/** Lower case, numbers in dotted form, without brackets, zone and final dot; undefined when it is no host at all. */
function normalHost(host: string): string | undefined {
  const bare = withoutZone(host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host);
  if (isIP(bare) === 6) return bare;
  if (/[/?#@\\:[\]\s]/.test(bare)) return undefined;
  return parseUrl(`http://${bare}/`)?.hostname.replace(/\.$/, "");
}

function withoutZone(address: string): string {
  const end = address.indexOf("%");
  return end === -1 ? address : address.slice(0, end);
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** A list of both families in which each IPv4 range also stands in its IPv6 spellings: mapped, translated, compatible, NAT64, 6to4. */
function blockList(v4: readonly string[], v6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of v4) {
    const [net = "", length = ""] = range.split("/");
    const bits = Number(length);
    list.addSubnet(net, bits, "ipv4");
    list.addSubnet(`::ffff:${net}`, 96 + bits, "ipv6");
    list.addSubnet(`::ffff:0:${net}`, 96 + bits, "ipv6");
    list.addSubnet(`::${net}`, 96 + bits, "ipv6");
    list.addSubnet(`64:ff9b::${net}`, 96 + bits, "ipv6");
    list.addSubnet(sixToFour(net), 16 + bits, "ipv6");
  }
  for (const range of v6) {
    const [net = "", length = ""] = range.split("/");
    list.addSubnet(net, Number(length), "ipv6");
  }
  return list;
}

function sixToFour(net: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = net.split(".").map(Number);
  return `2002:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}::`;
}
