// Owns how the inbound server is put together, new or on the socket of the load of this package before it.

import type { Settings } from "../core/config/settings.ts";
import type { Clock } from "../core/platform/clock.ts";
import { A2aError } from "../core/platform/errors.ts";
import type { FilesPort } from "../core/platform/files.ts";
import type { HttpPort } from "../core/platform/http-types.ts";
import type { Ids } from "../core/platform/ids.ts";
import type { Log } from "../core/platform/log.ts";
import type { Audit } from "../core/ports.ts";
import { isTerminal } from "../core/protocol/task-state.ts";
import { bindOf } from "../core/security/bind.ts";
import type { Redaction } from "../core/security/redact/redaction.ts";
import { createEngine } from "../engine/engine.ts";
import type { Engine, EngineLimits } from "../engine/engine-types.ts";
import type { Journal } from "../engine/journal/journal.ts";
import { startListener } from "../inbound/listener.ts";
import type { PushSettings } from "../inbound/push/push-attempt.ts";
import { startPushDelivery } from "../inbound/push/push-delivery.ts";
import { createRequestHandler } from "../inbound/request-handler.ts";
import type { CallerLimits, Listener } from "../inbound/server-types.ts";
import { createAdmissionRules } from "./admission-rules.ts";
import { createCardFacts } from "./card-facts.ts";
import { clientTools } from "./child/client-tools.ts";
import { createPiRunner, type PiRunner } from "./child/pi-runner.ts";
import { NO_USAGE } from "./child/usage.ts";
import { type Generation, type Generations, type OwnJournal, type Released, startGenerations } from "./generations.ts";
import type { HostSession } from "./host/host-port.ts";
import type { LiveHost } from "./host/live-host.ts";
import { reachableAt } from "./reachable-at.ts";
import type { ServerParts } from "./server-control.ts";
import { type OpenSiblingAccess, openSiblingAccess } from "./sibling-access.ts";
import { openTaskJournal } from "./task-journal.ts";
import type { ToolDeps } from "./tools/tool-deps.ts";
import { startActivityFeed } from "./ui/activity-feed.ts";

/** On disk. Finished tasks beyond this go, the oldest of the largest caller first, however few they are. */
const MAX_TASK_BYTES = 1024 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface ServerPartsDeps {
  readonly host: LiveHost;
  /** The random id of this session in chains of calls. */
  readonly sessionId: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly files: FilesPort;
  /** For deliveries, which go on while the outbound client closes. */
  readonly openHttp: () => HttpPort;
  readonly settings: () => Settings;
  readonly redaction: Redaction;
  readonly audit: Audit;
  /** What a child needs to call other agents. */
  readonly outbound: Omit<ToolDeps, "clock" | "log">;
}

/** With `before`, its socket goes on under a new handler, and its tasks run to their end where they are. */
export async function buildServer(deps: ServerPartsDeps, before: ServerParts | undefined): Promise<ServerParts> {
  const { clock, ids, log, settings } = deps;
  const former = await before?.generations.release(before.handler);
  const journals = (): readonly OwnJournal[] => generations?.journals() ?? journalsOf(former);
  let generations: Generations | undefined;
  const { siblings, keptProblems, ...newest } = await openEngine(deps, journals);
  generations = startGenerations({ clock, log }, newest, former ?? { formers: [], usage: NO_USAGE });
  const { engine, usage } = generations;
  const handler = createRequestHandler({
    ...{ engine, clock, ids, log, audit: deps.audit, siblings: siblings.access },
    ...{ cardFacts: createCardFacts(deps), admission: createAdmissionRules(settings) },
    limits: () => limitsOfCallers(settings(), deps.sessionId),
    legacy: () => settings().server.legacy,
    allowInsecurePush: () => settings().server.pushAllowInsecure,
  });
  const close = generations.close;
  await newest.recover();
  const shared = { engine, generations, handler, keptProblems, usage, close };
  const urlOf = (listener: Listener) => (): string => reachableAt(listener, settings().server);
  if (before !== undefined) {
    before.listener.replaceHandler(handler);
    await newest.announce(before.listener.origin);
    generations.watch();
    return { ...before, ...shared, url: urlOf(before.listener) };
  }
  const { port, portFallback } = settings().server;
  const { refusedHost, ...bind } = bindOf(settings().server);
  try {
    const listener = await startListener({ clock, log }, { ...bind, port, portFallback }, handler);
    await newest.announce(listener.origin);
    const refused = refusedHost === undefined ? {} : { refusedHost };
    return { ...shared, listener, url: urlOf(listener), ...refused };
  } catch (error) {
    await engine.stop("the A2A server did not start");
    await close();
    throw error;
  }
}

