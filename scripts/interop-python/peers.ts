// The peers, pinned with all that they need, in requirements/: bumped on purpose, as in package.json.

import { fileURLToPath } from "node:url";

export interface Peer {
  /** The package and its version; `requirements/<package>-<version>.txt` is what pip installs for it. */
  readonly name: string;
  /** Programs below `python/`; without one the peer does not call us. */
  readonly client?: string;
  readonly server: string;
  /** As the server's card says. */
  readonly agentName: string;
}

export const PEERS: readonly Peer[] = [
  { name: "a2a-sdk 1.3.0", client: "client_v1.py", server: "server_v1.py", agentName: "python-1.x" },
  { name: "a2a-sdk 0.3.26", server: "server_v03.py", agentName: "python-0.3" },
  { name: "google-adk 2.13.0", client: "client_adk.py", server: "server_adk.py", agentName: "python-adk" },
];

/** The path of the list of its packages. */
export function requirementsOf({ name }: Peer): string {
  return fileURLToPath(new URL(`requirements/${name.replace(" ", "-")}.txt`, import.meta.url));
}
