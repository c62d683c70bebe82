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
