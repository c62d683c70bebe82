// Owns what a line of the audit looks like: one JSON object, its fields always in the same order, what others wrote without secrets
// and control letters. Pure.

import { changed } from "../../platform/changed.ts";
import { isoTime } from "../../platform/clock.ts";
import type { AuditEntry } from "../../ports.ts";
import { partsToText } from "../../protocol/text.ts";
import type { Part } from "../../protocol/types.ts";
import type { Redaction } from "../redact/redaction.ts";
import { oneLine } from "../sanitize.ts";
import type { Counted } from "./flood-gate.ts";

/** Letters of a preview. */
export const PREVIEW = 300;
/** Letters that are looked at for one: enough for a line that begins with blanks, few enough to cost little. */
const WINDOW = 600;
const NAME = 100;
const ID = 128;
/** Ids that this package makes and names of methods; anything else may be whatever its sender likes. */
const HARMLESS =
  /^(?:(?:task|ctx)-[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:Send|Get|List|Cancel|Subscribe|Create|Delete)[A-Za-z]{1,40}|(?:message|tasks|agent)\/[A-Za-z]{1,30}(?:\/[a-z]{1,10})?)$/;

/** The entry with no more of its texts than a line can hold, and nothing that keeps the rest of them in memory. */
export function shortened(entry: AuditEntry): AuditEntry {
  const { preview, asserted, method, taskId, contextId } = entry;
  if (isShort(asserted) && isShort(method) && isShort(taskId) && isShort(contextId)) {
    return preview === undefined ? entry : changed(entry, { preview: [{ text: detached(startOf(preview)) }] });
  }
  return {
    ...entry,
    ...(asserted === undefined ? {} : { asserted: detached(asserted) }),
    ...(method === undefined ? {} : { method: detached(method) }),
    ...(taskId === undefined ? {} : { taskId: detached(taskId) }),
    ...(contextId === undefined ? {} : { contextId: detached(contextId) }),
    ...(preview === undefined ? {} : { preview: [{ text: detached(startOf(preview)) }] }),
  };
}

/** To take the secrets out of a preview is most of what a line costs. */
export function withoutPreview({ preview: _preview, ...entry }: AuditEntry): AuditEntry {
  return entry;
}

function isShort(text: string | undefined): boolean {
  return text === undefined || text.length <= 2 * ID;
}

/** A slice of a long text would keep all of it. */
function detached(text: string): string {
  return isShort(text) ? text : Buffer.from(text.slice(0, WINDOW + 1)).toString();
}

/** The shortened entry as JSON with its newline; `ts` is its time in ISO 8601. */
export function auditLine(entry: AuditEntry, ts: string, redaction: Redaction): string {
  return lineOf(ts, entry, entry.event, fieldsOf(entry, redaction));
}

/** Says how many more there were like the one that was written last. */
export function countLine({ like, count, since }: Counted<AuditEntry>, at: number, redaction: Redaction): string {
  const { principal, method, error } = fieldsOf(like, redaction);
  const what = like.event === "refused" ? "refused" : like.event === "resend" ? "resends" : "calls";
  const text = `${count} more ${what} in ${Math.max(1, Math.round((at - since) / 1000))} s`;
  return lineOf(isoTime(at), like, "counted", {
    principal,
    method: what === "calls" ? method : undefined,
    error,
    count,
    text,
  });
}

/** Says that lines are missing here, because the file could not be written. */
export function lostLine(count: number, at: number): string {
  return `${JSON.stringify({ ts: isoTime(at), event: "lost", count, text: `${count} lines could not be written` })}\n`;
}

function lineOf(ts: string, { direction, identity }: AuditEntry, event: string, fields: object): string {
  return `${JSON.stringify({ ts, direction, event, identity: oneLine(identity, NAME), ...fields })}\n`;
}

/** Without `undefined` once it is JSON. */
function fieldsOf(entry: AuditEntry, redaction: Redaction) {
  const { principal, asserted, method, taskId, contextId, traceparent, state, error, credential, preview } = entry;
  return {
    principal,
    asserted: foreign(asserted, NAME, redaction),
    method: foreign(method, NAME, redaction),
    taskId: foreign(taskId, ID, redaction),
    contextId: foreign(contextId, ID, redaction),
    traceparent,
    state,
    ms: entry.ms === undefined ? undefined : Math.round(entry.ms),
    bytes: entry.bytes,
    error,
    credential,
    preview: preview === undefined ? undefined : oneLine(redactedStart(partsToText(preview), redaction), PREVIEW),
  };
}

function foreign(text: string | undefined, max: number, redaction: Redaction): string | undefined {
  return text === undefined || HARMLESS.test(text) ? text : oneLine(redactedStart(text, redaction), max);
}

/** A text that goes on is treated as a stream, which gives nothing that may be the beginning of a secret. */
function redactedStart(text: string, redaction: Redaction): string {
  return text.length <= WINDOW ? redaction.text(text) : redaction.stream().push(text.slice(0, WINDOW));
}

/** The beginning of what the parts say, a letter longer than the window where there is more. */
function startOf(parts: readonly Part[]): string {
  let start = "";
  for (const part of parts) {
    if (start.length > WINDOW) break;
    start += `${start === "" ? "" : " "}${shortly(part).slice(0, WINDOW + 1)}`;
  }
  return start.trimStart();
}

function shortly(part: Part): string {
  if ("text" in part) return part.text.trimStart();
  if ("data" in part) return "[data]";
  return `[file${part.filename === undefined ? "" : ` ${part.filename}`}]`;
}
