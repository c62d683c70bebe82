// What the outbound side is given, and where one call goes. Types only.

import type { Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import type { HttpPort } from "../core/platform/http-types.ts";
import type { Ids } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import type { Audit } from "../core/ports.ts";
import type { TraceContext } from "../core/protocol/trace-context.ts";
import type { Redaction } from "../core/security/redact/redaction.ts";
import type { ResolvedPeer } from "./client-types.ts";
import type { CommandTokens } from "./command-tokens.ts";
import type { DialectChoice } from "./dialect.ts";
import type { LoginNote } from "./login-refusal.ts";

export interface OutboundDeps {
  /** The random id of this session in the chains of its calls. */
  readonly sessionId: string;
  readonly http: HttpPort;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Asked anew for each call. */
  readonly settings: () => Settings;
  /** Absent: nothing is kept of what was asked of whom. */
  readonly audit?: Audit;
  /** What is sent passes through it; by default one that knows no secret of the settings. */
  readonly redaction?: Redaction;
  /** Runs the commands that print logins; absent, peers with such a login are not called. */
  readonly tokens?: CommandTokens;
}

/** A peer, and whether a person typed its name or address. */
export interface Target {
  readonly peer: ResolvedPeer;
  readonly typed: boolean;
  /** The trace that the call belongs to, under a span of its own. */
  readonly trace?: TraceContext;
  /** Hears of each request what of a login went along. */
  readonly onLogin?: (note: LoginNote) => void;
}

/** The interface of a peer's card that a call uses. */
export interface Endpoint {
  readonly peer: ResolvedPeer;
  readonly typed: boolean;
  readonly url: string;
  /** Copied into the params of every request when the card names one. */
  readonly tenant?: string;
  /** The trace that the call belongs to, under a span of its own. */
  readonly trace?: TraceContext;
  /** As in the target. */
  readonly onLogin?: (note: LoginNote) => void;
  /** The login that the card asks for, for people; "" when it asks for none. */
  readonly wanted?: string;
  /** The card offers streaming. */
  readonly streaming: boolean;
  readonly dialect: DialectChoice;
}
