// What the tools and commands get from the wiring. Types only; the heavy parts behind it are loaded on first use.

import type { Clock } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import type { Part } from "../../core/protocol/types.ts";
import type { A2aClient } from "../../outbound/client-types.ts";
import type { Dispatched } from "../dispatched/dispatched.ts";
import type { ReplyStore } from "../files/reply-store.ts";

export interface ToolDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Loads settings anew and gives the client that follows them. */
  readonly client: () => Promise<A2aClient>;
  /** Keeps replies that are too long to show, and what comes with them. */
  readonly replies: () => Promise<ReplyStore>;
  /** Tasks that were handed over and not waited for. */
  readonly dispatched: () => Promise<Pick<Dispatched, "called" | "asked" | "open">>;
  /** The files at these paths of the folder as parts; throws INVALID_PARAMS for one that may not or cannot be sent. */
  readonly outgoing: (cwd: string, paths: readonly string[]) => Promise<readonly Part[]>;
}

/** One use of a tool by the model. */
export interface ToolUse<Params> {
  readonly params: Params;
  readonly signal: AbortSignal | undefined;
  /** Shows how far it is. */
  readonly onUpdate?: ((partial: ToolAnswer<CallDetails>) => void) | undefined;
}

/** What the model reads, and what whoever draws or logs the row gets, which is never sent to the model. */
export interface ToolAnswer<Details> {
  content: { type: "text"; text: string }[];
  details: Details;
}

export interface CallDetails {
  readonly taskId?: string;
  readonly contextId?: string;
  readonly state?: string;
}
