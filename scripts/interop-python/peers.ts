// The peers, pinned with all that they need, in requirements/: bumped on purpose, as in package.json.

import { fileURLToPath } from "node:url";

export interface Peer {
  readonly name: string;
  /** `requirements/<packages>.txt` is what pip installs for it. */
  readonly packages: string;
  /** A program below `python/`, and what it is told after our address and token. */
  readonly client: readonly [program: string, ...args: string[]];
  /** Absent for a peer that only calls. */
  readonly server?: {
    readonly program: string;
    /** As its card says. */
    readonly name: string;
  };
}

export const PEERS: readonly Peer[] = [
  {
    name: "a2a-sdk 1.3.0",
    packages: "a2a-sdk-1.3.0",
    client: ["client_v1.py"],
    server: { program: "server_v1.py", name: "python-1.x" },
  },
  { name: "a2a-sdk 1.3.0 in v0.3", packages: "a2a-sdk-1.3.0", client: ["client_v1.py", "0.3"] },
  {
    name: "a2a-sdk 0.3.26",
    packages: "a2a-sdk-0.3.26",
    client: ["client_v03.py"],
    server: { program: "server_v03.py", name: "python-0.3" },
  },
  {
    name: "google-adk 2.13.0",
    packages: "google-adk-2.13.0",
    client: ["client_adk.py"],
    server: { program: "server_adk.py", name: "python-adk" },
  },
];

/** The path of the list of its packages. */
export function requirementsOf({ packages }: Peer): string {
  return fileURLToPath(new URL(`requirements/${packages}.txt`, import.meta.url));
}
