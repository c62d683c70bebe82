// Owns the one error class of the package and its code table: JSON-RPC code, HTTP status, retry flag and default hint
// (A2A 1.0 §3.3.2, §5.4). Everything thrown on purpose is an A2aError; a message never carries secrets or stack traces.

interface ErrorRow {
  /** JSON-RPC error code on the wire. */
  readonly rpc: number;
  /** HTTP status when the error answers a request; JSON-RPC errors travel with 200 except the few ruled otherwise. */
  readonly http: number;
  /** `reason` of google.rpc.ErrorInfo. */
  readonly reason: string;
  /** True when the same request may succeed later without a change. */
  readonly retry: boolean;
  /** What the reader of the message can do next. */
  readonly hint: string;
}

export const ERRORS = {
  PARSE_ERROR: row(-32700, 200, "PARSE_ERROR", false, "Send one JSON-RPC 2.0 request object as UTF-8 JSON."),
  INVALID_REQUEST: row(-32600, 200, "INVALID_REQUEST", false, 'Send {"jsonrpc":"2.0","id":…,"method":…,"params":…}.'),
  METHOD_NOT_FOUND: row(
    -32601,
    200,
    "METHOD_NOT_FOUND",
    false,
    "Use a method name of A2A 1.0, for example SendMessage.",
  ),
  INVALID_PARAMS: row(-32602, 200, "INVALID_PARAMS", false, "Correct the field that the message names."),
  INTERNAL: row(-32603, 200, "INTERNAL", true, "Try again; the log of the answering session has the details."),
  TASK_NOT_FOUND: row(-32001, 200, "TASK_NOT_FOUND", false, "Check the task id, and that the same credential is used."),
  TASK_NOT_CANCELABLE: row(-32002, 200, "TASK_NOT_CANCELABLE", false, "The task has ended; read it with GetTask."),
  PUSH_NOT_SUPPORTED: row(
    -32003,
    200,
    "PUSH_NOTIFICATION_NOT_SUPPORTED",
    false,
    "Poll with GetTask or subscribe instead.",
  ),
  UNSUPPORTED_OPERATION: row(-32004, 200, "UNSUPPORTED_OPERATION", false, "Read the agent card for what is offered."),
  CONTENT_TYPE_NOT_SUPPORTED: row(
    -32005,
    200,
    "CONTENT_TYPE_NOT_SUPPORTED",
    false,
    "Send Content-Type: application/json.",
  ),
  INVALID_AGENT_RESPONSE: row(-32006, 200, "INVALID_AGENT_RESPONSE", false, "The peer's reply does not follow A2A."),
  EXTENDED_CARD_NOT_CONFIGURED: row(-32007, 200, "EXTENDED_AGENT_CARD_NOT_CONFIGURED", false, "Use the public card."),
  EXTENSION_REQUIRED: row(-32008, 200, "EXTENSION_SUPPORT_REQUIRED", false, "List the extension in A2A-Extensions."),
  VERSION_NOT_SUPPORTED: row(-32009, 200, "VERSION_NOT_SUPPORTED", false, "Send the header A2A-Version: 1.0."),
  UNAUTHORIZED: row(
    -32050,
    401,
    "UNAUTHORIZED",
    false,
    "Send Authorization: Bearer <token> with a token of this server.",
  ),
  RATE_LIMITED: row(-32051, 429, "RATE_LIMITED", true, "Wait as long as Retry-After says."),
  FORBIDDEN: row(-32052, 403, "FORBIDDEN", false, "Call from an allowed host and origin, as a trusted peer."),
  BUSY: row(-32053, 503, "BUSY", true, "Wait for a running task to end, or raise a2a.server.maxConcurrent."),
  BODY_TOO_LARGE: row(-32600, 413, "BODY_TOO_LARGE", false, "Send a smaller body; pass large files by url."),
  BODY_TIMEOUT: row(-32600, 408, "BODY_TIMEOUT", true, "Send the whole body without long pauses."),
  NOT_STORED: row(-32603, 200, "NOT_STORED", true, "The answering session could not keep the task; check its disk."),
  SHUTTING_DOWN: row(-32053, 503, "SHUTTING_DOWN", true, "The server is stopping; try again later."),

  PEER_UNKNOWN: row(
    -32602,
    200,
    "PEER_UNKNOWN",
    false,
    "Give a URL, or add the peer under a2a.peers in settings.json.",
  ),
  PEER_UNREACHABLE: row(-32603, 200, "PEER_UNREACHABLE", true, "Check the URL and that the peer is running."),
  PEER_TIMEOUT: row(-32603, 200, "PEER_TIMEOUT", true, "Try again later, or raise the timeout."),
  PEER_REFUSED: row(-32603, 200, "PEER_REFUSED", false, "Read the peer's answer; check its token and its limits."),
  PEER_BAD_REPLY: row(
    -32603,
    200,
    "PEER_BAD_REPLY",
    false,
    "The address may not be an A2A endpoint; try /a2a-discover.",
  ),
  PEER_ERROR: row(-32603, 200, "PEER_ERROR", false, "The peer answered with an error; its text says why."),
  TASK_FAILED: row(-32603, 200, "TASK_FAILED", false, "The remote task did not succeed; its text says why."),
  ADDRESS_REFUSED: row(
    -32603,
    200,
    "ADDRESS_REFUSED",
    false,
    "Add the peer under a2a.peers, or type the address yourself.",
  ),
  HOPS_USED_UP: row(
    -32603,
    200,
    "HOPS_USED_UP",
    false,
    "Finish the task here; whoever gave it may ask the other agent instead.",
  ),
  CANCELLED: row(-32603, 200, "CANCELLED", false, "Repeat it if it is still wanted."),

  CONFIG_INVALID: row(-32603, 200, "CONFIG_INVALID", false, "Correct the setting that the message names."),
  PORT_UNAVAILABLE: row(-32603, 200, "PORT_UNAVAILABLE", true, "Free the port, or set a2a.server.port."),
  FILE_FAILED: row(-32603, 200, "FILE_FAILED", true, "Check that the folder exists and may be written."),
  SESSION_UNAVAILABLE: row(-32603, 200, "SESSION_UNAVAILABLE", true, "Start a Pi session first, then try again."),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** One field that made a request unacceptable; `field` is a path such as `message.parts[0].text`. */
export interface FieldViolation {
  readonly field: string;
  readonly description: string;
}

export interface ErrorDetails {
  /** Replaces the table's hint. */
  readonly hint?: string;
  /** The error that led here; stays in the process, never goes out on the wire. */
  readonly cause?: unknown;
  /** String facts for ErrorInfo.metadata, safe for the caller to see. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
  /** Seconds for Retry-After. */
  readonly retryAfterSec?: number;
}

const BRAND = Symbol.for("pi-a2a.error");

/** The package's only error. `message` is for people and callers, `hint` says what to do next. */
export class A2aError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly violations: readonly FieldViolation[];
  readonly retryAfterSec: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "A2aError";
    this.code = code;
    this.hint = details.hint ?? ERRORS[code].hint;
    this.metadata = details.metadata ?? {};
    this.violations = details.violations ?? [];
    this.retryAfterSec = details.retryAfterSec;
    Object.defineProperty(this, BRAND, { value: true });
  }
}

/** Tells an A2aError of any loaded copy of this module (reloads and child sessions load it again), optionally of one code. */
export function isA2aError(error: unknown, code?: ErrorCode): error is A2aError {
  if (!(error instanceof Error) || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

/** The error itself, or an INTERNAL one that keeps it as cause and says nothing of it to callers. */
export function toA2aError(error: unknown, code: ErrorCode = "INTERNAL", message = "internal error"): A2aError {
  return isA2aError(error) ? error : new A2aError(code, message, { cause: error });
}

/** One line of an unknown error for logs and local people, never for the wire. */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  return String(error);
}

function row(rpc: number, http: number, reason: string, retry: boolean, hint: string): ErrorRow {
  return { rpc, http, reason, retry, hint };
}
