// Owns what an HTTP status other than success means for a call: one clear error with peer, status and a short excerpt. An error
// in JSON-RPC keeps its code and text at every status.

import { A2aError, type ErrorDetails, isA2aError } from "../core/platform/errors.ts";
import type { HttpResponse } from "../core/platform/http-types.ts";
import { isObject, parseJson } from "../core/platform/json.ts";
import { decodeRpcResponse, type RpcId } from "../core/protocol/jsonrpc.ts";
import { oneLine } from "../core/security/sanitize.ts";
import { hideLogin } from "../core/security/url-login.ts";
import { excerpt } from "./excerpt.ts";
import { retryAfterMs } from "./retry.ts";

/** Enough of an error answer to find a JSON-RPC error or a line of text in it. */
const HEAD_BYTES = 64 * 1024;

/** True for statuses that a later try may not meet. */
export function isPassingStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Reads a little of the answer, closes it, and makes the error that it stands for. */
export async function statusError(peer: string, response: HttpResponse, id: RpcId, nowMs: number): Promise<A2aError> {
  const body = await readHead(response);
  const rpc = rpcErrorIn(body, id);
  const status = response.status;
  const retryAfter = response.headers.get("retry-after");
  const waitMs = retryAfter === undefined ? undefined : retryAfterMs(retryAfter, nowMs);
  const text = rpc?.message ?? pageText(response, body);
  const wait = waitMs === undefined ? "" : `; it asks to wait ${Math.ceil(waitMs / 1000)} s`;
  const details: ErrorDetails = {
    metadata: { ...rpc?.metadata, httpStatus: String(status) },
    ...(waitMs === undefined ? {} : { retryAfterSec: Math.ceil(waitMs / 1000) }),
  };
  const said = `${peer} answered HTTP ${status}${text === "" ? "" : `: ${text}`}${wait}`;
  return new A2aError(codeFor(status, rpc !== undefined), said, { ...details, ...hintFor(status, response) });
}

function codeFor(status: number, isRpcError: boolean): "PEER_REFUSED" | "PEER_ERROR" | "PEER_BAD_REPLY" {
  if (status === 401 || status === 403 || status === 429 || status === 503) return "PEER_REFUSED";
  return isRpcError ? "PEER_ERROR" : "PEER_BAD_REPLY";
}

function hintFor(status: number, response: HttpResponse): ErrorDetails {
  if (status >= 300 && status < 400) {
    const to = oneLine(hideLogin(response.headers.get("location") ?? "another address"), 200);
    return { hint: `Redirects are not followed. If it is the same agent, use ${to} instead.` };
  }
  if (status === 401)
    return { hint: "The peer wants a credential: ask its operator for a token, and set it in a2a.peers.<name>.auth." };
  if (status === 403) return { hint: "The peer does not admit this caller; only its operator can change that." };
  if (status === 429 || status === 503) return { hint: "The peer is busy or limits its callers; try again later." };
  if (status >= 500) return { hint: "The fault is at the peer or a proxy before it; try again, or look at its log." };
  return {};
}

function pageText(response: HttpResponse, body: string): string {
  const location = response.headers.get("location");
  if (location !== undefined) return `redirect to ${oneLine(hideLogin(location), 200)}`;
  return excerpt(body, response.headers.get("content-type"));
}

/** The error object in a JSON-RPC body, or undefined when the body is something else. */
function rpcErrorIn(body: string, id: RpcId): A2aError | undefined {
  try {
    const value = parseJson(body);
    if (!isObject(value) || !isObject(value.error)) return undefined;
    decodeRpcResponse(value, id);
    return undefined;
  } catch (error) {
    // Anything but a JSON-RPC error is shown as the page it is.
    if (!isA2aError(error)) throw error;
    return error.code === "PEER_ERROR" ? error : undefined;
  }
}

async function readHead(response: HttpResponse): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.chunks()) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= HEAD_BYTES) break;
    }
  } catch (error) {
    // The status alone tells enough; only an end from this side must not be hidden.
    if (isA2aError(error, "CANCELLED") || isA2aError(error, "PEER_TIMEOUT")) throw error;
  }
  return text;
}
