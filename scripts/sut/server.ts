// The system under test for the official conformance suite: the real server and engine, with the scripted agent of the suite in
// place of a Pi session, and everything open that the suite needs: no login, no short limits, webhooks on this machine.

import { type Clock, createSystemClock } from "../../src/core/platform/clock.ts";
import { createHttpPort } from "../../src/core/platform/http.ts";
import { createRandomIds } from "../../src/core/platform/ids.ts";
import { createLog } from "../../src/core/platform/log.ts";
import type { TaskRunner } from "../../src/core/ports.ts";
import { NETWORK_RULES } from "../../src/core/security/call-rule.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createNullSink } from "../../src/engine/event-sink.ts";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { startListener } from "../../src/inbound/listener.ts";
import { startPushDelivery } from "../../src/inbound/push/push-delivery.ts";
import { createRequestHandler } from "../../src/inbound/request-handler.ts";
import type { CardFacts } from "../../src/inbound/server-types.ts";
import { PACKAGE_VERSION } from "../../src/pi/package-version.ts";
import { createPrefixRunner } from "../../test/support/scripted-runner.ts";

/** Another agent than the suite's. */
export interface ScriptedAgent {
  readonly card: CardFacts;
  readonly runner: (clock: Clock) => TaskRunner;
  /** What its callers log in with; there is an extended card then. */
  readonly token?: string;
}

export interface SutOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly streaming: boolean;
  readonly push: boolean;
  readonly requireExtension: boolean;
  /** Serve the older dialects, too. Default false: the suite wants a card without a trace of them. */
  readonly legacy?: boolean;
  readonly agent?: ScriptedAgent;
}

export interface Sut {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  stop(): Promise<void>;
}

/** As the suite names it in its own scenario. */
const REQUIRED_EXTENSION = "urn:a2a:tck:required-extension";

const LIMITS = {
  maxConcurrent: 10_000,
  replyTimeoutMs: 0,
  asyncTimeoutMs: 0,
  maxTasks: 0,
  maxTaskBytes: 0,
  retentionMs: 0,
};
const PUSH = { timeoutMs: 15_000, allowInsecure: true, secret: "" };

const SUITE_AGENT: ScriptedAgent = {
  card: {
    name: "pi-a2a under test",
    description: "The server of pi-a2a with a scripted agent, for the conformance suite of A2A.",
    version: PACKAGE_VERSION,
    skills: [
      { id: "script", name: "Script", description: "Acts by the prefix of the message id.", tags: ["conformance"] },
    ],
  },
  runner: createPrefixRunner,
};

/** Throws when the port is taken: the suite was told this one. */
export async function startSut(options: SutOptions): Promise<Sut> {
  const { port, streaming, push, requireExtension, legacy = false, agent } = options;
  const { card, runner: createRunner, token } = agent ?? SUITE_AGENT;
  const clock = createSystemClock();
  const ids = createRandomIds();
  const log = createLog(clock, ids.token);
  const http = createHttpPort({ clock, network: NETWORK_RULES });
  const runner = createRunner(clock);
  const engine = createEngine({ clock, ids, log, runner, sink: createNullSink(), limits: () => LIMITS });
  const delivery = startPushDelivery({ engine, http, clock, log, settings: () => PUSH });
  const extension = requireExtension ? { requiredExtension: REQUIRED_EXTENSION } : {};
  const handler = createRequestHandler({
    ...{ engine, clock, ids, log },
    cardFacts: () => card,
    features: { streaming, push, extendedCard: token !== undefined, ...extension },
    legacy: () => legacy,
    allowInsecurePush: () => PUSH.allowInsecure,
    ...(token === undefined ? {} : { admission: () => rulesOf(token) }),
  });
  const listener = await startListener({ clock, log }, { host: "127.0.0.1", port, portFallback: 0 }, handler);
  const stop = async (): Promise<void> => {
    await engine.stop("the system under test was stopped");
    handler.close();
    await listener.stop();
    await delivery.stop();
    http.close();
  };
  if (listener.busyPort === undefined) return { origin: listener.origin, stop };
  await stop();
  throw new Error(`port ${listener.busyPort} is taken`);
}

function rulesOf(token: string): AdmissionRules {
  const tokens = [{ token, key: "peer:tester", name: "tester" }];
  return { tokens, trustedPeers: [], allowAllUsers: false, trustedProxies: [], publicUrl: "", closed: false };
}
