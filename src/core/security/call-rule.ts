// Owns where a call may go and which login goes with it (DESIGN §6): who named the peer, the peer's URL, the URL that is called,
// and the addresses that its host leads to. What a person typed or configured may be private, what a model or a card brings in may
// not; a login goes only to the place that the operator wrote it for. Pure; one table of tests shows every case.

import type { AddressKind, AddressPolicy } from "../platform/http-types.ts";
import { type AddressClass, classifyAddress, classifyHost } from "./address.ts";

export interface CallQuestion {
  /** Who named the peer: the operator's settings, a repository's file, or whoever gave its URL. */
  readonly source: "configured" | "repository" | "url";
  /** A person typed the name or address themselves. */
  readonly typed: boolean;
  /** The peer's address. */
  readonly peerUrl: string;
  /** The address to call: the peer's card, or an interface that its card names. */
  readonly callUrl: string;
  /** The addresses of all peers that the operator configured. */
  readonly operatorUrls: readonly string[];
  /** What there is to send: the login written for this peer (its token or headers), this session's own token, or nothing. */
  readonly login: "own" | "session" | "none";
  /** Further addresses whose origins may have the peer's own login. */
  readonly loginUrls: readonly string[];
  /** The operator lets the peer's own login go over plain http to a public address. */
  readonly allowHttp: boolean;
}

/** Why a login is not sent. */
export type Withheld = "other-origin" | "plain-http" | "repository" | "unknown-url" | "not-this-machine";

export interface CallRule {
  readonly addresses: AddressPolicy;
  /**
   * `send`: the login goes along. `none`: there is none. `omit`: the call goes without it. `stop`: there must be no call, since the
   * peer would have to be called without the login that the operator wrote for it.
   */
  readonly login: "send" | "none" | "omit" | "stop";
  /** With `omit` and `stop`. */
  readonly why?: Withheld;
}

export function callRule(question: CallQuestion): CallRule {
  const addresses = addressPolicy(question);
  switch (question.login) {
    case "none":
      return { addresses, login: "none" };
    case "own":
      return ownLogin(question, addresses);
    case "session":
      return sessionLogin(question, addresses);
    default:
      return question.login satisfies never;
  }
}

/** A stranger's card cannot point at a configured private peer, but one that somebody vouches for may. */
function addressPolicy({ source, typed, peerUrl, callUrl, operatorUrls, loginUrls }: CallQuestion): AddressPolicy {
  const vouched = typed || source === "configured";
  const known = isOneOf(callUrl, operatorUrls) || (source === "configured" && isOneOf(callUrl, loginUrls));
  const allowed = originOf(callUrl) === originOf(peerUrl) ? vouched || known : vouched && known;
  return allowed ? "any" : "public-or-loopback";
}

function ownLogin(question: CallQuestion, addresses: AddressPolicy): CallRule {
  const { source, peerUrl, callUrl, loginUrls, allowHttp } = question;
  if (source !== "configured") return { addresses, login: "omit", why: "repository" };
  if (!isOneOf(callUrl, [peerUrl, ...loginUrls])) return { addresses, login: "stop", why: "other-origin" };
  if (allowHttp || !isPlainHttp(callUrl)) return { addresses, login: "send" };
  // Whoever sits between could read it. What a name leads to is seen when it is looked up.
  if (hostClassOf(callUrl) === "public") return { addresses, login: "stop", why: "plain-http" };
  return { addresses: addresses === "any" ? "not-public" : "loopback", login: "send" };
}

/** It opens this person's other sessions, so it stays on this machine, and with peers that the operator knows. */
function sessionLogin({ source, peerUrl, callUrl, operatorUrls }: CallQuestion, addresses: AddressPolicy): CallRule {
  const omit = (why: Withheld): CallRule => ({ addresses, login: "omit", why });
  if (source === "repository") return omit("repository");
  if (source === "url" && !isOneOf(peerUrl, operatorUrls)) return omit("unknown-url");
  if (!isOneOf(callUrl, [peerUrl])) return omit("other-origin");
  if (hostClassOf(callUrl) !== "loopback") return omit("not-this-machine");
  return { addresses: "loopback", login: "send" };
}

/** Whether a request under this policy may connect to an address of this kind. */
export function mayConnect(kind: AddressKind, policy: AddressPolicy): boolean {
  // Metadata services of clouds live there, and nobody's agent.
  if (kind === "link-local") return false;
  switch (policy) {
    case "any":
      return true;
    case "public-or-loopback":
      return kind !== "private";
    case "public":
      return kind === "public";
    case "not-public":
      return kind !== "public";
    case "loopback":
      return kind === "loopback";
    default:
      return policy satisfies never;
  }
}

/** For the outbound HTTP port, which asks for every address that it is about to connect to. */
export const NETWORK_RULES = { classify: classifyAddress, mayConnect } as const;

/** True when the URL's origin is that of one of the others; the spellings of this machine count as one host. */
function isOneOf(url: string, others: readonly string[]): boolean {
  const origin = originOf(url);
  return others.some((other) => originOf(other) === origin);
}

function originOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  return classifyHost(url.hostname) === "loopback" ? `${url.protocol}//localhost:${url.port}` : url.origin;
}

function hostClassOf(url: string): AddressClass | "name" {
  return URL.canParse(url) ? classifyHost(new URL(url).hostname) : "name";
}

function isPlainHttp(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol !== "https:";
}
