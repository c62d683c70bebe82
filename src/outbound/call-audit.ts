// Owns what the audit hears of the outbound side: each message that goes to a peer and how that ends, and every other question.

import { isA2aError } from "../core/platform/errors.ts";
import type { AuditEntry } from "../core/ports.ts";
import { textPart } from "../core/protocol/text.ts";
import type { CallRequest, CallResult, Discovery } from "./client-types.ts";
import type { OutboundDeps, Target } from "./outbound-deps.ts";

/** What a call is about. */
export type Asking = Pick<AuditEntry, "method" | "taskId" | "contextId" | "preview">;

type Answer = CallResult | Discovery;

export function askingOf({ text, parts = [], taskId, contextId }: CallRequest): Asking {
  return { method: "SendMessage", preview: [textPart(text), ...parts], ...ids({ taskId, contextId }) };
}

/** Runs `work` and tells of its begin and end, or of its end alone when it only asks. */
export async function audited<T extends Answer>(
  { audit, clock }: Pick<OutboundDeps, "audit" | "clock">,
  { peer, trace }: Target,
  asking: Asking,
  work: () => Promise<T>,
): Promise<T> {
  if (audit === undefined) return await work();
  const { preview, ...about } = asking;
  const exchange = { direction: "out", identity: peer.name, ...about, ...traceOf(trace) } as const;
  const isMessage = preview !== undefined;
  const since = clock.monotonic();
  const end = (fields: Partial<AuditEntry>): void =>
    audit.record({ ...exchange, event: isMessage ? "outcome" : "call", ...fields, ms: clock.monotonic() - since });
  if (isMessage) audit.record({ ...exchange, event: "arrival", preview });
  try {
    const answer = await work();
    end(endOf(answer));
    return answer;
  } catch (error) {
    end(isA2aError(error) ? { error: error.code, ...ids(error.metadata) } : { error: "INTERNAL" });
    throw error;
  }
}

function endOf(answer: Answer): Partial<AuditEntry> {
  if (!("state" in answer)) return {};
  const { state, text } = answer;
  return { state, bytes: Buffer.byteLength(text), preview: [textPart(text)], ...ids(answer) };
}

function ids({ taskId, contextId }: { readonly taskId?: string | undefined; readonly contextId?: string | undefined }) {
  return { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
}

function traceOf(trace: Target["trace"]): Pick<AuditEntry, "traceparent"> {
  return trace === undefined ? {} : { traceparent: trace.traceparent };
}
