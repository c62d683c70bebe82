import assert from "node:assert/strict";
import { createSystemClock } from "../../../../../src/core/platform/clock.ts";
import { A2aError } from "../../../../../src/core/platform/errors.ts";
import type { SharedLog } from "../../../../../src/core/platform/shared-log.ts";
import type { AuditEntry } from "../../../../../src/core/ports.ts";
import {
  COUNT_MS,
  FIRST_REFUSALS,
  type RunningAudit,
  startAudit,
} from "../../../../../src/core/security/audit/audit.ts";
import { FLUSH_MS, MAX_WAITING, RETRY_MS, RUSH } from "../../../../../src/core/security/audit/line-writer.ts";
import { createRedaction } from "../../../../../src/core/security/redact/redaction.ts";
import { createFakeClock, type FakeClock } from "../../../../support/fake-clock.ts";
import { nextTurn } from "../../../../support/outbound-rig.ts";

interface FakeLog extends SharedLog {
  readonly batches: string[];
  /** What the next additions fail with. */
  failure: string | undefined;
  /** How long an addition takes. */
  tookMs: number;
  /** Additions wait while it is there. */
  gate: Promise<void> | undefined;
}

function createFakeLog(clock: FakeClock): FakeLog {
  const log: FakeLog = {
    path: "/agent/a2a_audit.jsonl",
    batches: [],
    failure: undefined,
    tookMs: 0,
    gate: undefined,
    async append(lines) {
      await log.gate;
      clock.tick(log.tookMs);
      if (log.failure !== undefined) throw new A2aError("FILE_FAILED", log.failure);
      log.batches.push(lines);
    },
  };
  return log;
}

