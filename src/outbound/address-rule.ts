// Owns which addresses a call may reach (DESIGN: Outbound). One function, so that one table shows it: what a person typed or
// configured may be private, whatever a model or a card brings in may not.

import type { AddressPolicy } from "../core/platform/http-types.ts";

export interface AddressQuestion {
  /** A configured peer, or an address that a person typed: somebody vouches for it. */
  readonly vouched: boolean;
  /** The address that the caller named. */
  readonly peerUrl: string;
  /** The address to call: the peer's card, or an interface that its card names. */
  readonly callUrl: string;
  readonly configuredUrls: readonly string[];
}

export function addressPolicy(question: AddressQuestion): AddressPolicy {
  const origin = originOf(question.callUrl);
  const own = origin === originOf(question.peerUrl);
  const configured = question.configuredUrls.some((url) => originOf(url) === origin);
  // A stranger's card cannot point at a configured private peer, but a vouched one may.
  if (own) return question.vouched || configured ? "any" : "public-or-loopback";
  return question.vouched && configured ? "any" : "public-or-loopback";
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
