// Owns where the audit of this agent folder is kept, and how large it gets. Opens nothing: the file begins with its first line.

import { join } from "node:path";
import type { Clock } from "../../core/platform/clock.ts";
import type { Log } from "../../core/platform/log.ts";
import { createSharedLog } from "../../core/platform/shared-log.ts";
import { type RunningAudit, startAudit } from "../../core/security/audit/audit.ts";
import type { Redaction } from "../../core/security/redact/redaction.ts";
import type { Display } from "../ui/activity-feed.ts";

const NAME = "a2a_audit.jsonl";
const MAX_BYTES = 5 * 1024 * 1024;

export interface AuditFileDeps {
  readonly agentDir: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly redaction: Redaction;
  /** The person hears when nothing can be kept. */
  readonly host: Pick<Display, "toast">;
}

export function openAudit({ agentDir, clock, host, log, redaction }: AuditFileDeps): RunningAudit {
  const warn = (text: string): void => {
    log.warn(text);
    host.toast(text, "warning");
  };
  const file = createSharedLog(clock, { path: join(agentDir, NAME), maxBytes: MAX_BYTES });
  return startAudit({ clock, log: file, redaction, warn });
}
