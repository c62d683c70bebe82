// The composition root of everything heavy: settings, client, engine, runner, server. Loaded on first use, so that a session
// which never speaks A2A pays nothing. One instance serves a process until quit or reload.

import { readEnvironment } from "../core/config/env.ts";
import { loadSettings } from "../core/config/load.ts";
import type { LoadedSettings, Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";
import { createFilesPort } from "../core/platform/files.ts";
import { createHttpPort } from "../core/platform/http.ts";
import { createRandomIds } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import { createEngine } from "../engine/engine.ts";
import { createMemorySink } from "../engine/event-sink.ts";
import { startListener } from "../inbound/listener.ts";
import { createRequestHandler } from "../inbound/request-handler.ts";
import { createA2aClient } from "../outbound/client.ts";
import type { A2aClient } from "../outbound/client-types.ts";
import { createPiRunner } from "./child/pi-runner.ts";
import type { LiveHost } from "./host/live-host.ts";
import { PACKAGE_VERSION } from "./package-version.ts";
import { agentName, sessionSkills } from "./self.ts";
import { createServerControl, type ServerControl, type ServerParts } from "./server-control.ts";
import { createReplyStore, type ReplyStore } from "./text/reply-store.ts";
import { startActivityFeed } from "./ui/activity-feed.ts";

export interface Services {
  readonly client: A2aClient;
  readonly replies: ReplyStore;
  readonly server: ServerControl;
  /** Reads the settings again; later calls and the next server start use them. */
  readonly reloadSettings: () => Promise<LoadedSettings>;
  readonly workspace: () => string;
  stop(reason: string): Promise<void>;
}

export interface ServicesDeps {
  readonly host: LiveHost;
  readonly clock: Clock;
  readonly log: Log;
}

/** Throws SESSION_UNAVAILABLE before the first session_start. */
export async function createServices({ host, clock, log }: ServicesDeps): Promise<Services> {
  const session = host.current();
  if (session === undefined) throw new A2aError("SESSION_UNAVAILABLE", "no Pi session has started yet");
  const ids = createRandomIds();
  const files = createFilesPort();
  const http = createHttpPort({ clock });
  const load = (): Promise<LoadedSettings> =>
    loadSettings({ files, agentDir: session.agentDir, env: readEnvironment() });
  let loaded = await load();
  const settings = (): Settings => loaded.settings;
  const workspace = (): string => settings().server.workspace || (host.current()?.cwd ?? session.cwd);
  const client = createA2aClient({ http, clock, ids, log, settings });

  const build = async (): Promise<ServerParts> => {
    const runner = createPiRunner({ host, log, clock, files, settings });
    const engine = createEngine({
      clock,
      ids,
      log,
      runner,
      sink: createMemorySink(),
      limits: () => engineLimits(settings()),
    });
    const cardFacts = () => ({
      name: agentName(settings().server.agentName),
      description: "A Pi coding agent session: it reads, edits and runs code in its workspace.",
      version: PACKAGE_VERSION,
      skills: sessionSkills(host.commands()),
    });
    const handler = createRequestHandler({ engine, clock, ids, log, cardFacts });
    const { host: bindHost, port, portFallback } = { host: "127.0.0.1", ...settings().server };
    const listener = await startListener({ clock, log }, { host: bindHost, port, portFallback }, handler);
    const feed = startActivityFeed(engine, host, () => settings().ui.transcript);
    return { engine, handler, listener, close: () => feed.stop() };
  };
  const server = createServerControl(build);

  return {
    client,
    replies: createReplyStore(files, ids, session.agentDir),
    server,
    workspace,
    async reloadSettings() {
      loaded = await load();
      return loaded;
    },
    async stop(reason) {
      client.close();
      await server.stop(reason);
      http.close();
    },
  };
}

function engineLimits(settings: Settings) {
  const { maxConcurrent, replyTimeoutSec, asyncTimeoutSec } = settings.server;
  return {
    maxConcurrent,
    replyTimeoutMs: replyTimeoutSec * 1000,
    asyncTimeoutMs: asyncTimeoutSec * 1000,
    maxTasks: 10_000,
    maxTaskBytes: 64 * 1024 * 1024,
  };
}
