// The settings table: every key below `a2a` of settings.json with its type, default, range, unit, environment variable and
// flags. Loader, panel, JSON schema and documentation all read it; what people are told stands in ./schema-texts.ts, and which
// settings have no effect yet in ./later-keys.ts.
// `*` in a key is a name that the user chooses. Flags not given are false: a new key is never a repository's to set.

import type {
  BooleanRow,
  EnumRow,
  MapRow,
  NumberRow,
  StringFormat,
  StringListRow,
  StringRow,
  StructureRow,
  Unit,
} from "./setting-row.ts";

interface Flags {
  readonly env?: string;
  readonly repository?: boolean;
  readonly secret?: boolean;
  readonly unset?: string;
}

/** Ten years: longer than anything that runs, and far inside what a number of milliseconds holds exactly. */
const LONGEST_SEC = 315_360_000;
const LONGEST_MS = LONGEST_SEC * 1000;
const LONGEST_DAYS = 36_500;

const SECRET = { secret: true } as const;
const REPO = { repository: true } as const;
const NO_LOGIN = "there is no login";

export const ROWS = {
  "peers.*.url": text(undefined, "url", { ...REPO, unset: "the peer is left out" }),
  "peers.*.timeout": number(undefined, 0.1, LONGEST_SEC, "s", { ...REPO, unset: "its calls use timeouts.send" }),
  "peers.*.capabilities": strings(REPO),
  "peers.*.auth.type": choice("bearer", ["bearer", "basic", "apiKey"]),
  "peers.*.auth.token": text(undefined, "text", { ...SECRET, unset: NO_LOGIN }),
  "peers.*.auth.tokenEnv": text(undefined, "variable", { unset: NO_LOGIN }),
  "peers.*.auth.tokenCommand": text(undefined, "text", { unset: NO_LOGIN }),
  "peers.*.auth.header": text("X-API-Key", "header-name"),
  "peers.*.auth.origins": strings(),
  "peers.*.auth.allowHttp": boolean(false),
  "peers.*.headers": map("header-name", "header", SECRET),

  selfIdentity: text("", "name", { env: "A2A_SELF_IDENTITY" }),

  "server.enabled": boolean(false, { env: "A2A_SERVER_ENABLED" }),
  "server.port": integer(9910, 0, 65_535, { env: "A2A_PORT" }),
  "server.portFallback": integer(10, 0, 1000, { env: "A2A_PORT_FALLBACK" }),
  "server.host": text("127.0.0.1", "host", { env: "A2A_HOST" }),
  "server.workspace": text("", "folder"),
  "server.agentName": text("", "text", { env: "A2A_AGENT_NAME" }),
  "server.publicUrl": text("", "url", { env: "A2A_PUBLIC_URL" }),
  "server.sharedToken": text("", "token", { ...SECRET, env: "A2A_BEARER_TOKEN" }),
  "server.peerTokens": map("name", "token", { ...SECRET, env: "A2A_PEER_TOKENS" }),
  "server.trustedPeers": strings({ env: "A2A_TRUSTED_PEERS" }, "caller"),
  "server.allowAllUsers": boolean(false, { env: "A2A_ALLOW_ALL_USERS" }),
  "server.trustedProxies": strings({}, "network"),
  "server.callers": structure("object", "every caller has the same rights"),
  "server.callerDefaults": structure("object", "callers' agents have every tool"),
  "server.skills": structure("objects", "those of the session"),
  "server.legacy": boolean(true, { env: "A2A_LEGACY" }),

  "server.maxConcurrent": integer(3, 1, 1000),
  "server.maxDetached": integer(undefined, 1, 1000, { unset: "detached tasks share server.maxConcurrent" }),
  "server.replyTimeoutSec": number(300, 0, LONGEST_SEC, "s", { env: "A2A_REPLY_TIMEOUT" }),
  "server.asyncTimeoutSec": number(86_400, 0, LONGEST_SEC, "s", { env: "A2A_ASYNC_TIMEOUT" }),
  "server.maxPingpongTurns": integer(5, 1, 20, { env: "A2A_MAX_PINGPONG_TURNS" }),
  "server.maxHops": integer(4, 1, 64, { env: "A2A_MAX_HOPS" }),
  "server.rateLimitPerMin": integer(60, 0, 1_000_000, { env: "A2A_RATE_LIMIT" }, "per minute"),

  "server.childTranscripts": boolean(true, { env: "A2A_CHILD_TRANSCRIPTS" }),
  "server.childTranscriptRetentionDays": number(30, 0, LONGEST_DAYS, "days", {
    env: "A2A_CHILD_TRANSCRIPT_RETENTION_DAYS",
  }),
  "server.taskRetentionDays": number(7, 0, LONGEST_DAYS, "days"),
  "server.maxTasks": integer(10_000, 1, 10_000_000),
  "server.durability": choice("os", ["os", "disk"]),
  "server.streamPollSec": number(1, 0.1, 60, "s", { env: "A2A_STREAM_POLL" }),
  "server.pushTimeoutSec": number(15, 0.1, 600, "s", { env: "A2A_PUSH_TIMEOUT" }),
  "server.pushAllowInsecure": boolean(false, { env: "A2A_PUSH_ALLOW_INSECURE" }),
  "server.pushSecret": text("", "text", { ...SECRET, env: "A2A_PUSH_SECRET" }),

  "timeouts.send": integer(360_000, 1, LONGEST_MS, REPO, "ms"),
  "timeouts.async": integer(30_000, 100, LONGEST_MS, REPO, "ms"),
  "timeouts.stream": integer(120_000, 1, LONGEST_MS, REPO, "ms"),
  retryAttempts: integer(2, 0, 10),
  verifySsl: boolean(true),

  "discovery.local.enabled": boolean(true, { env: "A2A_DISCOVERY_LOCAL" }),
  "discovery.local.heartbeatSec": number(15, 1, 3600, "s", { env: "A2A_HEARTBEAT_SEC" }),
  "discovery.local.ttlSec": number(60, 1, 86_400, "s", { env: "A2A_TTL_SEC" }),
  "discovery.mdns.enabled": boolean(false, { env: "A2A_DISCOVERY_MDNS" }),
  "discovery.mdns.serviceType": text("a2a", "service", { env: "A2A_MDNS_TYPE" }),
  "discovery.enrichCard": boolean(true, { env: "A2A_ENRICH_CARD" }),
  "discovery.gateway.enabled": boolean(undefined, { env: "A2A_GATEWAY_ENABLED", unset: "it is on with url and token" }),
  "discovery.gateway.url": text("", "url", { env: "A2A_GATEWAY_URL" }),
  "discovery.gateway.token": text("", "token", { ...SECRET, env: "A2A_GATEWAY_TOKEN" }),
  "discovery.gateway.name": text("", "name"),
  "discovery.gateway.upstreamToken": text("", "token", SECRET),
  "discovery.gateway.heartbeatSec": number(60, 15, 86_400, "s"),
  "discovery.gateway.channel": boolean(true),
  "discovery.gateways.*.enabled": boolean(undefined, { unset: "it is on with url and token" }),
  "discovery.gateways.*.url": text("", "url"),
  "discovery.gateways.*.token": text("", "token", SECRET),
  "discovery.gateways.*.name": text("", "name"),
  "discovery.gateways.*.upstreamToken": text("", "token", SECRET),
  "discovery.gateways.*.heartbeatSec": number(60, 15, 86_400, "s"),
  "discovery.gateways.*.channel": boolean(true),

  "ui.transcript": boolean(true, { env: "A2A_UI_TRANSCRIPT" }),
  "ui.transcriptInContext": boolean(false),
  "ui.wake": choice("notify", ["off", "notify", "model"], { env: "A2A_UI_WAKE" }),

  projects: structure("object", "every folder has the same settings"),
};

