// Owns how the inbound server is put together, new or on the socket of the load of this package before it.

import type { Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import type { FilesPort } from "../core/platform/files.ts";
import type { Ids } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import { createEngine } from "../engine/engine.ts";
import { createEngineTable } from "../engine/engine-table.ts";
import type { EngineLimits } from "../engine/engine-types.ts";
import { createNullSink } from "../engine/event-sink.ts";
import { startListener } from "../inbound/listener.ts";
import { createRequestHandler } from "../inbound/request-handler.ts";
import type { RequestHandler } from "../inbound/server-types.ts";
import { createCardFacts } from "./card-facts.ts";
import { createPiRunner } from "./child/pi-runner.ts";
import type { LiveHost } from "./host/live-host.ts";
import type { ServerParts } from "./server-control.ts";
import { startActivityFeed } from "./ui/activity-feed.ts";

/** Served on loopback only until callers can be told apart by tokens. */
const BIND_HOST = "127.0.0.1";

/** Finished tasks that stay readable; the oldest of the caller with most go first. */
const MAX_TASKS = 10_000;
const MAX_TASK_BYTES = 64 * 1024 * 1024;

export interface ServerPartsDeps {
  readonly host: LiveHost;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly files: FilesPort;
  readonly settings: () => Settings;
}

/** With `before`, its socket goes on under a new handler, and its tasks run to their end where they are. */
export async function buildServer(deps: ServerPartsDeps, before: ServerParts | undefined): Promise<ServerParts> {
  const { host, clock, ids, log, settings } = deps;
  const limits = (): EngineLimits => engineLimits(settings());
  const engine = createEngine({ clock, ids, log, runner: createPiRunner(deps), sink: createNullSink(), limits });
  const feed = startActivityFeed(engine, host, () => settings().ui.transcript);
  const cardFacts = createCardFacts(deps);
  if (before !== undefined) {
    const table = createEngineTable(engine, [before.engine]);
    const handler = createRequestHandler({ engine: table, clock, ids, log, cardFacts });
    before.listener.replaceHandler(handler);
    return {
      engine: table,
      handler: closingBoth(handler, before.handler),
      listener: before.listener,
      close() {
        feed.stop();
        before.close();
      },
    };
  }
  const handler = createRequestHandler({ engine, clock, ids, log, cardFacts });
  const { port, portFallback } = settings().server;
  try {
    const listener = await startListener({ clock, log }, { host: BIND_HOST, port, portFallback }, handler);
    return { engine, handler, listener, close: () => feed.stop() };
  } catch (error) {
    feed.stop();
    await engine.stop("the A2A server did not start");
    throw error;
  }
}

/** Requests that the former handler still answers end with it. */
function closingBoth(handler: RequestHandler, before: RequestHandler): RequestHandler {
  return {
    handle: (request, response) => handler.handle(request, response),
    close() {
      handler.close();
      before.close();
    },
  };
}

function engineLimits({ server }: Settings): EngineLimits {
  return {
    maxConcurrent: server.maxConcurrent,
    replyTimeoutMs: server.replyTimeoutSec * 1000,
    asyncTimeoutMs: server.asyncTimeoutSec * 1000,
    maxTasks: MAX_TASKS,
    maxTaskBytes: MAX_TASK_BYTES,
  };
}
