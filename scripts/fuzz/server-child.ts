// The server of a fuzz run in a process of its own: listener, admission, handler, engine and audit as in Pi, with a runner that
// completes at once, asks, fails or rejects, and sends back what it was sent.

import { existsSync, readFileSync } from "node:fs";
import { createSystemClock } from "../../src/core/platform/clock.ts";
import { createRandomIds } from "../../src/core/platform/ids.ts";
import { createLog, type LogLine } from "../../src/core/platform/log.ts";
import { createSharedLog } from "../../src/core/platform/shared-log.ts";
import type { RunOutcome, TaskRunner } from "../../src/core/ports.ts";
import { partsToText } from "../../src/core/protocol/text.ts";
import { startAudit } from "../../src/core/security/audit/audit.ts";
import { createRedaction } from "../../src/core/security/redact/redaction.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { createNullSink } from "../../src/engine/event-sink.ts";
import type { AdmissionRules } from "../../src/inbound/admission/admission-types.ts";
import { startListener } from "../../src/inbound/listener.ts";
import { createRequestHandler } from "../../src/inbound/request-handler.ts";
import { answerParent } from "../../test/hostile/support/measured-child.ts";

export interface ServerSettings {
  /** Callers must log in with one of these; none = every program on this machine may call. */
  readonly tokens: readonly string[];
  /** Where the audit is kept. */
  readonly auditPath: string;
}

export interface ServerState {
  readonly connections: number;
  readonly running: number;
  /** What the log says of faults inside the server, and lines of the audit that are no JSON. */
  readonly faults: readonly string[];
}

const LIMITS = {
  maxConcurrent: 64,
  replyTimeoutMs: 5000,
  asyncTimeoutMs: 3000,
  // Low, so that what is kept is full before anything is measured.
  maxTasks: 100,
  maxTaskBytes: 1_000_000,
  retentionMs: 0,
};

const { tokens, auditPath }: ServerSettings = JSON.parse(process.argv[2] ?? "{}");
const clock = createSystemClock();
const ids = createRandomIds();
const log = createLog(clock, ids.token);

/** By the first letter of the message, so that mutated messages reach every way. */
const runner: TaskRunner = {
  async run({ message }, emit) {
    const text = partsToText(message.parts);
    emit({ kind: "working" });
    const artifact = { artifactId: "reply", parts: message.parts };
    emit({ kind: "artifact", artifact, append: false, lastChunk: true });
    return outcomeOf(text);
  },
};

function outcomeOf(text: string): RunOutcome {
  switch (text.charCodeAt(0) % 8) {
    case 0:
      return { kind: "failed", reason: text.slice(0, 200) };
    case 1:
      return { kind: "input-required", question: [{ text: "which one?" }] };
    case 2:
      return { kind: "rejected", reason: "not today" };
    default:
      return { kind: "completed", note: text.slice(0, 50) };
  }
}

function faultsIn(lines: readonly LogLine[]): readonly string[] {
  return lines.flatMap(({ level, text }) => (level === "info" ? [] : [text]));
}

function brokenLines(): readonly string[] {
  const text = existsSync(auditPath) ? readFileSync(auditPath, "utf8") : "";
  return text.split("\n").filter((line) => line !== "" && !isJson(line));
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

const rules: AdmissionRules = {
  tokens: tokens.map((token, index) => ({ token, key: `peer:p${index}`, name: `p${index}` })),
  trustedPeers: [],
  allowAllUsers: false,
  trustedProxies: [],
  publicUrl: "",
  closed: false,
};
const file = createSharedLog(clock, { path: auditPath, maxBytes: 1024 * 1024 });
const audit = startAudit({ clock, log: file, redaction: createRedaction(), warn: log.warn });
const engine = createEngine({ clock, ids, log, runner, sink: createNullSink(), limits: () => LIMITS });
const skills = [{ id: "work", name: "Work", description: "Works.", tags: ["work"] }];
const facts = { name: "fuzzed", description: "Under test.", version: "1.0.0", skills, session: { cwd: "/work" } };
const handler = createRequestHandler({
  ...{ engine, clock, ids, log, audit },
  cardFacts: () => facts,
  features: { extendedCard: true },
  admission: () => rules,
});
const listener = await startListener({ clock, log }, { host: "127.0.0.1", port: 0, portFallback: 0 }, handler);

answerParent(
  {
    ready: () => undefined,
    port: () => listener.port,
    async stop() {
      await engine.stop("the run is over");
      handler.close();
      await listener.stop();
      await audit.stop();
    },
  },
  (): ServerState => ({
    connections: listener.connections(),
    running: engine.stats().running,
    faults: [...faultsIn(log.lines()), ...brokenLines()],
  }),
);