export type SettingKey = keyof typeof ROWS;

/** The keys whose row has a default of type D. */
export type KeysWithDefault<D> = {
  [K in SettingKey]: (typeof ROWS)[K]["default"] extends D ? K : never;
}[SettingKey];

function base(flags: Flags) {
  return { repository: false, secret: false, ...flags };
}

function boolean<D extends boolean | undefined>(fallback: D, flags: Flags = {}): BooleanRow & { readonly default: D } {
  return { ...base(flags), type: "boolean", default: fallback };
}

function integer<D extends number | undefined>(
  fallback: D,
  min: number,
  max: number,
  flags: Flags = {},
  unit?: Unit,
): NumberRow & { readonly default: D } {
  return { ...base(flags), type: "integer", default: fallback, min, max, ...(unit === undefined ? {} : { unit }) };
}

function number<D extends number | undefined>(
  fallback: D,
  min: number,
  max: number,
  unit: Unit,
  flags: Flags = {},
): NumberRow & { readonly default: D } {
  return { ...base(flags), type: "number", default: fallback, min, max, unit };
}

function text<D extends string | undefined>(
  fallback: D,
  format: StringFormat,
  flags: Flags = {},
): StringRow & { readonly default: D } {
  return { ...base(flags), type: "string", default: fallback, format };
}

function choice<const V extends readonly string[]>(
  fallback: V[number],
  values: V,
  flags: Flags = {},
): EnumRow & { readonly default: V[number]; readonly values: V } {
  return { ...base(flags), type: "enum", default: fallback, values };
}

function strings(flags: Flags = {}, items: StringFormat = "text"): StringListRow {
  return { ...base(flags), type: "strings", default: [], items };
}

function map(names: StringFormat, values: StringFormat, flags: Flags): MapRow {
  return { ...base(flags), type: "map", default: {}, names, values };
}

function structure(type: StructureRow["type"], unset: string): StructureRow {
  return { ...base({ unset }), type, default: undefined };
}
