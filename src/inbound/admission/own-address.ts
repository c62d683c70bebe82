// Owns where a caller reaches this server, for the card and for the Origin gate: the operator's public URL, else what a trusted
// proxy says, else the host of the request. Never a wildcard, which nobody else could call.

import { isHostHeader, isLiteralHostHeader, wildcardFamily } from "../../core/security/host-header.ts";
import type { RequestFacts } from "../request-facts.ts";

/** The absolute URL at which this caller sends its calls. */
export function ownUrl(facts: RequestFacts, publicUrl: string, fromTrustedProxy: boolean): string {
  if (publicUrl !== "") return URL.canParse(publicUrl) ? new URL(publicUrl).href : publicUrl;
  const { scheme, host } = fromTrustedProxy ? forwardedOrigin(facts) : { scheme: "http", host: facts.host ?? "" };
  return `${scheme}://${callable(host.toLowerCase())}/`;
}

/** The origins of pages that are this server's own. A name in the Host header may be anybody's, so it makes none. */
export function ownOrigins(host: string, publicUrl: string): readonly string[] {
  const own = isLiteralHostHeader(host) ? [`http://${host}`] : [];
  return publicUrl === "" ? own : [publicUrl, ...own];
}

/** The proxy nearest to us adds what it saw at the end. */
function forwardedOrigin({ host = "", forwardedHost, forwardedProto }: RequestFacts) {
  const named = lastOf(forwardedHost);
  const scheme = lastOf(forwardedProto).toLowerCase() === "https" ? "https" : "http";
  return { scheme, host: isHostHeader(named) ? named : host };
}

function lastOf(list: string | undefined): string {
  return (list ?? "").split(",").at(-1)?.trim() ?? "";
}

/** Whoever reached us by a wildcard address is on this machine. */
function callable(host: string): string {
  const family = wildcardFamily(host);
  if (family === undefined) return host;
  const port = /:\d+$/.exec(host)?.[0] ?? "";
  return `${family === 4 ? "127.0.0.1" : "[::1]"}${port}`;
}
