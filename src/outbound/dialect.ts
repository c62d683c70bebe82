// Owns in which wire a peer is spoken to: as its card says, and in another one once the peer has shown that it does not know the
// first (DESIGN: Outbound). What worked is remembered for the peer's interface as long as the client lives; bounded.

import { type A2aError, isA2aError } from "../core/platform/errors.ts";
import { OWN_EXTENSION, SESSION_EXTENSION } from "../core/protocol/extension-uris.ts";
import type { AgentCard, AgentInterface } from "../core/protocol/types.ts";

/** `pi-a2a`: the slash names of 0.3 with messages as 1.0 spells them, which earlier pi-a2a sessions speak. */
export type Dialect = "1.0" | "0.3" | "pi-a2a";

export interface DialectChoice {
  /** For the next request. */
  now(): Dialect;
  /** The peer knew what was asked for. */
  understood(dialect: Dialect): void;
  /** The one other dialect that is worth a try after this error; undefined when there is none. */
  insteadOf(dialect: Dialect, error: unknown, optional: boolean): Dialect | undefined;
}

export interface DialectMemory {
  /** What the card says, or what has worked since. */
  choiceFor(card: AgentCard, chosen: AgentInterface): DialectChoice;
}

const MOST_REMEMBERED = 500;
const UNKNOWN_METHOD = "-32601";
const UNKNOWN_VERSION = "-32009";

export function createDialectMemory(): DialectMemory {
  const known = new Map<string, Dialect>();
  return {
    choiceFor(card, chosen) {
      const stated = dialectOf(card, chosen);
      const key = `${stated} ${chosen.url}`;
      return {
        now: () => known.get(key) ?? stated,
        understood(dialect) {
          known.delete(key);
          known.set(key, dialect);
          const [oldest] = known.keys();
          if (known.size > MOST_REMEMBERED && oldest !== undefined) known.delete(oldest);
        },
        insteadOf(dialect, error, optional) {
          if (!isForeign(error)) return undefined;
          // A peer may well leave out an optional method of a dialect that it speaks.
          if (optional && error.metadata.rpcCode === UNKNOWN_METHOD && known.get(key) === dialect) return undefined;
          if (dialect !== "1.0") return "1.0";
          return stated === "1.0" ? olderDialect(card) : stated;
        },
      };
    },
  };
}

/** True for the two errors that prove that the request was not even looked at. */
export function isForeign(error: unknown): error is A2aError {
  if (!isA2aError(error, "PEER_ERROR")) return false;
  return error.metadata.rpcCode === UNKNOWN_METHOD || error.metadata.rpcCode === UNKNOWN_VERSION;
}

/** What the card says of the chosen interface. */
export function dialectOf(card: AgentCard, { protocolVersion }: AgentInterface): Dialect {
  if (isEarlierPi(card)) return "pi-a2a";
  return /^0(\.|$)/.test(protocolVersion.trim()) ? "0.3" : "1.0";
}

function olderDialect(card: AgentCard): Dialect {
  return isEarlierPi(card) ? "pi-a2a" : "0.3";
}

/** Sessions that list the older extension alone know every slash name, but not all of 1.0. */
function isEarlierPi({ capabilities }: AgentCard): boolean {
  const uris = (capabilities.extensions ?? []).map(({ uri }) => uri);
  return uris.includes(SESSION_EXTENSION) && !uris.includes(OWN_EXTENSION);
}
