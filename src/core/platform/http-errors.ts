// Owns how faults of a connection become A2aErrors, and which of them prove that the request never left this process.
// Messages name host and port, never a path or a query, which may carry secrets.

import { A2aError, type ErrorDetails, isA2aError } from "./errors.ts";

/** Faults before the request left that may be gone a moment later. */
const PASSING = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENETDOWN",
  "EADDRNOTAVAIL",
]);

const TOO_LARGE = "too large";

/** True when an answer was larger than its request allowed. */
export function isTooLarge(error: unknown): error is A2aError {
  return isA2aError(error, "PEER_BAD_REPLY") && error.metadata.fault === TOO_LARGE;
}

/** True when the failed request surely was not taken by the peer and a second try makes sense. */
export function mayTryAgain(error: unknown): boolean {
  return (
    isA2aError(error, "PEER_UNREACHABLE") && error.metadata.sent === "no" && PASSING.has(error.metadata.fault ?? "")
  );
}

/** The error of a request that could not be sent: no connection, or one that was closed before the first byte. */
export function notSent(host: string, fault: unknown): A2aError {
  if (isA2aError(fault)) return fault;
  const code = faultCode(fault);
  const metadata = { sent: "no", fault: code };
  return new A2aError("PEER_UNREACHABLE", `no connection to ${host}: ${notSentText(code, fault)}`, {
    cause: fault,
    metadata,
    ...notSentHint(code),
  });
}

/** The error of a request that was sent and whose answer did not come whole; the peer may have taken it. */
export function cutShort(host: string, fault: unknown, answering: boolean): A2aError {
  if (isA2aError(fault)) return fault;
  const code = faultCode(fault);
  if (code.startsWith("HPE_")) {
    return new A2aError("PEER_BAD_REPLY", `${host} did not answer in HTTP (${code})`, { cause: fault });
  }
  const when = answering ? "in the middle of its answer" : "before it answered";
  return new A2aError("PEER_UNREACHABLE", `${host} closed the connection ${when} (${code})`, {
    cause: fault,
    hint: "The peer may have taken the request; check there before sending it again.",
    metadata: { fault: code },
  });
}

export function connectTimedOut(host: string, timeoutMs: number): A2aError {
  return new A2aError("PEER_UNREACHABLE", `no connection to ${host} within ${timeoutMs / 1000} s`, {
    metadata: { sent: "no", fault: "timeout" },
  });
}

export function silentFor(host: string, idleMs: number): A2aError {
  return new A2aError("PEER_TIMEOUT", `${host} sent nothing for ${idleMs / 1000} s`);
}

export function tooLarge(host: string, maxBytes: number): A2aError {
  return new A2aError("PEER_BAD_REPLY", `the answer of ${host} is larger than ${maxBytes / 1024 / 1024} MiB`, {
    hint: "The answer was not read further; ask the peer for less at a time.",
    metadata: { fault: TOO_LARGE },
  });
}

/** What an aborted signal means: its reason when that says so, else CANCELLED. */
export function abortError(signal: AbortSignal): A2aError {
  const reason: unknown = signal.reason;
  return isA2aError(reason) ? reason : new A2aError("CANCELLED", "the request was stopped from this side");
}

function notSentText(code: string, fault: unknown): string {
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there (ECONNREFUSED)";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `the host name cannot be resolved (${code})`;
    default:
      return fault instanceof Error && fault.message !== "" ? `${fault.message} (${code})` : code;
  }
}

function notSentHint(code: string): Pick<ErrorDetails, "hint"> {
  if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER") {
    return { hint: "The peer may not speak TLS; try its address with http://." };
  }
  return {};
}

function faultCode(fault: unknown): string {
  if (fault instanceof Error && "code" in fault && typeof fault.code === "string") return fault.code;
  return "unknown fault";
}
