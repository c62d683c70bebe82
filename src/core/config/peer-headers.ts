// Owns which of a peer's further headers are sent: never those that hold the exchange together, and not one beside the login that
// `auth` puts into the same header. Those that are not are named.

import type { Fault, FoundEntry } from "./layer.ts";
import type { PeerAuth } from "./settings.ts";

/** The message's own frame, what the protocol says, and what concerns one connection only (RFC 9110 §7.6.1). */
const OURS = new Set([
  "accept",
  "accept-encoding",
  "a2a-version",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "traceparent",
  "tracestate",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers that we set too: spelled alike, so that the operator's replaces ours. */
const SPELLED: ReadonlyMap<string, string> = new Map([
  ["user-agent", "User-Agent"],
  ["x-a2a-identity", "X-A2A-Identity"],
]);

export interface PeerHeaders {
  /** Without a prototype. */
  readonly headers: Readonly<Record<string, string>>;
  readonly faults: readonly Fault[];
}

/** `place` is where the headers were written; of two spellings of one name the first counts. */
export function sendableHeaders(
  written: Readonly<Record<string, string>>,
  auth: PeerAuth | undefined,
  { source, place }: Pick<FoundEntry, "source"> & { readonly place: string },
): PeerHeaders {
  const headers: Record<string, string> = Object.create(null);
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [name, value] of Object.entries(written)) {
    const key = name.toLowerCase();
    const problem = problemOf(key, auth, seen);
    if (problem === undefined) headers[SPELLED.get(key) ?? name] = value;
    else faults.push({ source, place: `${place}.${name}`, problem: `is not sent: ${problem}` });
    seen.add(key);
  }
  return { headers, faults };
}

function problemOf(key: string, auth: PeerAuth | undefined, seen: ReadonlySet<string>): string | undefined {
  if (isExchangeHeader(key)) return "this header belongs to the exchange itself";
  if (auth !== undefined && key === loginHeader(auth).toLowerCase()) return "auth sets this header";
  return seen.has(key) ? "the same header stands there twice" : undefined;
}

/** True for a header that no setting may replace. */
export function isExchangeHeader(name: string): boolean {
  return OURS.has(name.toLowerCase());
}

/** The header that carries the login. */
export function loginHeader({ type, header }: Pick<PeerAuth, "type" | "header">): string {
  return type === "apiKey" ? header : "Authorization";
}
