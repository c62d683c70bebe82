// The measured server of this package: put together as in Pi, with guards, admission, limits, audit, journal, webhooks and the
// person's view, and a runner that returns at once in place of Pi's.

import { setImmediate } from "node:timers/promises";
import { createSystemClock } from "../../../src/core/platform/clock.ts";
import { createFilesPort } from "../../../src/core/platform/files.ts";
import { createHttpPort } from "../../../src/core/platform/http.ts";
import { createRandomIds } from "../../../src/core/platform/ids.ts";
import { createJournalFiles } from "../../../src/core/platform/journal-files.ts";
import { createLog } from "../../../src/core/platform/log.ts";
import { createProcesses } from "../../../src/core/platform/processes.ts";
import { createSharedLog } from "../../../src/core/platform/shared-log.ts";
import { startAudit } from "../../../src/core/security/audit/audit.ts";
import { NETWORK_RULES } from "../../../src/core/security/call-rule.ts";
import { createRedaction } from "../../../src/core/security/redact/redaction.ts";
import { createEngine } from "../../../src/engine/engine.ts";
import { openJournal } from "../../../src/engine/journal/journal.ts";
import type { AdmissionRules } from "../../../src/inbound/admission/admission-types.ts";
import { startListener } from "../../../src/inbound/listener.ts";
import { startPushDelivery } from "../../../src/inbound/push/push-delivery.ts";
import { createRequestHandler } from "../../../src/inbound/request-handler.ts";
import { startActivityFeed } from "../../../src/pi/ui/activity-feed.ts";
import { answerParent } from "../../../test/hostile/support/measured-child.ts";
import { cpuMicros } from "./cpu-micros.ts";
import { createBenchRunner } from "./runner.ts";
import { CARD, type FillWork, type OursSettings } from "./server-settings.ts";

const settings: OursSettings = JSON.parse(process.argv[2] ?? "{}");

const LIMITS = {
  maxConcurrent: 256,
  replyTimeoutMs: 600_000,
  asyncTimeoutMs: 3_600_000,
  maxTasks: settings.maxTasks,
  maxTaskBytes: 1024 * 1024 * 1024,
  retentionMs: 7 * 24 * 60 * 60 * 1000,
};
/** Counted as for users, and never reached. */
const CALLER_LIMITS = { ratePerMin: 1e9, maxTurns: 1e9, chain: { sessionId: "bench", maxHops: 4 } };
const RULES: AdmissionRules = {
  tokens: settings.token === undefined ? [] : [{ token: settings.token, key: "peer:bench", name: "bench" }],
  ...{ trustedPeers: [], allowAllUsers: false, trustedProxies: [], publicUrl: "", closed: false },
};
const NO_DISPLAY = { note: () => undefined, toast: () => undefined, status: () => undefined };
const VIEW = { transcript: true, transcriptInContext: false, wake: "notify" } as const;
const OWNER = { key: "local", name: "ip:127.0.0.1" };

const began = performance.now();
const clock = createSystemClock();
const ids = createRandomIds();
const log = createLog(clock, ids.token);
const redaction = createRedaction();
const { journal, recovered, problems } = await openJournal({
  folder: `${settings.folder}/tasks`,
  key: `${process.pid}-${ids.token().slice(0, 8)}`,
  secret: ids.token(),
  ...{ clock, log, files: createFilesPort(), journalFiles: createJournalFiles(clock), processes: createProcesses() },
  sync: () => false,
});
if (problems.length > 0) throw new Error(problems.join("; "));
const engine = createEngine({
  ...{ clock, ids, log, sink: journal, store: journal, limits: () => LIMITS },
  runner: createBenchRunner(redaction),
});
const auditFile = createSharedLog(clock, { path: `${settings.folder}/audit.jsonl`, maxBytes: 5 * 1024 * 1024 });
const audit = startAudit({ clock, log: auditFile, redaction, warn: log.warn });
const feed = startActivityFeed(engine, NO_DISPLAY, () => VIEW, clock);
const http = createHttpPort({ clock, network: NETWORK_RULES });
const push = { timeoutMs: 15_000, allowInsecure: false, secret: "" };
const delivery = startPushDelivery({ engine, http, clock, log, settings: () => push });
await engine.recover(recovered, () => undefined);
const handler = createRequestHandler({
  ...{ engine, clock, ids, log, audit },
  cardFacts: () => CARD,
  admission: () => RULES,
  limits: () => CALLER_LIMITS,
});
const listener = await startListener({ clock, log }, { host: "127.0.0.1", port: 0, portFallback: 0 }, handler);
const startMs = performance.now() - began;

/** Finished tasks, made without the way over HTTP. */
async function fill({ count, text }: FillWork): Promise<void> {
  for (let made = 0; made < count; made += 100) {
    const batch = Array.from({ length: Math.min(100, count - made) }, (_, n) => makeTask(made + n, text));
    await Promise.all(batch);
    await setImmediate();
  }
}

async function makeTask(n: number, text: string): Promise<void> {
  const message = { messageId: `fill-${n}`, role: "ROLE_USER", parts: [{ text }] } as const;
  const submission = await engine.submit({ caller: OWNER, message, detached: false });
  submission.subscription.close();
  await submission.first;
  await engine.settled(OWNER, submission.taskId);
  submission.replied?.("reply");
}

answerParent(
  {
    ready: () => undefined,
    address: () => `${listener.origin}/`,
    startMs: () => startMs,
    completed: () => engine.stats().completed,
    fill,
    cpuMicros,
    faults: () => log.lines().flatMap(({ level, text }) => (level === "info" ? [] : [text])),
    async stop() {
      feed.stop();
      await engine.stop("the bench is over");
      handler.close();
      await listener.stop();
      await delivery.stop();
      http.close();
      await audit.stop();
      await journal.close();
    },
  },
  () => ({ tasks: engine.stats().tasks }),
);
