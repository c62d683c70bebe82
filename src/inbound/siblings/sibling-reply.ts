// Owns reading what another session of the agent folder answered: its results as they are, and its errors as this server's own.

import { A2aError, ERRORS, type ErrorCode, type FieldViolation } from "../../core/platform/errors.ts";
import type { HttpResponse } from "../../core/platform/http-types.ts";
import { isObject, parseJson } from "../../core/platform/json.ts";

/** The result of the JSON-RPC reply in `text`. Throws the error that it holds, PEER_BAD_REPLY when it is none. */
export function resultOf(text: string, { headers }: Pick<HttpResponse, "headers">): unknown {
  const reply = parseReply(text);
  if (isObject(reply.error)) throw errorOf(reply.error, headers.get("retry-after"));
  if (!Object.hasOwn(reply, "result")) throw badReply();
  return reply.result;
}

function parseReply(text: string): Record<string, unknown> {
  try {
    const reply = parseJson(text);
    if (isObject(reply)) return reply;
  } catch {
    // Told below; what it was is nobody's business.
  }
  throw badReply();
}

function errorOf(error: Record<string, unknown>, retryAfter: string | undefined): A2aError {
  const details: readonly unknown[] = Array.isArray(error.data) ? error.data : [];
  const info = details.filter(isObject);
  const code = codeOf(info.find(({ reason }) => typeof reason === "string")?.reason);
  const seconds = Number(retryAfter);
  const violations = info.flatMap(({ fieldViolations }) => readViolations(fieldViolations));
  return new A2aError(code, typeof error.message === "string" ? error.message : "it gave no reason", {
    violations,
    metadata: readMetadata(info.find(({ metadata }) => isObject(metadata))?.metadata),
    ...(seconds > 0 ? { retryAfterSec: seconds } : {}),
  });
}

/** Each reason stands for one code; a newer version of this package may know more. */
function codeOf(reason: unknown): ErrorCode {
  const codes: readonly string[] = Object.keys(ERRORS);
  const isCode = (code: string): code is ErrorCode => codes.includes(code);
  return codes.filter(isCode).find((code) => ERRORS[code].reason === reason) ?? "INTERNAL";
}

function readViolations(value: unknown): FieldViolation[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((entry) => {
    if (!isObject(entry) || typeof entry.field !== "string" || typeof entry.description !== "string") return [];
    return [{ field: entry.field, description: entry.description }];
  });
}

function readMetadata(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text]] : [])),
  );
}

function badReply(): A2aError {
  return new A2aError("PEER_BAD_REPLY", "another session of this agent folder gave an answer that is none");
}
