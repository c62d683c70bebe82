// Owns the chain of sessions that work passes through: how it travels in a message's metadata under our extension, what a
// receiver makes of it, and how it goes on with the next call. It holds random ids of sessions, never names: two sessions of one
// machine bear the same name. Numbers of callers only ever lower the limit.

import { changed } from "../platform/changed.ts";
import { isObject } from "../platform/json.ts";
import { OWN_EXTENSION } from "./extension-uris.ts";
import type { TraceContext } from "./trace-context.ts";
import type { JsonObject, Message } from "./types.ts";

/** One more than the longest chain that settings allow, so that a longer one is seen as too long. */
const MAX_READ = 65;
const SESSION_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** The way that work has come: the trace it belongs to, and the sessions that it went through. */
export interface CallChain {
  /** W3C traceparent of this exchange. */
  readonly traceparent: string;
  readonly tracestate?: string;
  /** Random ids of the sessions that passed the work on, first to last. */
  readonly sessions: readonly string[];
  /** How many further times the work may be passed on. */
  readonly hopsLeft: number;
}

export interface ChainRules {
  /** The random id of this session. */
  readonly sessionId: string;
  /** How many times work may be passed on in all. */
  readonly maxHops: number;
}

export interface ArrivedChain {
  readonly chain: CallChain;
  /** Why this session does not take the work, and what the caller can do; absent when it does. */
  readonly refused?: string;
}

/** The chain that a message came by. What is no chain counts as none; nothing here throws. */
export function arrivedChain(message: Message, trace: TraceContext, { sessionId, maxHops }: ChainRules): ArrivedChain {
  const claim = claimOf(message);
  const sessions = sessionsOf(claim?.sessions);
  const claimed = hopsOf(claim?.hopsLeft);
  const left = Math.min(claimed, maxHops - sessions.length);
  const chain = changed(trace, { sessions, hopsLeft: Math.max(0, left) });
  if (sessions.includes(sessionId)) return { chain, refused: LOOP };
  return left < 0 ? { chain, refused: tooLong(sessions.length, maxHops) } : { chain };
}

/** The links of a chain, without its trace, which travels in headers. */
export type ChainLinks = Pick<CallChain, "sessions" | "hopsLeft">;

/** The chain for a call of this session that follows from `chain`; undefined when the work may not be passed on any more. */
export function passedOn(chain: CallChain | undefined, { sessionId, maxHops }: ChainRules): ChainLinks | undefined {
  const hopsLeft = Math.min(chain?.hopsLeft ?? maxHops, maxHops) - 1;
  if (hopsLeft < 0) return undefined;
  return { sessions: [...(chain?.sessions ?? []), sessionId], hopsLeft };
}

/** What carries the chain in a message. */
export function chainMetadata({ sessions, hopsLeft }: ChainLinks): JsonObject {
  return { [OWN_EXTENSION]: { chain: { sessions, hopsLeft } } };
}

const LOOP =
  "This work has come back to a session that passed it on already: the agents are calling each other in a circle. Finish it with what you have, or ask an agent that has not been asked.";

function tooLong(length: number, maxHops: number): string {
  return `This work was passed on ${length} times, and its limit is used up (this session takes ${maxHops} at most). Finish it where it is, or give it to this agent from nearer to where it began; the operator of this agent can raise a2a.server.maxHops.`;
}

function claimOf({ metadata }: Message): Record<string, unknown> | undefined {
  const own: unknown = metadata?.[OWN_EXTENSION];
  const chain: unknown = isObject(own) ? own.chain : undefined;
  return isObject(chain) ? chain : undefined;
}

function sessionsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const first: readonly unknown[] = value.slice(0, MAX_READ);
  return first.filter((id): id is string => typeof id === "string" && SESSION_ID.test(id));
}

/** Anything but a whole number is no limit of the caller's. */
function hopsOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) ? value : Number.POSITIVE_INFINITY;
}
