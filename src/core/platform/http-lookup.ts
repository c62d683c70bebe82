// Owns which address a host name leads to: every address is checked when it is looked up, and exactly the checked ones are
// connected to, so that a name cannot change its mind between check and use.

import { lookup as dnsLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { A2aError } from "./errors.ts";
import type { AddressPolicy, NetworkRules } from "./http-types.ts";

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Gives every address of a host name. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: readonly ResolvedAddress[]) => void,
) => void;

/** The operating system's own look-up, hosts file included. */
export const resolveBySystem: Resolve = (host, done) => {
  dnsLookup(host, { all: true }, (error, addresses) => done(error, error === null ? addresses : []));
};

/** Throws ADDRESS_REFUSED when the host is a literal address that the policy forbids; names are checked by the look-up. */
export function checkLiteral(host: string, policy: AddressPolicy, network: NetworkRules): void {
  if (isIP(host) !== 0) admitAddresses(host, [{ address: host, family: isIP(host) }], policy, network);
}

/** A look-up for node:net that gives only addresses which the policy allows. */
export function pinnedLookup(resolve: Resolve, policy: AddressPolicy, network: NetworkRules): LookupFunction {
  return (host, options, done) => {
    resolve(host, (error, found) => {
      if (error !== null) return done(error, "");
      const admitted = admit(host, found, policy, network);
      if (admitted instanceof Error) return done(admitted, "");
      const [first] = admitted;
      if (options.all === true) return done(null, [...admitted]);
      return done(null, first.address, first.family);
    });
  };
}

type Admitted = readonly [ResolvedAddress, ...ResolvedAddress[]];

function admit(
  host: string,
  found: readonly ResolvedAddress[],
  policy: AddressPolicy,
  network: NetworkRules,
): Admitted | Error {
  try {
    return admitAddresses(host, found, policy, network);
  } catch (error) {
    // The look-up reports by callback; a thrown error would end the process.
    return error instanceof Error ? error : new A2aError("INTERNAL", "the address check failed", { cause: error });
  }
}

/**
 * The addresses that may be used, or ADDRESS_REFUSED. A name that the caller did not vouch for is refused whole when one of its
 * addresses is; under `any` the link-local ones of a name (common with mDNS) are left out.
 */
export function admitAddresses(
  host: string,
  found: readonly ResolvedAddress[],
  policy: AddressPolicy,
  network: NetworkRules,
): Admitted {
  const refused = found.find((one) => !network.mayConnect(network.classify(one.address), policy));
  const [first, ...rest] = found.filter((one) => network.mayConnect(network.classify(one.address), policy));
  if (first !== undefined && (refused === undefined || policy === "any")) return [first, ...rest];
  if (refused === undefined) throw new A2aError("PEER_UNREACHABLE", `the host name ${host} has no address`);
  throw refusal(host, refused.address, network.classify(refused.address), policy);
}

const REFUSALS: Readonly<Record<AddressPolicy, { readonly may: string; readonly hint?: string }>> = {
  any: { may: "it may not be called" },
  "public-or-loopback": { may: "only public and loopback addresses may be called here" },
  public: { may: "only public addresses may be called here" },
  "not-public": {
    may: "a login is not sent over plain http to a public address, so there was no call",
    hint: "Give the peer's address with https, or set auth.allowHttp for this peer.",
  },
  loopback: {
    may: "this session's token stays on this machine, so there was no call",
    hint: "Give the peer its own login under a2a.peers.<name>.auth.",
  },
};

function refusal(host: string, address: string, kind: string, policy: AddressPolicy): A2aError {
  const what = host === address ? `${address} is a ${kind} address` : `${host} leads to the ${kind} address ${address}`;
  if (kind === "link-local") {
    return new A2aError("ADDRESS_REFUSED", `${what}; such addresses are never called`, {
      hint: "Give the peer's address in its own network.",
    });
  }
  const { may, hint } = REFUSALS[policy];
  return new A2aError("ADDRESS_REFUSED", `${what}; ${may}`, hint === undefined ? {} : { hint });
}
