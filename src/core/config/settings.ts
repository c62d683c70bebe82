// The settings as the rest of the package reads them: every value checked, every default filled in, frozen. Types only.
// The table they come from is ./schema.ts; names and units are those that users type. Which of them have no effect yet stands in
// ./later-keys.ts: such a setting always has its default here.

import type { AgentSkill } from "../protocol/types.ts";
import type { FoundEntry } from "./layer.ts";
import type { SettingKey } from "./schema-rows.ts";

export interface PeerAuth {
  readonly type: "bearer" | "basic" | "apiKey";
  /** As written, else what the variable `tokenEnv` held when the settings were read. */
  readonly token?: string;
  /** Prints the credential; counts when there is no token. */
  readonly tokenCommand?: string;
  /** Why there is neither: such a peer cannot be called. */
  readonly missing?: string;
  /** Header for `apiKey`. */
  readonly header: string;
}

export interface PeerSettings {
  readonly url: string;
  /** Who named the peer. One that a repository's file names never gets a credential, and nobody vouches for its address. */
  readonly origin: "operator" | "repository";
  /** Seconds for one whole call; absent = timeouts.send. */
  readonly timeout?: number;
  readonly capabilities: readonly string[];
  readonly auth?: PeerAuth;
  /** Further headers, which may be secrets; none that the exchange itself needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further addresses whose origins may have login and headers. */
  readonly loginUrls?: readonly string[];
  /** Login and headers may go over plain http to public addresses. */
  readonly allowHttp?: boolean;
}

export interface ServerSettings {
  readonly enabled: boolean;
  readonly port: number;
  readonly portFallback: number;
  readonly host: string;
  /** Absolute folder, or "" for the host session's folder. */
  readonly workspace: string;
  /** Name on the agent card; "" = the machine's host name. */
  readonly agentName: string;
  /** For the agent card; "" = the address the server listens on. */
  readonly publicUrl: string;
  /** "" = none. */
  readonly sharedToken: string;
  /** Name of the caller -> token. */
  readonly peerTokens: Readonly<Record<string, string>>;
  /** Names, `ip:<address>`, `gateway:<key>`; none = every caller that is let in. */
  readonly trustedPeers: readonly string[];
  readonly allowAllUsers: boolean;
  readonly trustedProxies: readonly string[];
  /** None = those of the session. */
  readonly skills: readonly AgentSkill[];
  /** Serve older dialects of A2A too. */
  readonly legacy: boolean;

  readonly maxConcurrent: number;
  /** Absent = maxConcurrent. */
  readonly maxDetached?: number;
  /** Seconds; 0 = no limit. */
  readonly replyTimeoutSec: number;
  /** Seconds; 0 = no limit. */
  readonly asyncTimeoutSec: number;
  readonly maxPingpongTurns: number;
  readonly maxHops: number;
  /** 0 = no limit. */
  readonly rateLimitPerMin: number;

  /** Keep a session file of each inbound task; false = children in memory only. */
  readonly childTranscripts: boolean;
  /** Days until a transcript is deleted when the server starts; 0 = keep for ever. */
  readonly childTranscriptRetentionDays: number;
  /** Days until a finished task is forgotten; 0 = never. */
  readonly taskRetentionDays: number;
  /** Finished tasks that are kept at most. */
  readonly maxTasks: number;
  readonly durability: "os" | "disk";
  /** Seconds between two looks at another session's task. */
  readonly streamPollSec: number;
  /** Seconds for one attempt to deliver to a webhook. */
  readonly pushTimeoutSec: number;
  /** Deliver to plain http and to private addresses too. */
  readonly pushAllowInsecure: boolean;
  /** Key that signs what is delivered; "" = unsigned. */
  readonly pushSecret: string;

  /**
   * Why the server must not start: what was meant to keep callers out could not be read, so the settings above would let them
   * in. One line each.
   */
  readonly refusals: readonly string[];
}

export interface TimeoutSettings {
  /** Milliseconds for a whole outbound call. */
  readonly send: number;
  /** Milliseconds between two polls of a detached task. */
  readonly async: number;
  /** Milliseconds of silence on a stream. */
  readonly stream: number;
}

export interface GatewaySettings {
  readonly enabled: boolean;
  /** "" = none. */
  readonly url: string;
  readonly token: string;
  /** Name to register under; "" = the agent's name and the port. */
  readonly name: string;
  /** What the gateway presents when it calls this session; "" = nothing. */
  readonly upstreamToken: string;
  readonly heartbeatSec: number;
  readonly channel: boolean;
}

export interface DiscoverySettings {
  readonly local: { readonly enabled: boolean; readonly heartbeatSec: number; readonly ttlSec: number };
  /** `serviceType` is the label, without its underscore. */
  readonly mdns: { readonly enabled: boolean; readonly serviceType: string };
  /** Tell callers that are let in the folder, model and tools of the session. */
  readonly enrichCard: boolean;
  /** The block for a single gateway; absent when it says nothing. */
  readonly gateway?: GatewaySettings;
  readonly gateways: Readonly<Record<string, GatewaySettings>>;
}

export interface UiSettings {
  readonly transcript: boolean;
  readonly transcriptInContext: boolean;
  readonly wake: "off" | "notify" | "model";
}

export interface Settings {
  /** The key in server.peerTokens whose token outbound calls present; "" = none. */
  readonly selfIdentity: string;
  readonly server: ServerSettings;
  readonly peers: Readonly<Record<string, PeerSettings>>;
  readonly timeouts: TimeoutSettings;
  /** How often an outbound request is repeated that was surely not taken. */
  readonly retryAttempts: number;
  readonly verifySsl: boolean;
  readonly discovery: DiscoverySettings;
  readonly ui: UiSettings;
}

/** A value that was not taken, with its place and what is used instead; one line for people. */
export interface SettingsWarning {
  /** File path, `environment`, or `this session`. */
  readonly source: string;
  readonly key: string;
  readonly text: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly warnings: readonly SettingsWarning[];
  /** The value that counts as it was written, and where; undefined = the default. `name` is the peer's or gateway's. */
  find(key: SettingKey, name?: string): FoundEntry | undefined;
}
