// Owns W3C Trace Context (level 1) as it travels in headers: the trace that an exchange belongs to is accepted, started when there
// is none or a broken one, and passed on to the calls that follow from it. Never sent to model providers.

import type { Ids } from "../platform/ids.ts";

export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`, valid. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** The two headers as they came; a repeated header arrives joined by commas. */
export interface TraceHeaders {
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
}

const MAX_STATE_CHARS = 512;
const MAX_STATE_MEMBERS = 32;
/** Callers may have recorded it: our own audit does. */
const SAMPLED = "01";
const LENGTH = 55;
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const STATE_MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;

/** The trace of a request by its headers, else a new one. `tracestate` counts only beside a valid `traceparent`. */
export function readTrace({ traceparent, tracestate }: TraceHeaders, ids: Pick<Ids, "span">): TraceContext {
  const given = readTraceparent(traceparent);
  if (given === undefined) return { traceparent: traceparentOf(ids.span() + ids.span(), ids.span(), SAMPLED) };
  const state = readTracestate(tracestate);
  return { traceparent: given, ...(state === undefined ? {} : { tracestate: state }) };
}

/** The same trace for a call that follows from it, under a span of its own; a new trace when there is none. */
export function nextTrace(trace: TraceHeaders, ids: Pick<Ids, "span">): TraceContext {
  const { traceparent, ...state } = readTrace(trace, ids);
  const [, traceId = "", , flags = SAMPLED] = traceparent.split("-");
  return { traceparent: traceparentOf(traceId, ids.span(), flags), ...state };
}

/** As headers of a request; none without a trace. */
export function traceHeaders(trace: TraceContext | undefined): Readonly<Record<string, string>> {
  if (trace === undefined) return {};
  const { traceparent, tracestate } = trace;
  return { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
}

/** In version 00, whatever later version it came in: that one may only add to the end. */
function readTraceparent(header: string | undefined): string | undefined {
  const text = header?.trim() ?? "";
  const [, version, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(text.slice(0, LENGTH)) ?? [];
  if (version === undefined || version === "ff" || isZero(traceId) || isZero(spanId)) return undefined;
  if (text.length > LENGTH && (version === "00" || text[LENGTH] !== "-")) return undefined;
  return traceparentOf(traceId, spanId, flags);
}

function readTracestate(header: string | undefined): string | undefined {
  if (header === undefined || header.length > MAX_STATE_CHARS) return undefined;
  const members = header.split(",").map((member) => member.trim());
  const filled = members.filter((member) => member !== "");
  if (filled.length === 0 || filled.length > MAX_STATE_MEMBERS) return undefined;
  return filled.every((member) => STATE_MEMBER.test(member)) ? filled.join(",") : undefined;
}

function traceparentOf(traceId: string, spanId: string, flags: string): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

function isZero(hex: string): boolean {
  return /^0*$/.test(hex);
}