describe("audit", () => {
  let clock: FakeClock;
  let log: FakeLog;
  let audit: RunningAudit;
  let warnings: string[];
  beforeEach(() => {
    clock = { ...createFakeClock(), defer: createSystemClock().defer };
    log = createFakeLog(clock);
    warnings = [];
    audit = startAudit({ clock, log, redaction: createRedaction(), warn: (text) => void warnings.push(text) });
  });
  afterEach(async () => {
    await audit.stop();
    assert.equal(clock.pending(), 0, "timers left");
  });

  const record = (fields: Partial<AuditEntry> = {}, times = 1): void => {
    for (let time = 0; time < times; time++) {
      audit.record({ direction: "in", event: "arrival", identity: "alice", ...fields });
    }
  };
  const passes = async (ms: number): Promise<void> => {
    clock.tick(ms);
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  };
  const lines = (): Record<string, unknown>[] =>
    log.batches.flatMap((batch) => batch.split("\n").filter((line) => line !== "")).map((line) => JSON.parse(line));

  it("writes what came together in one batch, a moment later", async () => {
    record({ method: "SendMessage" });
    record({ event: "outcome" });
    assert.deepEqual(log.batches, []);
    await passes(FLUSH_MS);
    assert.equal(log.batches.length, 1);
    assert.deepEqual(
      lines().map(({ event }) => event),
      ["arrival", "outcome"],
    );
  });

  it("has no timer while there is nothing to write", async () => {
    assert.equal(clock.pending(), 0);
    record();
    await passes(FLUSH_MS);
    assert.equal(clock.pending(), 0);
  });

  it("writes at its stop what is still there, and nothing that comes later", async () => {
    record({ taskId: "one" });
    record({ event: "refused", error: "UNAUTHORIZED" }, FIRST_REFUSALS + 2);
    await audit.stop();
    record({ taskId: "late" });
    await passes(COUNT_MS);
    assert.equal(lines()[0]?.taskId, "one");
    assert.equal(lines().at(-1)?.text, "2 more refused in 1 s");
  });

  it("stops within a second although another session holds the file", async () => {
    let open = (): void => undefined;
    log.gate = new Promise((resolve) => {
      open = resolve;
    });
    record();
    await passes(FLUSH_MS);
    const stopping = audit.stop();
    await passes(1000);
    await stopping;
    open();
  });

  it("counts refusals of one source beyond the first, and tells them apart from those of others (X03)", async () => {
    record({ event: "refused", identity: "ip:192.0.2.1", error: "UNAUTHORIZED" }, 1000);
    record({ event: "refused", identity: "ip:192.0.2.2", error: "UNAUTHORIZED" });
    await passes(FLUSH_MS);
    assert.equal(lines().length, FIRST_REFUSALS + 1);
    await passes(COUNT_MS + FLUSH_MS);
    const { event, identity, count, text } = lines().at(-1) ?? {};
    assert.deepEqual([event, identity, count], ["counted", "ip:192.0.2.1", 1000 - FIRST_REFUSALS]);
    assert.match(String(text), /^995 more refused in 60 s$/);
    record({ event: "refused", identity: "ip:192.0.2.1", error: "UNAUTHORIZED" });
    await passes(FLUSH_MS);
    assert.equal(lines().at(-1)?.event, "refused");
  });

  it("writes the first poll of a caller and counts the others, and counts no message", async () => {
    record({ event: "call", method: "GetTask", principal: "peer:alice" }, 50);
    record({ event: "call", method: "CancelTask", principal: "peer:alice" }, 3);
    record({ event: "arrival", method: "SendMessage" }, 30);
    await passes(FLUSH_MS);
    const methods = lines().map(({ method }) => method);
    assert.equal(methods.filter((method) => method === "GetTask").length, 1);
    assert.equal(methods.filter((method) => method === "CancelTask").length, 3);
    assert.equal(methods.filter((method) => method === "SendMessage").length, 30);
    await passes(COUNT_MS + FLUSH_MS);
    assert.equal(lines().at(-1)?.text, "49 more calls in 60 s");
  });

  it("writes the first resends of a caller and counts the others", async () => {
    record({ event: "resend", method: "SendMessage", principal: "peer:alice" }, 30);
    await passes(FLUSH_MS);
    assert.equal(lines().length, 20);
    await passes(COUNT_MS + FLUSH_MS);
    assert.equal(lines().at(-1)?.text, "10 more resends in 60 s");
  });

  it("warns once of a file that cannot be written, keeps the lines, and writes them once it can", async () => {
    log.failure = "cannot write /agent/a2a_audit.jsonl: ENOSPC: no space left on device";
    record({ taskId: "one" });
    await passes(FLUSH_MS);
    record({ taskId: "two" });
    await passes(RETRY_MS);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /^The audit is not written: .*ENOSPC/);
    assert.match(audit.problem() ?? "", /ENOSPC/);
    log.failure = undefined;
    await passes(RETRY_MS);
    assert.deepEqual(
      lines().map(({ taskId }) => taskId),
      ["one", "two"],
    );
    assert.equal(audit.problem(), undefined);
    log.failure = "again";
    record();
    await passes(FLUSH_MS);
    assert.equal(warnings.length, 1);
    log.failure = undefined;
  });

  it("writes many lines that came together at once, also those that are made in several turns", async () => {
    record({}, 180);
    clock.tick(FLUSH_MS);
    while (lines().length < 180) await nextTurn();
    assert.equal(log.batches.length, 1);
  });

  it("waits longer for the next write when one has taken long, but not while lines pile up", async () => {
    log.tookMs = 30;
    record();
    await passes(FLUSH_MS);
    assert.equal(log.batches.length, 1);
    record();
    await passes(20 * log.tookMs - 1);
    assert.equal(log.batches.length, 1);
    await passes(1);
    assert.equal(log.batches.length, 2);
    record({}, MAX_WAITING / 2);
    for (let turn = 0; turn < 10; turn++) await passes(0);
    assert.equal(log.batches.length, 3);
  });

  it("leaves previews out in a rush, and nothing else", async () => {
    record({ taskId: "one", preview: [{ text: "hello" }] }, RUSH + 1);
    clock.tick(FLUSH_MS);
    while (lines().length < RUSH + 1) await nextTurn();
    const { taskId, preview } = lines()[0] ?? {};
    assert.deepEqual([taskId, preview], ["one", undefined]);
    record({ taskId: "two", preview: [{ text: "hello" }] }, 2);
    await passes(FLUSH_MS);
    assert.equal(lines().at(-1)?.preview, "hello");
  });

  it("is bounded while the file cannot be written, and says how many lines are missing", async () => {
    log.failure = "full";
    record({}, MAX_WAITING + 7);
    await passes(FLUSH_MS);
    log.failure = undefined;
    record();
    clock.tick(RETRY_MS);
    while (lines().length < MAX_WAITING + 1) await nextTurn();
    assert.equal(lines().filter(({ event }) => event === "arrival").length, MAX_WAITING);
    const { event, count } = lines().find((line) => line.event === "lost") ?? {};
    assert.deepEqual([event, count], ["lost", 8]);
  });
});