function journalsOf(former: Released | undefined): readonly OwnJournal[] {
  return former?.formers.map(({ generation }) => generation.journal) ?? [];
}

interface OpenEngine extends Generation {
  /** Gives the engine the tasks from before; to be called once, when all who hear of their ends are there. */
  readonly recover: () => Promise<void>;
  readonly siblings: OpenSiblingAccess;
  readonly keptProblems: () => readonly string[];
  /** Tells other sessions where this one listens. */
  readonly announce: Journal["announce"];
}

/** An engine, and what hears of its tasks. `journals` are those of this process. */
async function openEngine(deps: ServerPartsDeps, journals: () => readonly OwnJournal[]): Promise<OpenEngine> {
  const { host, clock, ids, log, settings } = deps;
  const limits = (): EngineLimits => engineLimits(settings());
  const runner = createPiRunner({
    ...deps,
    childTools: ({ chain }) => clientTools({ ...deps.outbound, clock, log }, chain),
  });
  const kept = await openTaskJournal(deps, needSession(host).agentDir);
  const { journal } = kept;
  const engine = createEngine({ clock, ids, log, runner, sink: journal, store: journal, limits });
  const stopTelling = tellOfEnds(engine, runner);
  const feed = startActivityFeed(engine, host, () => settings().ui, clock);
  const http = deps.openHttp();
  const push = (): PushSettings => pushSettings(settings());
  const delivery = startPushDelivery({ engine, http, clock, log, settings: push });
  const siblings = openSiblingAccess({ clock, settings, engine, kept, journals, onTakeOver: delivery.resume });
  return {
    ...{ engine, siblings, keptProblems: kept.keptProblems, announce: journal.announce },
    journal: { keys: journal.keys, secret: kept.secret },
    usage: () => runner.usage(),
    isIdle: delivery.isIdle,
    async recover() {
      await kept.recover(engine);
      await delivery.resume();
    },
    async takeOver(keys) {
      await kept.takeOver(engine, keys);
      await delivery.resume();
    },
    async close(how) {
      feed.stop();
      stopTelling();
      await siblings.close();
      await Promise.all([runner.idle(), delivery.stop()]);
      http.close();
      await journal[how]();
    },
  };
}

function needSession(host: LiveHost): HostSession {
  const session = host.current();
  if (session !== undefined) return session;
  throw new A2aError("SESSION_UNAVAILABLE", "no Pi session has started yet");
}

/** A task may end while it waits for its caller, with no run that would clean up after it. */
function tellOfEnds(engine: Engine, runner: PiRunner): () => void {
  return engine.observe((event) => {
    if (event.kind === "status" && isTerminal(event.status.state)) runner.taskEnded(event.taskId);
  });
}

function pushSettings({ server }: Settings): PushSettings {
  return {
    timeoutMs: server.pushTimeoutSec * 1000,
    allowInsecure: server.pushAllowInsecure,
    secret: server.pushSecret,
  };
}

function limitsOfCallers({ server }: Settings, sessionId: string): CallerLimits {
  return {
    ratePerMin: server.rateLimitPerMin,
    maxTurns: server.maxPingpongTurns,
    chain: { sessionId, maxHops: server.maxHops },
  };
}

function engineLimits({ server }: Settings): EngineLimits {
  return {
    maxConcurrent: server.maxConcurrent,
    ...(server.maxDetached === undefined ? {} : { maxDetached: server.maxDetached }),
    replyTimeoutMs: server.replyTimeoutSec * 1000,
    asyncTimeoutMs: server.asyncTimeoutSec * 1000,
    maxTasks: server.maxTasks,
    maxTaskBytes: MAX_TASK_BYTES,
    retentionMs: server.taskRetentionDays * DAY_MS,
  };
}
