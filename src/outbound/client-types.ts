// What the outbound side offers to tools and commands. Types only.

import type { CallChain } from "../core/ports.ts";
import type { AgentCard, AgentInterface, Artifact, Part, TaskState } from "../core/protocol/types.ts";
import type { Dialect } from "./dialect.ts";

/** Where a call goes, after a name or URL was looked up. */
export interface ResolvedPeer {
  /** The configured name, else the URL's host and port. */
  readonly name: string;
  /** As configured or typed, without a final slash added or removed. */
  readonly url: string;
  /** `repository`: a file of the checked-out repository names it, so that nobody vouches for it. */
  readonly source: "configured" | "repository" | "url";
  /** Milliseconds for one whole call. */
  readonly timeoutMs: number;
}

export interface Discovery {
  readonly peer: ResolvedPeer;
  readonly cardUrl: string;
  readonly card: AgentCard;
  /** The interface that calls use; absent when the card offers none over JSON-RPC. */
  readonly chosen?: AgentInterface;
  /** How the chosen interface is spoken to: as the card says, or as it turned out. */
  readonly dialect?: Dialect;
  /** Which product the agent seems to be of, such as `a Hermes agent`. */
  readonly kind?: string;
  readonly login: {
    /** What the card asks for; "" when it asks for nothing. */
    readonly wanted: string;
    /** What calls would carry; "" when nothing. */
    readonly sent: string;
  };
  /** What would go wrong with calls, a line each; safe to show. */
  readonly problems: readonly string[];
  /** Fields of the card that could not be read. */
  readonly warnings: readonly string[];
  /** Set when only a host was given. */
  readonly search?: {
    readonly tried: readonly string[];
    /** Further addresses that have a card. */
    readonly others: readonly string[];
  };
}

/** One short look at a call in flight; every field as far as it is known. */
export interface CallProgress {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  readonly elapsedMs: number;
  /** The newest line of the peer's text or status note, raw: sanitise before it is shown. */
  readonly line?: string;
}

export interface CallRequest {
  /** A configured name or an http(s) URL. */
  readonly agent: string;
  readonly text: string;
  /** Sent after the text: files and data. */
  readonly parts?: readonly Part[];
  /** Goes on in this conversation: answers its task if that waits for an answer, else refers to it. */
  readonly contextId?: string;
  /** Answers or continues exactly this task. */
  readonly taskId?: string;
  /** Ask for an immediate acknowledgement instead of the result. */
  readonly detached: boolean;
  /** True when a person typed the address themselves, so that it may be a private one. */
  readonly typed: boolean;
  /** How the work came here that this call is part of; the call carries it on. Absent for work that begins here. */
  readonly chain?: CallChain;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}

export interface CallResult {
  readonly peer: ResolvedPeer;
  /** Absent when the peer answered with a Message instead of a task. */
  readonly taskId?: string;
  readonly contextId?: string;
  /** COMPLETED for a direct Message. Failed, rejected and canceled tasks are results too: the tool decides. */
  readonly state: TaskState;
  /** The reply, the question, or the reason, whichever the state calls for; "" when the peer sent no text. */
  readonly text: string;
  /** Everything received that is not text, as received. */
  readonly attachments: readonly Artifact[];
  /** Kinds of secrets that were taken out of the message before it was sent. */
  readonly redacted?: readonly string[];
  /** True when the peer acknowledged and works on. */
  readonly detached: boolean;
  readonly timestamp?: string;
  /** Set when a wait ended while the peer did not answer: everything else here is what was known before. */
  readonly unanswered?: {
    /** Milliseconds since the first question that got no answer. */
    readonly forMs: number;
    /** False when the peer never told the state, so that `state` is only assumed. */
    readonly stateKnown: boolean;
  };
}

export interface StatusRequest {
  readonly agent: string;
  readonly taskId: string;
  /** 0 asks once; else polls until the task ends, asks a question, or the seconds are over. */
  readonly waitSec: number;
  /**
   * With a wait: asks once, then, where the peer streams, stays subscribed while the stream and the wait last. The task may still
   * run when that ends; the caller asks again.
   */
  readonly follow?: boolean;
  readonly typed: boolean;
  /** As in a call. */
  readonly chain?: CallChain;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}

export interface OutboundStats {
  readonly sent: number;
  readonly replies: number;
  readonly failed: number;
  /** Mean milliseconds of the calls that were answered; 0 before the first. */
  readonly meanMs: number;
}

/**
 * Calls peers. Every method throws A2aErrors: PEER_UNKNOWN, CONFIG_INVALID (a configured url), ADDRESS_REFUSED, INVALID_PARAMS
 * (no task id), HOPS_USED_UP, PEER_UNREACHABLE, PEER_TIMEOUT, PEER_REFUSED, PEER_BAD_REPLY, PEER_ERROR (`metadata.rpcCode`), CANCELLED (the
 * signal; says whether the remote task was told to stop). Once a task is named, message and metadata hold its ids.
 */
export interface A2aClient {
  /** What a person types may be a bare host, with or without a port: likely addresses are tried then. */
  discover(
    target: string,
    options: { readonly typed: boolean; readonly chain?: CallChain; readonly signal?: AbortSignal },
  ): Promise<Discovery>;
  call(request: CallRequest): Promise<CallResult>;
  status(request: StatusRequest): Promise<CallResult>;
  cancel(
    agent: string,
    taskId: string,
    options: { readonly typed: boolean; readonly chain?: CallChain; readonly signal?: AbortSignal },
  ): Promise<CallResult>;
  /** Configured peer names, for completion. */
  peerNames(): readonly string[];
  stats(): OutboundStats;
  /** Ends every call in flight, tells their peers to stop as far as that takes about a second, closes every socket. */
  close(): Promise<void>;
}
