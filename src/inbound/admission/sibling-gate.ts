// Admits other sessions of the same user and agent folder, which ask for tasks of this one on behalf of callers that they have admitted
// themselves. Decided before every other rule, so that no token, list or limit for callers stands between the two; only a process on
// this machine that knows the secret passes.

import type { IncomingMessage } from "node:http";
import { A2aError } from "../../core/platform/errors.ts";
import type { Principal } from "../../core/ports.ts";
import { classifyAddress } from "../../core/security/address.ts";
import { canonicalAddress } from "../../core/security/host-header.ts";
import type { Refusal } from "../guards.ts";
import { CALLER_HEADER, decodeCaller, SECRET_HEADER } from "../siblings/sibling-head.ts";
import { createTokenBook } from "./token-book.ts";

/** Of a request that says that it comes from another session. */
export type SiblingEntry = { readonly principal: Principal } | { readonly refusal: Refusal };

type Head = Pick<IncomingMessage, "headers" | "socket">;

/** undefined for a request that does not say so. */
export type SiblingGate = (request: Head, forwarded: boolean) => SiblingEntry | undefined;

/** `secrets` are those of this process; none admits nobody. */
export function createSiblingGate(secrets: () => readonly string[]): SiblingGate {
  return ({ headers, socket }, forwarded) => {
    const secret = headers[SECRET_HEADER];
    if (secret === undefined) return undefined;
    const book = createTokenBook(secrets().map((token) => ({ token, key: "" })));
    const known = typeof secret === "string" && book.find(secret) !== undefined;
    const header = headers[CALLER_HEADER];
    const principal = typeof header === "string" ? decodeCaller(header) : undefined;
    if (!known || forwarded || principal === undefined || !isOnThisMachine(socket)) return { refusal: refused() };
    return { principal };
  };
}

/** Whoever calls an address of this machine from this machine comes from that address. */
function isOnThisMachine({ remoteAddress = "", localAddress }: Head["socket"]): boolean {
  const address = canonicalAddress(remoteAddress);
  if (address === undefined) return false;
  return classifyAddress(address) === "loopback" || address === canonicalAddress(localAddress ?? "");
}

/** The same whatever is wrong. */
function refused(): Refusal {
  return {
    error: new A2aError("FORBIDDEN", "this server is not the session of this machine that the request is meant for"),
  };
}
