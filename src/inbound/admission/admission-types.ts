// What admission needs to know, and what it decides. Types only.

import type { Principal } from "../../core/ports.ts";
import type { HeadRules, Refusal } from "../guards.ts";
import type { RequestFacts } from "../request-facts.ts";

/** A token that this server accepts, and the principal that presents it. */
export interface KnownToken {
  readonly token: string;
  /** `peer:<name>`, `gateway:<key>` or `shared`. */
  readonly key: string;
  /** What people, the audit and the trusted list call it; absent: `ip:<address>`. */
  readonly name?: string;
}

/** Who may call; asked anew for every request, and best the same object while nothing changes. */
export interface AdmissionRules {
  /** Where two entries hold the same token the first one counts. None: only programs on this machine may call. */
  readonly tokens: readonly KnownToken[];
  /** Names of principals (`ip:<address>` for those without a name of their own); none trusts each that is let in. */
  readonly trustedPeers: readonly string[];
  /** Trusts each that is let in, whatever `trustedPeers` says. */
  readonly allowAllUsers: boolean;
  /** Addresses and networks of the proxies whose X-Forwarded-* headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Where callers reach this server from outside; "" when they use its own address. */
  readonly publicUrl: string;
  /** True while what keeps callers out could not be read: nobody is let in then. */
  readonly closed: boolean;
}

/** A caller that was let in. */
export interface Admitted {
  readonly principal: Principal;
  /** Where the request comes from, as far as it is known: behind a trusted proxy the address that the proxy names. */
  readonly address: string;
}

/** A caller that was not. */
export interface NotAdmitted {
  readonly refusal: Refusal;
  /** As for one that was. */
  readonly address: string;
}

export type Entry = Admitted | NotAdmitted;

/** For whom a card is made. */
export interface CardView {
  /** Where this caller reaches the server; absolute. */
  readonly url: string;
  /** True for callers who may read the details of the session. */
  readonly withSession: boolean;
  /** True when callers log in. */
  readonly login: boolean;
}

export interface Admission {
  headRules(): HeadRules;
  /** Decides from the head alone, before a byte of the body is read. */
  admit(facts: RequestFacts): Entry;
  /** The card is public; what it says of the session is not. */
  view(facts: RequestFacts): CardView;
}
