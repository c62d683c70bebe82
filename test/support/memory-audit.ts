// An audit that keeps what it is told, for tests that look at what was recorded.

import type { Audit, AuditEntry } from "../../src/core/ports.ts";

export interface MemoryAudit extends Audit {
  readonly entries: readonly AuditEntry[];
}

export function createMemoryAudit(): MemoryAudit {
  const entries: AuditEntry[] = [];
  return { entries, record: (entry) => void entries.push(entry) };
}
