// Owns the JSON-RPC 2.0 envelope in both directions (A2A 1.0 §9): requests in, results and errors out, and the reply of a
// peer. Knows nothing of methods and params; never puts a cause, a stack or a hint on the wire.

import { A2aError, ERRORS } from "../platform/errors.ts";
import { describe, isObject, outline } from "../platform/json.ts";

export type RpcId = string | number | null;

export interface RpcRequest {
  /** undefined marks a notification, which gets no reply. */
  readonly id: RpcId | undefined;
  readonly method: string;
  readonly params: unknown;
}

const LONGEST_ID = 1024;
const LONGEST_PEER_TEXT = 2000;
const ERROR_DOMAIN = "a2a-protocol.org";
const TYPE_PREFIX = "type.googleapis.com/google.rpc.";

/** Reads one request; INVALID_REQUEST for everything that is not a JSON-RPC 2.0 request object. */
export function decodeRpcRequest(value: unknown): RpcRequest {
  if (Array.isArray(value)) throw invalid("batches are not supported");
  if (!isObject(value)) throw invalid(`a request must be an object, not ${describe(value)}`);
  if (value.jsonrpc !== "2.0") throw invalid(`jsonrpc must be "2.0", not ${describe(value.jsonrpc)}`);
  const id = value.id;
  if (id !== undefined && !isRpcId(id)) {
    throw invalid(`id must be null, a string of at most ${LONGEST_ID} characters, or a number that JSON keeps exactly`);
  }
  const method = value.method;
  if (typeof method !== "string") throw invalid(`method must be a string, not ${describe(method)}`);
  return { id, method, params: value.params };
}

/** The id that a reply to this value has to carry, null when there is no valid one; never throws. */
export function readRpcId(value: unknown): RpcId {
  if (!isObject(value)) return null;
  const id = value.id;
  return isRpcId(id) ? id : null;
}

/** A reply around a result that already is JSON text. */
export function encodeRpcResult(id: RpcId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

/** A reply with the error's code, message, ErrorInfo and field violations (A2A 1.0 §9.5). */
export function encodeRpcError(id: RpcId, error: A2aError): string {
  const { rpc, reason } = ERRORS[error.code];
  const info = { "@type": `${TYPE_PREFIX}ErrorInfo`, reason, domain: ERROR_DOMAIN };
  const data: object[] = [Object.keys(error.metadata).length === 0 ? info : { ...info, metadata: error.metadata }];
  if (error.violations.length > 0) {
    const fieldViolations = error.violations.map(({ field, description }) => ({ field, description }));
    data.push({ "@type": `${TYPE_PREFIX}BadRequest`, fieldViolations });
  }
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: rpc, message: error.message, data } });
}

/**
 * The result of a peer's reply to request `id` (null is a result). PEER_BAD_REPLY when it is no such reply; PEER_ERROR for an
 * error object, with `rpcCode` and, when the peer gave one, `reason` in the metadata.
 */
export function decodeRpcResponse(value: unknown, id: RpcId): unknown {
  if (!isObject(value)) throw badReply(`is not a JSON-RPC object but ${describe(value)}`);
  if (value.jsonrpc !== "2.0") {
    throw badReply(`has no "jsonrpc":"2.0" but ${describe(value.jsonrpc)}; it holds ${outline(value)}`);
  }
  const error = value.error ?? undefined;
  // A peer that could not read the request cannot know its id, so an error may come with none.
  const anonymous = error !== undefined && (value.id ?? null) === null;
  if (!anonymous && value.id !== id) {
    throw badReply(`has the id ${describe(value.id)} but the request had ${describe(id)}`);
  }
  if (error !== undefined) throw peerError(error);
  if (!Object.hasOwn(value, "result")) throw badReply(`has neither result nor error; it holds ${outline(value)}`);
  return value.result;
}

function isRpcId(id: unknown): id is RpcId {
  if (id === null) return true;
  if (typeof id === "string") return id.length <= LONGEST_ID;
  // A larger integer has already lost digits, and the caller would not recognise its reply.
  return typeof id === "number" && Number.isFinite(id) && (Number.isSafeInteger(id) || !Number.isInteger(id));
}

function peerError(error: unknown): A2aError {
  if (!isObject(error)) return badReply(`has an error that is no object but ${describe(error)}`);
  const { code, message, data } = error;
  if (typeof code !== "number" || !Number.isInteger(code)) {
    return badReply(`has an error without a whole number as code: ${outline(error)}`);
  }
  const text = typeof message === "string" && message !== "" ? message.slice(0, LONGEST_PEER_TEXT) : "no message";
  const reason = readReason(data);
  const metadata = reason === undefined ? { rpcCode: String(code) } : { rpcCode: String(code), reason };
  return new A2aError("PEER_ERROR", `the peer answered with error ${code}: ${text}`, { metadata });
}

/** The reason of an ErrorInfo; `data` is a list in A2A 1.0 and anything in older peers. */
function readReason(data: unknown): string | undefined {
  const entries: unknown[] = Array.isArray(data) ? data.slice(0, 10) : [data];
  for (const entry of entries) {
    const reason = isObject(entry) ? entry.reason : undefined;
    if (typeof reason === "string" && /^[A-Z0-9_]{1,63}$/.test(reason)) return reason;
  }
  return undefined;
}

function invalid(message: string): A2aError {
  return new A2aError("INVALID_REQUEST", message);
}

function badReply(problem: string): A2aError {
  return new A2aError("PEER_BAD_REPLY", `the peer's reply ${problem}`);
}
