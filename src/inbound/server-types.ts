// What the inbound side needs and offers. Types only.

import type { Clock } from "../core/platform/clock.ts";
import type { Ids } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import type { Audit } from "../core/ports.ts";
import type { ChainRules } from "../core/protocol/chain.ts";
import type { AgentSkill, JsonObject } from "../core/protocol/types.ts";
import type { Engine } from "../engine/engine-types.ts";
import type { AdmissionRules } from "./admission/admission-types.ts";
import type { SiblingAccess } from "./siblings/shared-deps.ts";

/** What the agent card says about the session; asked anew for every request, and best the same object while nothing changes. */
export interface CardFacts {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  /** Never empty. */
  readonly skills: readonly AgentSkill[];
  /** What only admitted callers may read (folder, process, model, tools); absent shows it to nobody. */
  readonly session?: JsonObject;
}

/** What is offered, as the card declares it and the methods keep to it. */
export interface Features {
  /** Default true. False refuses both stream methods. */
  readonly streaming?: boolean;
  /** Default true. False refuses the four push methods and webhooks that come with messages. */
  readonly push?: boolean;
  /** Uri of an extension that callers must list with every message. */
  readonly requiredExtension?: string;
  /** Default: when callers log in and there is more to say than on the public card. */
  readonly extendedCard?: boolean;
}

/** Asked anew for each request, so that a changed setting acts at once. */
export interface CallerLimits {
  /** POSTs a minute of one principal or address; ten times as many polls beside them. 0 = no limit. */
  readonly ratePerMin: number;
  /** Messages that start work in one context within an hour. */
  readonly maxTurns: number;
  readonly chain: ChainRules;
}

export interface HandlerDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly cardFacts: () => CardFacts;
  /** Absent: nothing is kept of who asked for what. */
  readonly audit?: Audit;
  readonly features?: Features;
  /** Whether callers of A2A 0.3 and older pi-a2a sessions are served in their dialects; absent: they are. */
  readonly legacy?: () => boolean;
  /** Absent: no tokens, so programs on this machine only. */
  readonly admission?: () => AdmissionRules;
  /** What single callers may do; absent: no limits. */
  readonly limits?: () => CallerLimits;
  /** The other servers of the same agent folder; absent: this one answers for itself alone. */
  readonly siblings?: SiblingAccess;
  /** Whether webhooks may be plain http and lead to addresses that are not public; absent: never. */
  readonly allowInsecurePush?: () => boolean;
}

export interface ListenOptions {
  readonly host: string;
  /** True when callers log in; without that only loopback addresses are served. */
  readonly wide?: boolean;
  readonly port: number;
  /** Consecutive ports to try when `port` is taken, then one from the operating system. */
  readonly portFallback: number;
}

/** A listening socket whose request handler may be replaced without refusing a request. */
export interface Listener {
  readonly host: string;
  readonly port: number;
  /** `http://host:port`, IPv6 in brackets. */
  readonly origin: string;
  /** The port that was asked for and taken, when another one was used. */
  readonly busyPort: number | undefined;
  /** Open connections at this moment. */
  connections(): number;
  replaceHandler(handler: RequestHandler): void;
  /** Stops accepting, ends open streams and replies, closes every socket; resolves when the port is free. */
  stop(): Promise<void>;
}

/** One that tells when it has nothing to do. */
export interface WatchedHandler extends RequestHandler {
  /** No request that came to it is open. */
  isIdle(): boolean;
}

/** Answers one request; never throws. The concrete request and response types are node:http's. */
export interface RequestHandler {
  handle(request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse): void;
  /** Answers later requests as stopping and, on the next turn, ends every open response, streams with a last event. */
  close(): void;
}
