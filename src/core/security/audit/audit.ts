// Owns the audit (README: Safety): takes entries from the request's path without any work, and writes them a moment later into one
// file of the agent folder that all sessions share. Whatever becomes of the file, no task ever fails for it.

import { type Clock, createIsoTimes, type Timer } from "../../platform/clock.ts";
import type { SharedLog } from "../../platform/shared-log.ts";
import type { Audit, AuditEntry } from "../../ports.ts";
import type { Redaction } from "../redact/redaction.ts";
import { auditLine, countLine, lostLine, shortened, withoutPreview } from "./audit-line.ts";
import { createFloodGate } from "./flood-gate.ts";
import { LineWriter } from "./line-writer.ts";

/** How long equal lines of one source are counted together. */
export const COUNT_MS = 60_000;
/** How many of one source are written in that time, before the others are counted. */
export const FIRST_REFUSALS = 5;
const FIRST_CALLS = 20;
const FIRST_READS = 1;
/** Asked over and over by whoever waits for a task, and changes nothing. */
const READ = /^(?:Get|List|Subscribe)|\/(?:get|list|subscribe|resubscribe)/;

export interface RunningAudit extends Audit {
  readonly path: string;
  /** Why lines are not written now; undefined while all is well. */
  problem(): string | undefined;
  /** Writes what is there, and waits for others for a second at most. Nothing is recorded after it. */
  stop(): Promise<void>;
}

export interface AuditDeps {
  readonly clock: Clock;
  readonly log: SharedLog;
  readonly redaction: Redaction;
  /** Hears once, when lines cannot be written for the first time. */
  readonly warn: (text: string) => void;
}

export function startAudit({ clock, log, redaction, warn }: AuditDeps): RunningAudit {
  const timeOf = createIsoTimes();
  const gate = createFloodGate<AuditEntry>();
  const writer = new LineWriter({
    clock,
    log,
    warn: (problem) => warn(`The audit is not written: ${problem}`),
    lostLine: (count) => lostLine(count, clock.now()),
  });
  let counting: Timer | undefined;
  let stopped = false;

  const writeCounts = (): void => {
    counting?.stop();
    counting = undefined;
    const at = clock.now();
    for (const counted of gate.take()) writer.add(() => countLine(counted, at, redaction));
  };
  return {
    path: log.path,
    problem: () => writer.problem,
    record(entry) {
      if (stopped) return;
      const at = clock.now();
      const kept = shortened(entry);
      const flood = floodOf(kept);
      if (flood !== undefined) {
        counting ??= clock.after(COUNT_MS, writeCounts);
        if (!gate.admit({ ...flood, line: kept, at })) return;
      }
      writer.add((rush) => auditLine(rush ? withoutPreview(kept) : kept, timeOf(at), redaction));
    },
    async stop() {
      stopped = true;
      writeCounts();
      await writer.stop();
    },
  };
}

/** Messages are never counted only: they are what the audit is for, and other limits bound them. */
function floodOf(entry: AuditEntry): { readonly source: string; readonly most: number } | undefined {
  const { event, direction, identity, principal = identity, method = "" } = entry;
  switch (event) {
    case "arrival":
    case "outcome":
      return undefined;
    case "refused":
      return { source: `${direction} refused ${principal}`, most: FIRST_REFUSALS };
    case "resend":
      return { source: `${direction} resend ${principal}`, most: FIRST_CALLS };
    case "call":
      return { source: `${direction} ${method} ${principal}`, most: READ.test(method) ? FIRST_READS : FIRST_CALLS };
    default:
      return event satisfies never;
  }
}
