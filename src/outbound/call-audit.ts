// Owns what the audit hears of the outbound side: each message that goes to a peer and how that ends, and every other question.

import { isA2aError } from "../core/platform/errors.ts";
import type { AuditEntry } from "../core/ports.ts";
import { textPart } from "../core/protocol/text.ts";
import type { TraceContext } from "../core/protocol/trace-context.ts";
import type { CallRequest, CallResult, Discovery } from "./client-types.ts";
import type { LoginNote } from "./login-refusal.ts";
import type { OutboundDeps } from "./outbound-deps.ts";

/** What a call is about. */
export type Asking = Pick<AuditEntry, "method" | "taskId" | "contextId" | "preview">;

type Answer = CallResult | Discovery;

export function askingOf({ text, parts = [], taskId, contextId }: CallRequest): Asking {
  return { method: "SendMessage", preview: [textPart(text), ...parts], ...ids({ taskId, contextId }) };
}

/** One call as the audit hears of it. */
export interface ExchangeAudit {
  /** Hears of each request what of a login went along; the last one counts. */
  readonly onLogin: (note: LoginNote) => void;
  /** Runs `work` and tells of its begin and end, or of its end alone when it only asks. */
  follow<T extends Answer>(peer: string, work: () => Promise<T>): Promise<T>;
}

export function startCallAudit(
  { audit, clock }: Pick<OutboundDeps, "audit" | "clock">,
  { preview, ...about }: Asking,
  { traceparent }: TraceContext,
): ExchangeAudit {
  let login: LoginNote | undefined;
  const isMessage = preview !== undefined;
  const since = clock.monotonic();
  const record = (entry: Pick<AuditEntry, "event" | "identity"> & Partial<AuditEntry>): void =>
    audit?.record({ direction: "out", ...about, traceparent, ...entry });
  const end = (identity: string, fields: Partial<AuditEntry>): void =>
    record({
      ...{ event: isMessage ? "outcome" : "call", identity, ...fields, ms: clock.monotonic() - since },
      ...(login === undefined ? {} : { credential: credentialText(login) }),
    });
  return {
    onLogin(note) {
      login = note;
    },
    async follow(peer, work) {
      if (isMessage) record({ event: "arrival", identity: peer, preview });
      try {
        const answer = await work();
        end(peer, endOf(answer));
        return answer;
      } catch (error) {
        end(peer, isA2aError(error) ? { error: error.code, ...ids(error.metadata) } : { error: "INTERNAL" });
        throw error;
      }
    },
  };
}

function credentialText({ sent, withheld }: LoginNote): string {
  if (sent !== undefined) return sent;
  return withheld === undefined ? "none" : `none: ${withheld}`;
}

function endOf(answer: Answer): Partial<AuditEntry> {
  if (!("state" in answer)) return {};
  const { state, text } = answer;
  return { state, bytes: Buffer.byteLength(text), preview: [textPart(text)], ...ids(answer) };
}

function ids({ taskId, contextId }: { readonly taskId?: string | undefined; readonly contextId?: string | undefined }) {
  return { ...(taskId === undefined ? {} : { taskId }), ...(contextId === undefined ? {} : { contextId }) };
}
