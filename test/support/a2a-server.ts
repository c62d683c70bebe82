// The real server over a real engine on a free port of 127.0.0.1, with runs that a test drives by hand and timers that only the
// test moves (deferred callbacks run by themselves). `stop` fails when anything is left behind.

import assert from "node:assert/strict";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createHttpPort } from "../../src/core/platform/http.ts";
import type { Resolve } from "../../src/core/platform/http-lookup.ts";
import { createLog, type Log } from "../../src/core/platform/log.ts";
import type { TaskRunner } from "../../src/core/ports.ts";
import { NETWORK_RULES } from "../../src/core/security/call-rule.ts";
import { createEngine } from "../../src/engine/engine.ts";
import type { Engine, EngineLimits } from "../../src/engine/engine-types.ts";
import { createNullSink } from "../../src/engine/event-sink.ts";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { type ListenerLimits, startListener } from "../../src/inbound/listener.ts";
import type { PushSettings } from "../../src/inbound/push/push-attempt.ts";
import { LAST_TRY_MS, startPushDelivery } from "../../src/inbound/push/push-delivery.ts";
import { createRequestHandler } from "../../src/inbound/request-handler.ts";
import type {
  CallerLimits,
  CardFacts,
  Features,
  Listener,
  ListenOptions,
  RequestHandler,
} from "../../src/inbound/server-types.ts";
import { skill } from "./builders.ts";
import { createCountIds } from "./count-ids.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createMemoryAudit, type MemoryAudit } from "./memory-audit.ts";
import { createDrivenRunner, type DrivenRunner } from "./scripted-runner.ts";

export interface TestServer {
  readonly port: number;
  readonly origin: string;
  readonly engine: Engine;
  readonly clock: FakeClock;
  readonly log: Log;
  readonly listener: Listener;
  readonly handler: RequestHandler;
  readonly audit: MemoryAudit;
  /** The runs that wait for the test; empty when the server was given another runner. */
  readonly runner: DrivenRunner;
  /** Another handler for the same engine. */
  newHandler(): RequestHandler;
  /** Resolves once no connection is open. */
  idle(): Promise<void>;
  /** Ends engine, handler and listener, and checks that no run, slot, timer or connection is left. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly engineLimits?: Partial<EngineLimits>;
  readonly listenerLimits?: Partial<ListenerLimits>;
  readonly cardFacts?: () => CardFacts;
  readonly runner?: TaskRunner;
  /** Whether the driven runs take messages while they work; by default they do not. */
  readonly steerable?: boolean;
  readonly features?: Features;
  /** Default true, as it is for users. */
  readonly legacy?: boolean;
  /** Asked for every request; absent: no tokens. */
  readonly admission?: () => AdmissionRules;
  /** By default none. */
  readonly callerLimits?: () => CallerLimits;
  /** Default: any free port of 127.0.0.1. */
  readonly listen?: Partial<ListenOptions>;
  /** Delivers to webhooks, on loopback and by plain http unless told otherwise. */
  readonly push?: Partial<PushSettings> & { readonly resolve?: Resolve };
}

const ENGINE_LIMITS: EngineLimits = {
  maxConcurrent: 4,
  replyTimeoutMs: 600_000,
  asyncTimeoutMs: 3_600_000,
  maxTasks: 10_000,
  maxTaskBytes: 64 * 1024 * 1024,
  retentionMs: 0,
};

export const CARD_FACTS: CardFacts = { name: "pi-test", description: "A test.", version: "1.2.3", skills: [skill()] };

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const system = createSystemClock();
  const clock: FakeClock = { ...createFakeClock(), defer: system.defer };
  const ids = createCountIds();
  const log = createLog(clock, ids.token);
  const runner = createDrivenRunner({ steerable: options.steerable ?? false });
  const limits = { ...ENGINE_LIMITS, ...options.engineLimits };
  const engine = createEngine({
    ...{ clock, ids, log, sink: createNullSink(), limits: () => limits },
    runner: options.runner ?? runner,
  });
  const cardFacts = options.cardFacts ?? (() => CARD_FACTS);
  const push = { timeoutMs: 15_000, allowInsecure: true, secret: "", ...options.push };
  const audit = createMemoryAudit();
  const newHandler = (): RequestHandler =>
    createRequestHandler({
      ...{ engine, clock, ids, log, audit, cardFacts, features: options.features ?? {} },
      ...(options.admission === undefined ? {} : { admission: options.admission }),
      ...(options.callerLimits === undefined ? {} : { limits: options.callerLimits }),
      legacy: () => options.legacy ?? true,
      allowInsecurePush: () => options.push !== undefined && push.allowInsecure,
    });
  const handler = newHandler();
  const listener = await startListener(
    // Sockets that a test leaves open are cut by real time.
    { clock: { ...clock, after: system.after }, log, limits: options.listenerLimits ?? {} },
    { host: "127.0.0.1", port: 0, portFallback: 0, ...options.listen },
    handler,
  );
  const { port, origin } = listener;
  const http = createHttpPort({ clock, network: NETWORK_RULES, ...resolverOf(options) });
  const delivery =
    options.push === undefined ? undefined : startPushDelivery({ engine, http, clock, log, settings: () => push });
  return {
    ...{ port, origin, engine, clock, log, listener, handler, audit, runner, newHandler },
    async idle() {
      while (listener.connections() > 0) await new Promise((resolve) => setImmediate(resolve));
    },
    async stop() {
      await engine.stop("the test is over");
      handler.close();
      await listener.stop();
      // A test that failed may have left a receiver hanging.
      const cut = system.after(1000, () => clock.tick(LAST_TRY_MS));
      await delivery?.stop();
      cut.stop();
      http.close();
      assert.equal(listener.connections(), 0, "connections left");
      assert.equal(engine.stats().running, 0, "running tasks left");
      assert.equal(engine.stats().waiting, 0, "waiting tasks left");
      assert.equal(clock.pending(), 0, "timers left");
    },
  };
}

function resolverOf({ push }: TestServerOptions): { readonly resolve?: Resolve } {
  return push?.resolve === undefined ? {} : { resolve: push.resolve };
}

/** A runner that says this text as the artifact `reply` and completes. */
export function createAnsweringRunner(text = "done"): TaskRunner {
  return {
    async run(_request, emit) {
      emit({ kind: "working" });
      emit({ kind: "artifact", artifact: { artifactId: "reply", parts: [{ text }] }, append: false, lastChunk: true });
      return { kind: "completed" };
    },
  };
}
