// Owns under which key a caller is counted. Asserted names never count: only what admission has found out does.

import { isIPv6 } from "node:net";
import type { Admitted } from "../admission/admission-types.ts";

/** Everybody with the shared token, or on this machine without any, is one principal: these are told apart by address. */
const SHARED_KEYS = new Set(["local", "shared"]);
const GROUPS_OF_NETWORK = 4;

export function callerKey({ principal, address }: Pick<Admitted, "principal" | "address">): string {
  return SHARED_KEYS.has(principal.key) ? `${principal.key} ${networkOf(address)}` : principal.key;
}

/** An IPv4 address as it is; of IPv6 the /64, of which one machine may use every address. Anything else as it is. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const plain = address.replace(/%.*$/, "");
  if (!isIPv6(plain) || plain === "::1") return plain;
  // The URL parser gives the one short spelling of it, which has no dotted tail.
  const [head = "", tail] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split("::");
  const first = groupsOf(head);
  const last = groupsOf(tail ?? "");
  const zeros = tail === undefined ? 0 : 2 * GROUPS_OF_NETWORK - first.length - last.length;
  return `${[...first, ...Array<string>(zeros).fill("0"), ...last].slice(0, GROUPS_OF_NETWORK).join(":")}::/64`;
}

function groupsOf(text: string): string[] {
  return text === "" ? [] : text.split(":");
}
