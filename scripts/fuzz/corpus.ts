// Owns the good inputs that bad ones are made of: the golden exchanges of test/wire, and one of each kind that they do not hold.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeCard } from "../../src/core/protocol/encode.ts";
import type { Random } from "../../test/hostile/support/random.ts";
import { agentCard, agentInterface } from "../../test/support/builders.ts";
import { isRecord } from "./json.ts";
import { OLD_EXCHANGES, OLD_REPLIES, OLD_STREAMS, oldCardAt } from "./old-corpus.ts";

export interface RpcExchange {
  readonly request: { readonly method: string };
  readonly headers: Readonly<Record<string, string>>;
  readonly reply: unknown;
  readonly frames: readonly unknown[];
}

const WIRE = fileURLToPath(new URL("../../test/wire/", import.meta.url));

const GOLDEN: readonly RpcExchange[] = readdirSync(WIRE)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .flatMap((name) => exchangesIn(JSON.parse(readFileSync(WIRE + name, "utf8"))));

export const EXCHANGES: readonly RpcExchange[] = [...GOLDEN, ...OLD_EXCHANGES];

/** Replies and streams that a client may be given for a message or a question. */
export const REPLIES: readonly unknown[] = [
  ...GOLDEN.flatMap(({ reply }) => (reply === undefined ? [] : [reply])),
  ...OLD_REPLIES,
];
export const STREAMS: readonly (readonly unknown[])[] = [
  ...GOLDEN.flatMap(({ frames }) => (frames.length === 0 ? [] : [frames])),
  ...OLD_STREAMS,
];

function exchangesIn(file: unknown): readonly RpcExchange[] {
  if (!isRecord(file)) return [];
  const inner = [file.exchanges, file.meanwhile].flatMap((list) => (Array.isArray(list) ? list : []));
  return inner.flatMap((each: unknown) => {
    if (!isRecord(each)) return [];
    const { request, headers = {}, reply, frames = [] } = each;
    return [{ request, headers, reply, frames } as RpcExchange, ...exchangesIn({ meanwhile: each.meanwhile })];
  });
}

/** A card whose interface is at the URL, in one of the dialects. */
export function cardAt(random: Random, url: string): unknown {
  const streaming = random.int(2) === 0;
  if (random.int(3) === 0) return oldCardAt(url, streaming);
  return encodeCard(agentCard({ supportedInterfaces: [agentInterface({ url })], capabilities: { streaming } }));
}

/** Settings of every kind of row. */
export const SETTINGS_FILE: unknown = {
  theme: "dark",
  a2a: {
    selfIdentity: "alice",
    retryAttempts: 2,
    verifySsl: true,
    timeouts: { send: 60_000, async: 2000, stream: "30000" },
    peers: {
      hermes: { url: "http://127.0.0.1:9000", timeout: 20, auth: { type: "bearer", tokenEnv: "HERMES_TOKEN" } },
      "b.c-d": { url: "https://b.example/a2a", capabilities: ["code"], headers: { "X-Team": "blue" } },
    },
    server: {
      enabled: true,
      port: 9910,
      host: "127.0.0.1",
      sharedToken: "shared-token-1",
      peerTokens: { alice: "token-of-alice", bob: "token-of-bob" },
      trustedPeers: "alice,bob",
      trustedProxies: ["10.0.0.1"],
      maxConcurrent: 3,
      rateLimitPerMin: 0,
      durability: "os",
      skills: [{ id: "code", name: "Code", description: "Writes code.", tags: ["code"] }],
    },
    discovery: { local: { enabled: false }, gateways: { home: { url: "http://127.0.0.1:7000", token: "secret" } } },
    ui: { transcript: true, wake: "notify" },
    projects: { "/work/repo": { server: { port: 9911 }, timeouts: { send: 1000 } } },
  },
};

export const ENV_FILE = `# Tokens of this machine
A2A_PORT=9912
export A2A_SERVER_ENABLED=true
A2A_BEARER_TOKEN="shared # token"
A2A_PEER_TOKENS=alice:one,bob:two
A2A_TRUSTED_PEERS='alice,bob'   # both
A2A_MAX_HOPS = 6
A2A_RATE_LIMIT=120
A2A_UI_TRANSCRIPT=off
A2A_UI_WAKE=model
OTHER=\`left alone\`
HERMES_TOKEN=abc
`;
