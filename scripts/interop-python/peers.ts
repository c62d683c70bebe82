// The peers, pinned: bumped on purpose, as in package.json.

export interface Peer {
  readonly name: string;
  /** For pip; the first one names the peer. */
  readonly packages: readonly string[];
  /** Programs below `python/`. */
  readonly client: string;
  readonly server: string;
  /** As the server's card says. */
  readonly agentName: string;
}

const SERVER = ["uvicorn==0.54.0", "httpx==0.28.1", "starlette==1.10.0", "protobuf==7.36.2"];

export const PEERS: readonly Peer[] = [
  {
    name: "a2a-sdk 1.3.0",
    packages: ["a2a-sdk[http-server]==1.3.0", ...SERVER],
    client: "client_v1.py",
    server: "server_v1.py",
    agentName: "python-1.x",
  },
];
