// Reads what the guards and the routes need to know from a request's head, and nothing from its body.

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { TraceHeaders } from "../core/protocol/trace-context.ts";
import { classifyAddress } from "../core/security/address.ts";
import { canonicalAddress } from "../core/security/host-header.ts";
import { decodeIdentity } from "../core/security/identity.ts";
import { type Credentials, NO_CREDENTIALS, readCredentials } from "./admission/credentials.ts";

export interface RequestFacts {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  /** `A2A-Version` of the header, else of the query; undefined when absent or blank (A2A 1.0 §3.6). */
  readonly version: string | undefined;
  /** The uris of `A2A-Extensions` and of its older name, each once (A2A 1.0 §3.2.6). */
  readonly extensions: readonly string[];
  readonly trace: TraceHeaders;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** Bytes of the body; undefined when the request has none or does not say. */
  readonly contentLength: number | undefined;
  /** True when bytes of a body follow the head. */
  readonly hasBody: boolean;
  readonly expectsContinue: boolean;
  /** The caller's address; an IPv4 address mapped into IPv6 is written as IPv4. */
  readonly address: string;
  /** True when something between the caller and us says that it passed the request on. */
  readonly forwarded: boolean;
  /** `X-Forwarded-For`, as whoever sent the request wrote it. */
  readonly forwardedFor: string | undefined;
  readonly forwardedHost: string | undefined;
  readonly forwardedProto: string | undefined;
  /** What the caller calls itself, made one safe line; proves nothing. */
  readonly asserted: string | undefined;
  /** What the caller presents; never to be shown. */
  readonly credentials: Credentials;
}

const PROXY_HEADER = /^(?:x-forwarded(?:-.+)?|x-real-ip|forwarded|via)$/;

/** True for a program on this machine that called by itself. A forwarded request may come from anywhere. */
export function isLocalCaller({ address, forwarded }: RequestFacts): boolean {
  if (forwarded) return false;
  // Asked with every request, and the look-up in the table costs more than all the rest of admission.
  return address === "127.0.0.1" || address === "::1" || classifyAddress(address) === "loopback";
}

export function readFacts(request: IncomingMessage): RequestFacts {
  const { headers } = request;
  const target = splitTarget(request.url ?? "/");
  const contentLength = readLength(headers["content-length"]);
  return {
    method: request.method ?? "",
    path: target.path,
    version: filled(singleHeader(headers["a2a-version"])) ?? filled(queryValue(target.query, "A2A-Version")),
    extensions: listedExtensions(headers),
    trace: { traceparent: singleHeader(headers.traceparent), tracestate: singleHeader(headers.tracestate) },
    host: target.authority ?? headers.host,
    origin: headers.origin,
    contentType: headers["content-type"],
    contentEncoding: headers["content-encoding"],
    contentLength,
    hasBody: (contentLength ?? 0) > 0 || headers["transfer-encoding"] !== undefined,
    expectsContinue: headers.expect?.toLowerCase() === "100-continue",
    address: plainAddress(request.socket.remoteAddress),
    forwarded: isForwarded(headers),
    forwardedFor: joinedHeader(headers["x-forwarded-for"]),
    forwardedHost: joinedHeader(headers["x-forwarded-host"]),
    forwardedProto: joinedHeader(headers["x-forwarded-proto"]),
    asserted: decodeIdentity(singleHeader(headers["x-a2a-identity"])),
    credentials: credentialsOf(request),
  };
}

interface Target {
  /** Of the absolute form `http://host/path`, where it replaces the Host header (RFC 9112 §3.2.2). */
  readonly authority: string | undefined;
  readonly path: string;
  readonly query: string;
}

function splitTarget(url: string): Target {
  const absolute = /^https?:\/\/([^/?#]*)(.*)$/is.exec(url);
  const rest = absolute === null ? url : (absolute[2] ?? "");
  const mark = rest.indexOf("?");
  const path = mark === -1 ? rest : rest.slice(0, mark);
  return {
    authority: absolute?.[1],
    path: path === "" ? "/" : path,
    query: mark === -1 ? "" : rest.slice(mark + 1),
  };
}

function queryValue(query: string, name: string): string | undefined {
  return query === "" ? undefined : (new URLSearchParams(query).get(name) ?? undefined);
}

function filled(value: string | undefined): string | undefined {
  const trimmed = value?.trim();
  return trimmed === "" ? undefined : trimmed;
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  for (const name in headers) {
    // Most names begin with another letter, and no request is without any.
    if ("xfv".includes(name[0] ?? " ") && PROXY_HEADER.test(name)) return true;
  }
  return false;
}

function singleHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

function joinedHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(",");
}

function credentialsOf({ headers, rawHeaders }: IncomingMessage): Credentials {
  if (headers.authorization === undefined && headers["x-api-key"] === undefined) return NO_CREDENTIALS;
  return readCredentials(rawHeaders);
}

/** Header lines of the same name arrive joined by commas. */
function listedExtensions(headers: IncomingHttpHeaders): readonly string[] {
  const { "a2a-extensions": named, "x-a2a-extensions": olderNamed } = headers;
  if (named === undefined && olderNamed === undefined) return [];
  const values = [named, olderNamed].flatMap((value) => value ?? []);
  const uris = values.flatMap((value) => value.split(",")).map((uri) => uri.trim());
  return [...new Set(uris)].filter((uri) => uri !== "");
}

function readLength(value: string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function plainAddress(address: string | undefined): string {
  return address === undefined ? "unknown" : (canonicalAddress(address) ?? address);
}
