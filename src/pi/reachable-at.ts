// Owns the address that this session tells others to call it at: the operator's public URL, else the one it listens on, and for
// a listener on every address one address of the machine.

import { networkInterfaces } from "node:os";
import { classifyAddress } from "../core/security/address.ts";
import { wildcardFamily } from "../core/security/host-header.ts";
import type { Listener } from "../inbound/server-types.ts";

export interface ReachableDeps {
  readonly publicUrl: string;
  /** Every address of this machine, as the system lists them. */
  readonly addresses?: () => readonly string[];
}

/** An absolute URL with a final slash where it has no path. */
export function reachableAt(
  { host, port }: Pick<Listener, "host" | "port">,
  { publicUrl, addresses = machineAddresses }: ReachableDeps,
): string {
  if (publicUrl !== "") return new URL(publicUrl).href;
  const family = wildcardFamily(host);
  if (family === undefined) return urlOf(host, port);
  const own = addresses().filter((address) => ["private", "public"].includes(classifyAddress(address)));
  // An IPv4 address serves callers of both kinds of listeners, and people can read it.
  const chosen = own.find((address) => !address.includes(":")) ?? (family === 6 ? own[0] : undefined);
  return urlOf(chosen ?? (family === 6 ? "::1" : "127.0.0.1"), port);
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}

function machineAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
}
