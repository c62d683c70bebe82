// What the tools and commands get from the wiring. Types only; the heavy parts behind it are loaded on first use.

import type { Clock } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import type { A2aClient } from "../../outbound/client-types.ts";
import type { ReplyStore } from "../text/reply-store.ts";

export interface ToolDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Loads settings anew and gives the client that follows them. */
  readonly client: () => Promise<A2aClient>;
  /** Keeps replies that are too long to show. */
  readonly replies: () => Promise<ReplyStore>;
}
