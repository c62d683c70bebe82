// The checks that a request's head must pass before a byte of its body is read: host, origin, method, content type, in this
// order, and after admission the length. Pure functions over facts; each returns a refusal or nothing.

import { A2aError } from "../core/platform/errors.ts";
import { isLoopbackHostHeader, originIsOwn } from "../core/security/address.ts";
import { isHostHeader } from "../core/security/host-header.ts";
import { ownOrigins } from "./admission/own-address.ts";
import { MAX_BODY_BYTES, tooLarge } from "./body.ts";
import type { RequestFacts } from "./request-facts.ts";

/** Why a request is not served; `status` replaces the HTTP status of the error's code. */
export interface Refusal {
  readonly error: A2aError;
  readonly status?: number;
  /** Header names and values in turn. */
  readonly headers?: readonly string[];
}

/** What the guards must know of the rules of admission. */
export interface HeadRules {
  /** True when callers log in: no web page that makes its name point here knows a token. */
  readonly anyHost: boolean;
  readonly publicUrl: string;
}

type Guard = (facts: RequestFacts, rules: HeadRules) => Refusal | undefined;

const METHODS = ["GET", "HEAD", "POST"];
const JSON_TYPES = ["application/json", "application/a2a+json"];
const UTF8_NAMES = ["utf-8", "utf8"];

const GUARDS: readonly Guard[] = [checkHost, checkOrigin, checkMethod, checkContentType, checkContentEncoding];

/** The first refusal, or undefined when the request may be served. */
export function refusalOf(facts: RequestFacts, rules: HeadRules): Refusal | undefined {
  for (const guard of GUARDS) {
    const refusal = guard(facts, rules);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Without tokens only loopback names are served, so that a web page cannot come in by a name that it rebinds. */
function checkHost({ host }: RequestFacts, { anyHost }: HeadRules): Refusal | undefined {
  if (anyHost ? isHostHeader(host) : isLoopbackHostHeader(host)) return undefined;
  const given = host === undefined ? "a request without Host" : `host ${quoted(host)}`;
  return {
    error: new A2aError(
      "FORBIDDEN",
      anyHost ? `${given} is not served` : `${given} is not served; without a token only loopback names are`,
    ),
  };
}

/** Browsers name the page that calls; the only page allowed is one of this server. */
function checkOrigin({ host = "", origin }: RequestFacts, { publicUrl }: HeadRules): Refusal | undefined {
  if (origin === undefined || originIsOwn(origin, ownOrigins(host, publicUrl))) return undefined;
  return { error: new A2aError("FORBIDDEN", `origin ${quoted(origin)} is not this server's own`) };
}

function checkMethod({ method }: RequestFacts): Refusal | undefined {
  if (METHODS.includes(method)) return undefined;
  return {
    error: new A2aError("INVALID_REQUEST", `HTTP method ${method} is not served`, {
      hint: "POST JSON-RPC 2.0 to /, or GET /.well-known/agent-card.json.",
    }),
    status: 405,
    headers: ["Allow", METHODS.join(", ")],
  };
}

function checkContentType({ method, contentType }: RequestFacts): Refusal | undefined {
  if (method !== "POST" || contentType === "application/json") return undefined;
  const [type = "", ...parameters] = (contentType ?? "").split(";").map((piece) => piece.trim().toLowerCase());
  if (!JSON_TYPES.includes(type)) {
    const given = contentType === undefined ? "no content type" : `content type ${quoted(contentType)}`;
    return unsupported(`${given} was sent; only application/json is read`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length);
  if (charset === undefined || UTF8_NAMES.includes(charset.replace(/^"(.*)"$/, "$1"))) return undefined;
  return unsupported(`charset ${quoted(charset)} was sent; only utf-8 is read`);
}

function checkContentEncoding({ method, contentEncoding }: RequestFacts): Refusal | undefined {
  if (method !== "POST" || contentEncoding === undefined || contentEncoding.toLowerCase() === "identity") {
    return undefined;
  }
  return unsupported(`content encoding ${quoted(contentEncoding)} was sent; only plain bodies are read`);
}

/** After admission: whoever is not let in is not told how much others may send. */
export function lengthRefusalOf({ contentLength }: RequestFacts): Refusal | undefined {
  if (contentLength === undefined || contentLength <= MAX_BODY_BYTES) return undefined;
  return { error: tooLarge(String(contentLength)) };
}

function unsupported(message: string): Refusal {
  return { error: new A2aError("CONTENT_TYPE_NOT_SUPPORTED", message) };
}

/** Text of the caller inside a message: short, and on one line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}
